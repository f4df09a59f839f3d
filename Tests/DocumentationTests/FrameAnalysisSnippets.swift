import FrameAnalysis
import FrameCore
import MediaIO
import TestSupport
import Testing

/// The code that the article on picking frames shows.
@Suite struct FrameAnalysisSnippets {
    private func frame(_ dx: Int) throws -> Frame {
        Frame(buffer: try GeneratedPicture.waves(width: 160, height: 96, dx: dx), presentationTime: .zero)
    }

    @Test func requests() throws {
        let (frame, next) = (try frame(0), try frame(1))
        // snippet
        let score = try CalculateImageAestheticsScoresRequest().perform(on: frame)
        let isWorthKeeping = score.overallScore > 0 && !score.isUtility
        // end
        #expect(isWorthKeeping == (score.overallScore > 0))
        // snippet
        let print = try GenerateImageFeaturePrintRequest().perform(on: frame)
        let other = try GenerateImageFeaturePrintRequest().perform(on: next)
        let isSamePicture = try print.distance(to: other) <= FeaturePrintObservation.sameThreshold
        // end
        #expect(isSamePicture)
    }

    @Test func analyzer() async throws {
        let path = PackageFiles.root.appendingPathComponent("Fixtures/dog.mp4").path
        // snippet
        let analyzer = VideoAnalyzer { try MediaReader(path) }
        let scores = try await analyzer.addRequest(
            CalculateImageAestheticsScoresRequest(), cadence: .timeInterval(MediaTime(value: 1, timescale: 2)))
        analyzer.startAnalysis()
        var best: ImageAestheticsScoresObservation?
        for try await score in scores where score.overallScore > best?.overallScore ?? -1 { best = score }
        // end
        #expect(best.map { $0.overallScore > 0 } == true)
    }

    @Test func selector() throws {
        let reader = try MediaReader(PackageFiles.root.appendingPathComponent("Fixtures/dog.mp4").path)
        func show(_ frame: Frame?, _ time: MediaTime, _ reasons: [String]) { #expect(frame?.presentationTime == time) }
        // snippet
        var selector = try ThumbnailSelector(.init(count: 3, keepsFrames: true))
        while let frame = try reader.nextFrame() { try selector.append(frame) }
        let selection = try selector.finish()
        for pick in selection.picks { show(try pick.frame(), pick.time, pick.reasons) }
        // end
        #expect(!selection.picks.isEmpty)
    }
}
