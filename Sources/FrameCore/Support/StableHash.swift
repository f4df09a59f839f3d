/// A name for a text of any length and characters.
package enum StableHash {
    /// 128 bits of FNV-1a in two runs, as 32 hexadecimal digits: the same on every machine.
    package static func name(of text: String) -> String {
        func hash(_ start: UInt64) -> UInt64 {
            text.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        }
        return [hash(0xCBF2_9CE4_8422_2325), hash(0x9E37_79B9_7F4A_7C15)]
            .map { $0.zeroPadded(to: 16, radix: 16) }.joined()
    }
}
