import Foundation
import FrameAnalysis
import FrameCore
import Synchronization
import TestSupport
import Testing

@Suite struct VideoAnalyzerTests {
    private func source(_ count: Int, drawn: Counter, failAt: Int = -1) -> @Sendable () throws -> any FrameSource {
        {
            GeneratedSource(count: count) { index in
                drawn.add()
                if index == failAt { throw DeliberateError("picture \(index)") }
                return try GeneratedPicture.waves(dx: index)
            }
        }
    }

    @Test func severalRequestsShareOneDecodePass() async throws {
        let drawn = Counter()
        let analyzer = VideoAnalyzer(source: source(20, drawn: drawn))
        let scores = try await analyzer.addRequest(CalculateImageAestheticsScoresRequest())
        let prints = try await analyzer.addRequest(
            GenerateImageFeaturePrintRequest(), cadence: .frameInterval(3))
        let smudges = try await analyzer.addRequest(
            DetectLensSmudgeRequest(), cadence: .timeInterval(MediaTime(value: 1, timescale: 5)))
        analyzer.startAnalysis()
        async let a = times(scores)
        async let b = times(prints)
        async let c = times(smudges)
        let (everyOne, everyThird, everyFifth) = try await (a, b, c)
        #expect(everyOne == Array(0..<20))
        #expect(everyThird == [0, 3, 6, 9, 12, 15, 18])
        #expect(everyFifth == [0, 5, 10, 15])
        #expect(drawn.count == 20)
        var last = 0.0
        for await share in analyzer.progress { last = share }
        #expect(last == 1)
    }

    @Test func aRangeIsKeptTo() async throws {
        let analyzer = VideoAnalyzer(source: source(20, drawn: Counter()))
        let scores = try await analyzer.addRequest(CalculateImageAestheticsScoresRequest())
        analyzer.startAnalysis(of: MediaTime(value: 5, timescale: 25)..<MediaTime(value: 9, timescale: 25))
        #expect(try await times(scores) == [5, 6, 7, 8])
    }

    @Test func errorsAppearOnTheStreams() async throws {
        let analyzer = VideoAnalyzer(source: source(20, drawn: Counter(), failAt: 4))
        let scores = try await analyzer.addRequest(CalculateImageAestheticsScoresRequest())
        analyzer.startAnalysis()
        var seen = 0
        await #expect(throws: DeliberateError.self) { for try await _ in scores { seen += 1 } }
        #expect(seen == 4)
        await #expect(throws: FrameError.self) {
            _ = try await analyzer.addRequest(CalculateImageAestheticsScoresRequest())
        }
    }

    @Test func aRemovedRequestEndsAndTheOthersGoOn() async throws {
        let analyzer = VideoAnalyzer(source: source(6, drawn: Counter()))
        let scores = try await analyzer.addRequest(CalculateImageAestheticsScoresRequest())
        let prints = try await analyzer.addRequest(GenerateImageFeaturePrintRequest())
        #expect(await analyzer.removeRequest(CalculateImageAestheticsScoresRequest()))
        #expect(await !analyzer.removeRequest(CalculateImageAestheticsScoresRequest()))
        analyzer.startAnalysis()
        #expect(try await times(scores) == [])
        #expect(try await times(prints) == Array(0..<6))
    }

    @Test func cancellingEndsTheStreams() async throws {
        let drawn = Counter()
        // Frames after the first arrive slowly, so that the analysis cannot end before it is cancelled.
        let analyzer = VideoAnalyzer {
            GeneratedSource(count: 100_000) { index in
                drawn.add()
                if index > 5 { usleep(20_000) }
                return try GeneratedPicture.waves(dx: index)
            }
        }
        let scores = try await analyzer.addRequest(CalculateImageAestheticsScoresRequest())
        analyzer.startAnalysis()
        var iterator = scores.makeAsyncIterator()
        _ = try await iterator.next()
        await analyzer.cancel()
        let count = drawn.count
        await #expect(throws: CancellationError.self) { while try await iterator.next() != nil {} }
        #expect(drawn.count == count && count < 100_000)
        await analyzer.cancel()
    }

    @Test func cadencesMustBeAboveZero() async throws {
        let analyzer = VideoAnalyzer(source: source(2, drawn: Counter()))
        for cadence in [VideoAnalyzer.Cadence.frameInterval(0), .timeInterval(.zero)] {
            await #expect(throws: FrameError.self) {
                _ = try await analyzer.addRequest(CalculateImageAestheticsScoresRequest(), cadence: cadence)
            }
        }
    }

    private func times<Observation: VideoObservation>(
        _ stream: AsyncThrowingStream<Observation, any Error>
    ) async throws -> [Int64] {
        var times: [Int64] = []
        for try await observation in stream {
            times.append(observation.time.converted(toTimescale: 25).value)
        }
        return times
    }
}

/// A counter shared between threads.
final class Counter: Sendable {
    private let value = Atomic<Int>(0)
    var count: Int { value.load(ordering: .sequentiallyConsistent) }
    func add() { value.wrappingAdd(1, ordering: .sequentiallyConsistent) }
}
