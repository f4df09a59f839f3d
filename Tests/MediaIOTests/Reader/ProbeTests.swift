import FrameCore
import Foundation
import MediaIO
import Testing

@Suite struct ProbeTests {
    /// Rotations and mirrorings as containers store them: a, b, c, d of the display matrix in 16.16 fixed point.
    @Test(arguments: [
        ([1, 0, 0, 1], 0, false), ([0, 1, -1, 0], 90, false), ([-1, 0, 0, -1], 180, false),
        ([0, -1, 1, 0], 270, false),
        ([-1, 0, 0, 1], 0, true), ([1, 0, 0, -1], 180, true), ([0, 1, 1, 0], 90, true), ([0, -1, -1, 0], 270, true),
        ([0, 0, 0, 0], 0, false),
    ])
    func orientationIsRead(matrix: [Int32], rotation: Int, isMirrored: Bool) throws {
        let folder = try TemporaryFolder()
        try write(try clip(ticks: Array(0..<3)), to: folder("a.mp4")) { stream in
            stream.sampleAspectRatio = nil
            stream.displayMatrix = [
                matrix[0] << 16, matrix[1] << 16, 0, matrix[2] << 16, matrix[3] << 16, 0, 0, 0, 1 << 30,
            ]
        }
        let video = try #require(try MediaProbe(folder("a.mp4")).info.streams.first?.video)
        #expect(video.orientation == .init(rotation: rotation, isMirrored: isMirrored))
        let shown = video.displaySize
        #expect(shown.width == (video.orientation.swapsSides ? 48 : 64))
        #expect(shown.height == (rotation == 90 || rotation == 270 ? 64 : 48))
    }

    @Test func highDynamicRangeIsNamed() throws {
        let folder = try TemporaryFolder()
        let deep = try PixelFormat(subsampling: .yuv420, bitDepth: 10)
        for (name, transfer, sideData, kind) in [
            ("hdr10.mkv", .pq, ColorTagTests.hdr, DynamicRangeInfo.Kind.hdr10), ("pq.mkv", .pq, SideData(), .pq),
            ("hlg.mkv", .hlg, SideData(), .hlg), ("sdr.mkv", .bt709, SideData(), .standard),
        ] as [(String, TransferCharacteristics, SideData, DynamicRangeInfo.Kind)] {
            let color = ColorDescription(
                matrix: .bt2020NonConstantLuminance, primaries: .bt2020, transfer: transfer, range: .limited,
                chromaLocation: .left)
            let frames = try clip(deep, 96, 80, ticks: [0, 1], color: color)
            try write(frames, to: folder(name), options: .init(codec: .hevc)) { $0.sideData = sideData }
            for info in [try MediaProbe(folder(name)).info, try MediaReader(folder(name)).info] {
                let video = try #require(info.streams.first?.video)
                #expect(video.dynamicRange.kind == kind, "\(name)")
                #expect(video.bitDepth == 10 && video.subsampling == "4:2:0" && video.pixelFormat == "yuv420p10le")
                #expect(video.color.names.primaries == "bt2020")
                guard kind == .hdr10 else { continue }
                let display = try #require(video.dynamicRange.masteringDisplay)
                #expect((display.maximumLuminance ?? 0) > (display.minimumLuminance ?? 0))
                #expect(display.red.x > display.green.x && display.green.y > display.red.y)
                #expect((video.dynamicRange.contentLight?.maximum ?? 0) > 0)
            }
        }
    }

    @Test func aProbeGivesOneReader() throws {
        let probe = try MediaProbe(fixture("dog.mp4"))
        #expect(probe.info.videoStream == 0)
        let reader = try probe.reader()
        #expect(reader.stream.width == 848)
        let error = try refusal { _ = try probe.reader() }
        #expect(error.code == .invalidArgument)
    }

    @Test func soundIsDescribed() throws {
        let streams = try MediaProbe(fixture("dog.mp4")).info.streams
        let audio = try #require(streams.first { $0.kind == .audio }?.audio)
        #expect(audio.layout == "stereo" && audio.channels == 2 && audio.sampleRate > 8000)
        #expect(streams[0].profile != nil && (streams[0].bitRate ?? 0) > 1000)
    }
}
