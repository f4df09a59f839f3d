import Foundation
import FrameCore
import Jobs
import TestSupport
import Testing

/// By what an input is known again.
@Suite struct InputIdentityTests {
    /// What a job keeps, and its output, may lie beside the pictures under a name that begins as theirs do.
    @Test func numberedPicturesAreTheirNumbersAlone() throws {
        let folder = try TemporaryFolder(), pattern = folder.path("img%03d.png")
        for index in 1...3 { _ = try folder.write(Data("picture \(index)".utf8), to: "img00\(index).png") }
        let before = try InputIdentity(pattern)
        try FileManager.default.createDirectory(atPath: folder.path("img.mkv.job"), withIntermediateDirectories: false)
        for name in ["img.mkv", "img.mkv.part", "img001.png.bak", "img.png", "imgx01.png"] {
            _ = try folder.write(Data("other".utf8), to: name)
        }
        #expect(try InputIdentity(pattern) == before)
        _ = try folder.write(Data("another picture".utf8), to: "img002.png")
        #expect(try InputIdentity(pattern) != before)
    }

    @Test func anAddressIsKnownByItsSizeToo() throws {
        let address = "https://example.org/in.mp4"
        #expect(try InputIdentity(address, remoteSize: 5) == InputIdentity(address, remoteSize: 5))
        #expect(try InputIdentity(address, remoteSize: 5) != InputIdentity(address, remoteSize: 6))
    }
}
