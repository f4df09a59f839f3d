import Dispatch
import FrameCore
import Glibc
import Pipeline
import TestSupport
import Testing

/// Effects that do not look ahead, on frames of which each comes only when all that was made of the one before is there.
@Suite struct LiveTests {
    private static let count = 6
    private static let options = ConversionOptions(context: .init(threads: 2))

    private static var effects: [(effect: any ClipEffect, framesPerFrame: Int)] {
        get throws {
            [
                (try LowLatencyFrameInterpolationPass(depth: 1, options: options), 2),
                (try LowLatencyFrameInterpolationPass(depth: 3, options: options), 8),
                (try LowLatencyFrameInterpolationPass(depth: 1, scale: 2, options: options), 2),
                (LowLatencySuperResolutionScalerPass(target: try .factor("2", of: "scale")), 1),
            ]
        }
    }

    private static func picture(_ index: Int) throws -> PixelBuffer {
        try GeneratedPicture.waves(width: 64, height: 48, dx: 3 * index)
    }

    private static func output(after frames: Int, _ framesPerFrame: Int) -> Int { (frames - 1) * framesPerFrame + 1 }

    @Test(arguments: 0..<4) func aFrameIsWrittenBeforeTheNextComes(index: Int) throws {
        let (effect, framesPerFrame) = try Self.effects[index]
        let written = DispatchSemaphore(value: 0), late = Lock(0)
        let source = GeneratedSource(count: Self.count) { index in
            // Only a failure waits that long.
            for _ in 0..<(index == 0 ? 0 : index == 1 ? 1 : framesPerFrame)
            where written.wait(timeout: .now() + .seconds(300)) == .timedOut {
                late.withLock { $0 += 1 }
                throw CancellationError()
            }
            return try Self.picture(index)
        }
        let sink = RecordingSink(onWrite: { _ in written.signal() })
        _ = try ConversionPipeline(source: source, sink: sink, chain: EffectChain(effect), cuts: .none).run()
        #expect(late.withLock { $0 } == 0)
        #expect(sink.count == Self.output(after: Self.count, framesPerFrame))
    }

    @Test(arguments: 0..<4) func aStreamAsksForAFrameOnlyWhenAllAreOut(index: Int) throws {
        let (effect, framesPerFrame) = try Self.effects[index]
        let stream = try EffectStream(
            effect, source: GeneratedSource(count: 1, picture: Self.picture).stream, cuts: .none)
        let source = GeneratedSource(count: Self.count, picture: Self.picture)
        var results = 0
        for frames in 1...Self.count {
            #expect(try stream.submit(try #require(try source.nextFrame())))
            while case .frame = try stream.receive() { results += 1 }
            #expect(results == Self.output(after: frames, framesPerFrame))
        }
        stream.finish()
        guard case .ended = try stream.receive() else {
            Issue.record("the stream goes on")
            return
        }
    }

    /// A sink that has all frames in its output when it is finished.
    private final class HoldingSink: FrameSink {
        private let count = Lock(0)
        let delay: UInt32

        init(delay: UInt32) { self.delay = delay }

        var framesHeld: Int { count.withLock { $0 } }
        func write(_ frame: Frame) { count.withLock { $0 += 1 } }
        func finish() { usleep(delay) }
        func cancel() {}
    }

    @Test func latencyEndsWhenAFrameIsInTheOutput() throws {
        let effect = LowLatencySuperResolutionScalerPass(target: try .factor("2", of: "scale"))
        let report = try ConversionPipeline(
            source: GeneratedSource(count: 5, picture: Self.picture), sink: HoldingSink(delay: 50_000),
            chain: EffectChain(effect), cuts: .none
        ).run()
        let latency = try #require(report.latency)
        #expect(latency.total.median >= 0.05)
        #expect(latency.total.maximum >= latency.total.p95 && latency.total.p95 >= latency.total.median)
    }
}
