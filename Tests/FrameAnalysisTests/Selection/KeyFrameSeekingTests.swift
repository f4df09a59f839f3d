import Foundation
import FrameAnalysis
import FrameCore
import MediaIO
import TestSupport
import Testing

/// Analyses that seek, on a real file: the dog clip with a keyframe every four frames.
@Suite struct KeyFrameSeekingTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("dog.mp4")
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Fixtures/dog.mp4").standardized.path
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "ffmpeg", "-v", "error", "-i", source, "-an", "-c:v", "libx264", "-preset", "ultrafast", "-g", "4", "-bf",
            "2", "-sc_threshold", "0", path,
        ]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    private static let options = MediaReaderOptions(keepsOtherStreams: false)

    private func times() throws -> [MediaTime] {
        let reader = try MediaReader(path, options: Self.options)
        var times: [MediaTime] = []
        while let frame = try reader.nextFrame() { times.append(frame.presentationTime) }
        return times
    }

    private func select(threads: Int) throws -> ThumbnailSelection {
        let duration = try MediaReader(path, options: Self.options).stream.duration
        let selection = KeyFrameSelection(
            .init(count: 3, capacity: 60, duration: duration), threads: threads,
            keyFrames: { [path] in try KeyFrameReader(path) },
            frames: { [path] in try MediaReader(path, options: Self.options) })
        return try #require(try selection.run())
    }

    @Test func keyFramesAreLookedAtAndTheFramesBehindWinners() throws {
        let all = try times()
        let one = try select(threads: 1)
        #expect(!one.picks.isEmpty && one.damage.isEmpty)
        #expect(one.picks.allSatisfy { all.contains($0.time) })
        let keys = Set(stride(from: 0, to: all.count, by: 4).map { all[$0] })
        // As many as there are keyframes: each is a keyframe or a better frame after it.
        #expect((keys.count - 3...keys.count).contains(one.looks.count))
        #expect(one.looks.count { keys.contains($0.time) } >= keys.count - 13)
        let two = try select(threads: 2)
        #expect(two.picks.map(\.time) == one.picks.map(\.time))
        #expect(two.looks.map(\.time) == one.looks.map(\.time))
    }

    @Test func damagedKeyFramesAreToldAndPassedOver() throws {
        let whole = try select(threads: 1).looks.count
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let middle = bytes.count / 2..<bytes.count * 3 / 4
        bytes.replaceSubrange(middle, with: middle.map { UInt8(truncatingIfNeeded: $0 &* 167 ^ ($0 >> 3)) })
        try bytes.write(to: URL(fileURLWithPath: path))
        let found = try select(threads: 2)
        #expect(!found.picks.isEmpty && found.looks.count < whole)
        #expect(found.damage.notes.contains("some keyframes are damaged and were skipped"))
        #expect(found.picks.allSatisfy { !$0.reasons.contains("damaged") })
    }

    @Test func aRangeIsReachedBySeeking() async throws {
        let all = try times()
        func observations(_ range: Range<MediaTime>?) async throws -> [ImageAestheticsScoresObservation] {
            let analyzer = VideoAnalyzer { [path] in try MediaReader(path, options: Self.options) }
            let scores = try await analyzer.addRequest(CalculateImageAestheticsScoresRequest())
            analyzer.startAnalysis(of: range)
            var found: [ImageAestheticsScoresObservation] = []
            for try await score in scores { found.append(score) }
            return found
        }
        let whole = try await observations(nil)
        #expect(whole.map(\.time) == all)
        // A range that begins and ends inside groups of pictures.
        let part = try await observations(all[21]..<all[45])
        #expect(part.map(\.time) == Array(all[21..<45]))
        #expect(part.map(\.overallScore) == whole[21..<45].map(\.overallScore))
    }
}
