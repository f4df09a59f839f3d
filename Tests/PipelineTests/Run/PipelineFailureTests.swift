import FrameCore
import FrameEffects
import Pipeline
import TestSupport
import Testing

@Suite struct PipelineFailureTests {
    private func run(_ source: any FrameSource, _ sink: any FrameSink) throws -> ConversionReport {
        try ConversionPipeline(
            source: source, sink: sink, plan: SlowMotionPlan(factor: 3), options: ConversionOptions(),
            finder: ScriptedTransitions()
        ).run()
    }

    private func endless(_ count: Int = 100_000) throws -> GeneratedSource {
        let picture = try GeneratedPicture.texture()
        return GeneratedSource(count: count) { _ in picture }
    }

    @Test(arguments: [0, 1, 5, 30])
    func readErrorComesOut(position: Int) throws {
        let picture = try GeneratedPicture.texture()
        let sink = RecordingSink()
        let source = GeneratedSource(count: 40) { index in
            if index == position { throw DeliberateError("read") }
            return picture
        }
        #expect(throws: DeliberateError("read")) { try run(source, sink) }
        #expect(sink.cancels == 1)
        #expect(sink.finishes == 0)
    }

    @Test(arguments: [0, 1, 50])
    func writeErrorComesOut(position: Int) throws {
        let sink = RecordingSink(onWrite: { if $0 == position { throw DeliberateError("write") } })
        let pipeline = try ConversionPipeline(
            source: endless(), sink: sink, plan: SlowMotionPlan(factor: 3), options: ConversionOptions(),
            finder: ScriptedTransitions())
        #expect(throws: DeliberateError("write")) { try pipeline.run() }
        #expect(pipeline.failedStage == .writing)
        #expect(sink.cancels == 1)
        #expect(sink.finishes == 0)
        #expect(sink.count == position)
    }

    @Test func finishErrorComesOut() throws {
        let sink = RecordingSink(onFinish: { throw DeliberateError("finish") })
        #expect(throws: DeliberateError("finish")) { try run(endless(4), sink) }
        #expect(sink.cancels == 1)
    }

    @Test func makingErrorComesOut() throws {
        // The frame size changes in the middle of the clip.
        let sink = RecordingSink()
        let source = GeneratedSource(count: 20) { try GeneratedPicture.texture(width: $0 < 12 ? 64 : 32) }
        let error = #expect(throws: FrameError.self) { try run(source, sink) }
        #expect(
            error?.message
                == "the frame format changes from 64x48 yuv420p to 32x48 yuv420p; one size and pixel format is needed throughout"
        )
        #expect(sink.cancels == 1)
        #expect(sink.finishes == 0)
    }

    @Test func timesMustIncrease() throws {
        let picture = try GeneratedPicture.texture()
        for times in [[0, 40, 40], [0, 40, 20]] {
            let sink = RecordingSink()
            let source = GeneratedSource(times: times.map { MediaTime(value: Int64($0), timescale: 1000) }) { _ in
                picture
            }
            let error = #expect(throws: FrameError.self) { try run(source, sink) }
            #expect(error?.code == .input)
            #expect(sink.cancels == 1)
        }
    }

    @Test func noFrameAtAllIsAnError() throws {
        let sink = RecordingSink()
        let error = #expect(throws: FrameError.self) { try run(endless(0), sink) }
        #expect(error?.message == "there is no video frame in the input that can be decoded")
        #expect(sink.cancels == 1)
    }

    @Test func damageIsHandedOn() throws {
        let source = try endless(3)
        source.damage.lostUnits = 2
        source.damage.note("two packets are damaged")
        #expect(try run(source, RecordingSink()).damage == source.damage)
    }

    @Test(arguments: ["read", "write", "before"])
    func cancelEndsARun(place: String) throws {
        let box = Lock<ConversionPipeline?>(nil)
        let picture = try GeneratedPicture.texture()
        let source = GeneratedSource(count: 100_000) { index in
            if place == "read", index == 20 { box.withLock { $0?.cancel() } }
            return picture
        }
        let sink = RecordingSink(onWrite: { if place == "write", $0 == 20 { box.withLock { $0?.cancel() } } })
        let pipeline = try ConversionPipeline(
            source: source, sink: sink, plan: SlowMotionPlan(factor: 3), options: ConversionOptions(),
            finder: ScriptedTransitions())
        box.withLock { $0 = pipeline }
        if place == "before" { pipeline.cancel() }
        #expect(throws: CancellationError.self) { try pipeline.run() }
        box.withLock { $0 = nil }
        #expect(sink.cancels == 1)
        #expect(sink.finishes == 0)
        #expect(sink.count < 1000)
    }

    @Test func cancelDoesNotWaitForABlockedReader() throws {
        let gate = BoundedQueue<Int>(capacity: 1)
        let box = Lock<ConversionPipeline?>(nil)
        let picture = try GeneratedPicture.texture()
        let source = GeneratedSource(count: 10) { index in
            if index == 2 {
                box.withLock { $0?.cancel() }
                _ = gate.pop()
            }
            return picture
        }
        let sink = RecordingSink()
        let pipeline = try ConversionPipeline(
            source: source, sink: sink, plan: SlowMotionPlan(factor: 2), options: ConversionOptions(),
            finder: ScriptedTransitions())
        box.withLock { $0 = pipeline }
        #expect(throws: CancellationError.self) { try pipeline.run() }
        #expect(sink.cancels == 1)
        gate.finish()
        box.withLock { $0 = nil }
    }

    @Test(arguments: [true, false]) func aBlockedWriteIsAbandoned(fails: Bool) throws {
        let gate = BoundedQueue<Int>(capacity: 1)
        let box = Lock<ConversionPipeline?>(nil)
        let sink = RecordingSink(onFinish: {
            box.withLock { $0?.cancel() }
            if fails { throw DeliberateError("finish") }
            _ = gate.pop()
        })
        let tee = try TeeSink(sink, stream: endless(4).stream, branches: [])
        let pipeline = try ConversionPipeline(
            source: endless(4), sink: tee, finder: ScriptedTransitions(),
            chain: EffectChain(FrameRateConversionPass(plan: SlowMotionPlan(factor: 2), options: ConversionOptions())),
            writerGrace: fails ? 60 : 0.1)
        box.withLock { $0 = pipeline }
        #expect(throws: CancellationError.self) { try pipeline.run() }
        // After a blocked write returns, its own thread cancels the sink.
        #expect(sink.abandonments == (fails ? 0 : 1) && sink.cancels == (fails ? 1 : 0))
        gate.finish()
        box.withLock { $0 = nil }
    }

    @Test func cancelledTaskEndsTheRun() async throws {
        let started = AsyncStream<Void>.makeStream()
        let sink = RecordingSink(onWrite: { if $0 == 5 { started.continuation.finish() } })
        let pipeline = try ConversionPipeline(
            source: endless(), sink: sink, plan: SlowMotionPlan(factor: 2), options: ConversionOptions(),
            finder: ScriptedTransitions())
        let task = Task { try await pipeline.run() }
        for await _ in started.stream {}
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(sink.cancels == 1)
    }

    @Test func cancelAfterTheEndChangesNothing() throws {
        let sink = RecordingSink()
        let pipeline = try ConversionPipeline(
            source: endless(3), sink: sink, plan: SlowMotionPlan(factor: 2), options: ConversionOptions())
        _ = try pipeline.run()
        pipeline.cancel()
        #expect(sink.cancels == 0)
        #expect(sink.finishes == 1)
    }
}
