import FrameCore
import Testing

@Suite struct CRC32Tests {
    /// The published check value of the polynomial, checksums of PNG chunks, and simple cases.
    @Test(
        arguments: [
            ("", 0), ("123456789", 0xCBF4_3926), ("IEND", 0xAE42_6082), ("a", 0xE8B7_BE43), ("abc", 0x3524_41C2),
            ("The quick brown fox jumps over the lazy dog", 0x414F_A339),
        ] as [(String, UInt32)])
    func knownValues(text: String, value: UInt32) {
        #expect(CRC32.of(text.utf8) == value)
    }

    @Test func zerosCount() {
        #expect(CRC32.of([0, 0, 0, 0]) == 0x2144_DF1C)
        #expect(CRC32.of([UInt8](repeating: 0xFF, count: 4)) == 0xFFFF_FFFF)
    }

    /// Adding data in parts gives the same checksum as the whole, wherever it is split (four bytes at a time or one).
    @Test func partsAddUp() {
        let bytes = (0..<41).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) }
        let whole = CRC32.of(bytes)
        var single = CRC32()
        for byte in bytes { withUnsafeBytes(of: byte) { single.add($0) } }
        #expect(single.value == whole)
        for cut in 0...bytes.count {
            var sum = CRC32()
            bytes.withUnsafeBytes { all in
                sum.add(UnsafeRawBufferPointer(rebasing: all[..<cut]))
                sum.add(UnsafeRawBufferPointer(rebasing: all[cut...]))
            }
            #expect(sum.value == whole, "cut at \(cut)")
        }
    }
}

@Suite struct StableHashTests {
    /// The first half is FNV-1a with the published offset basis.
    @Test(arguments: [("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8")])
    func theFirstHalfIsPublished(text: String, half: String) {
        #expect(stableHash(of: text).hasPrefix(half))
    }

    @Test func namesAreHexadecimal() {
        let names = (0..<1000).map { stableHash(of: "clip-\($0).mp4") }
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.utf8.count == 32 && $0.allSatisfy { $0.isHexDigit && !$0.isUppercase } })
        #expect(stableHash(of: "").hasSuffix("9e3779b97f4a7c15"))
    }
}
