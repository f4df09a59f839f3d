import Foundation
import FrameCore
import Jobs
import TestSupport
import Testing

/// How an input is recognised.
@Suite struct InputIdentityTests {
    @Test func numberedPicturesAreAllOfThem() throws {
        let folder = try TemporaryFolder(), pattern = folder.path("img%03d.png")
        let pictures = try (1...3).map { try folder.write(Data("picture \($0)".utf8), to: "img00\($0).png") }
        let before = try InputIdentity(pattern, pictures: pictures)
        #expect(try InputIdentity(pattern, pictures: pictures) == before)
        #expect(try InputIdentity(pattern, pictures: pictures.dropLast()) != before)
        _ = try folder.write(Data("another picture".utf8), to: "img002.png")
        #expect(try InputIdentity(pattern, pictures: pictures) != before)
    }

    @Test func anAddressIsKnownByItsSizeToo() throws {
        let address = "https://example.org/in.mp4"
        #expect(try InputIdentity(address, remoteSize: 5) == InputIdentity(address, remoteSize: 5))
        #expect(try InputIdentity(address, remoteSize: 5) != InputIdentity(address, remoteSize: 6))
    }
}
