import FrameCore
import MediaIO
import Testing

@Suite struct DolbyVisionTests {
    @Test(arguments: [(5, 0), (8, 0), (9, 0), (10, 0)] as [(UInt8, UInt8)])
    func pixelsThatAreNotYCbCrAreRefused(profile: UInt8, compatibility: UInt8) throws {
        let folder = try TemporaryFolder()
        let path = try makeDolbyVision("a.mp4", profile: profile, compatibility: compatibility, in: folder)
        let error = try refusal { _ = try MediaReader(path) }
        #expect(error.message.contains("IPTPQc2") && error.message.contains("--ignore-dolby-vision"))
        let reader = try MediaReader(path, options: .init(ignoresDolbyVision: true))
        #expect(reader.notes.map(\.code) == ["dolby-vision-ignored"])
        #expect(try MediaProbe(path).info.streams.first?.video?.dynamicRange.dolbyVisionProfile == Int(profile))
    }

    @Test(arguments: [(8, 1, "8.1"), (8, 4, "8.4"), (7, 6, "7"), (7, 0, "7"), (4, 2, "4")] as [(UInt8, UInt8, String)])
    func aBaseLayerIsProcessed(profile: UInt8, compatibility: UInt8, name: String) throws {
        let folder = try TemporaryFolder()
        let path = try makeDolbyVision("a.mp4", profile: profile, compatibility: compatibility, in: folder)
        let reader = try MediaReader(path)
        #expect(reader.notes.isEmpty)
        #expect(reader.info.streams.first?.video?.dynamicRange.dolbyVision?.name == name)
        let sink = try carry(path, to: folder("b.mp4"), options: .init(codec: .hevc, preset: "ultrafast"))
        let note = try #require(sink.notes.first { $0.code == "dolby-vision-dropped" })
        #expect(note.isLoss && note.sentence.contains("profile \(name)"))
        // The result does not claim to be Dolby Vision.
        #expect(try MediaReader(folder("b.mp4")).info.streams.first?.video?.dynamicRange.dolbyVision == nil)
    }

    @Test func anEnhancementLayerAloneIsRefused() throws {
        let folder = try TemporaryFolder()
        let path = try makeDolbyVision("a.mp4", profile: 7, compatibility: 6, hasBaseLayer: false, in: folder)
        #expect(try refusal { _ = try MediaReader(path) }.message.contains("enhancement layer"))
    }
}
