import FrameCore
import Testing

@Suite struct StillFormatTests {
    @Test(arguments: StillFormat.allCases) func everyExtensionStandsForItsKind(format: StillFormat) {
        for ending in format.fileExtensions {
            #expect(StillFormat(fileName: "folder.d/a.b.\(ending.uppercased())") == format)
        }
    }

    @Test(arguments: ["", "jpg", "folder.jpg/name", "a.gif", "a."])
    func otherNamesStandForNothing(name: String) {
        #expect(StillFormat(fileName: name) == nil)
    }

    @Test(
        arguments: [
            ([0xFF, 0xD8, 0xFF, 0xE0], StillFormat.jpeg), ([0x89] + Array("PNG\r\n\u{1A}\n".utf8), .png),
            (Array("RIFF....WEBP".utf8), .webp), ([0xFF, 0x0A], .jpegXL),
            ([0, 0, 0, 12] + Array("JXL \r\n".utf8), .jpegXL),
            ([0, 0, 0, 32] + Array("ftypavif".utf8), .avif),
        ] as [([UInt8], StillFormat)])
    func theFirstBytesTell(bytes: [UInt8], format: StillFormat) {
        #expect(StillFormat(bytes: bytes) == format)
        #expect(StillFormat(bytes: Array(bytes.dropLast())) == nil || format == .jpeg || format == .jpegXL)
        #expect(StillFormat(bytes: Array(bytes.dropFirst())) == nil)
    }
}

@Suite struct DamageReportTests {
    @Test func sentencesAreSaidOnce() {
        var report = DamageReport(), other = DamageReport()
        #expect(report.isEmpty)
        report.note("a packet is lost")
        report.note("a packet is lost")
        report.lostUnits = 2
        other.note("the file ends early")
        other.note("a packet is lost")
        other.lostUnits = 3
        report.add(other)
        #expect(report.notes == ["a packet is lost", "the file ends early"] && report.lostUnits == 5)
        #expect(!report.isEmpty)
    }
}
