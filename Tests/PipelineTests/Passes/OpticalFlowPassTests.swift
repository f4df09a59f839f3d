import FrameCore
import FrameEffects
import Motion
import Pipeline
import TestSupport
import Testing

@Suite struct OpticalFlowPassTests {
    private func pipeline(
        _ source: GeneratedSource, _ sink: RecordingSink, _ finder: ScriptedTransitions = ScriptedTransitions(),
        threads: Int = 1, neighbour: OpticalFlowPass.Neighbour = .next,
        makeFrame: @escaping @Sendable (OpticalFlowPass.Step) throws -> Frame = { $0.frame }
    ) -> ConversionPipeline {
        let pass = OpticalFlowPass(
            options: ConversionOptions(context: .init(threads: threads)), neighbour: neighbour, makeFrame: makeFrame)
        return ConversionPipeline(source: source, sink: sink, finder: finder, chain: EffectChain(pass))
    }

    private func run(
        _ count: Int, _ finder: ScriptedTransitions = ScriptedTransitions(), threads: Int = 1,
        neighbour: OpticalFlowPass.Neighbour = .next
    ) throws -> (report: ConversionReport, flow: FlowStatistics, steps: [OpticalFlowPass.Step], sink: RecordingSink) {
        let steps = Lock<[OpticalFlowPass.Step]>([])
        let sink = RecordingSink()
        let source = GeneratedSource(count: count) { try GeneratedPicture.waves(width: 96, height: 64, dx: 3 * $0) }
        let report = try pipeline(source, sink, finder, threads: threads, neighbour: neighbour) { step in
            steps.withLock { $0.append(step) }
            return step.frame
        }.run()
        return (report, try #require(report.effects.first?.flow), steps.withLock { $0 }, sink)
    }

    @Test(arguments: [OpticalFlowPass.Neighbour.next, .previous])
    func everyFrameComesOnceWithItsNeighboursMotion(neighbour: OpticalFlowPass.Neighbour) throws {
        let (report, flow, steps, sink) = try run(9, neighbour: neighbour)
        #expect(flow.pairs == 8 && report.framesRead == 9 && report.framesWritten == 9)
        #expect(sink.frames.map(\.presentationTime) == (0..<9).map { MediaTime(value: $0, timescale: 25) })
        #expect(steps.map { $0.flow == nil } == (0..<9).map { $0 == (neighbour == .next ? 8 : 0) })
        for found in steps.compactMap(\.flow) {
            let forward = found.forward.vector(x: 48, y: 32), backward = found.backward.vector(x: 48, y: 32)
            #expect(abs(forward.x - 3) < 0.5 && abs(forward.y) < 0.5)
            #expect(abs(backward.x + 3) < 0.5)
        }
        #expect((flow.medianMilliseconds ?? 0) > 0)
        #expect((flow.slowMilliseconds ?? 0) >= (flow.medianMilliseconds ?? 0))
    }

    @Test func acrossACutThereIsNone() throws {
        let (report, flow, steps, _) = try run(10, ScriptedTransitions([4: .cut]))
        #expect(flow.pairs == 8 && report.cuts.count == 1)
        #expect(report.cuts == [SceneCut(frame: 4, time: MediaTime(value: 4, timescale: 25))])
        #expect(steps.map { $0.flow == nil } == (0..<10).map { $0 == 3 || $0 == 9 })
    }

    /// After a cut, the motion is the same as in a clip that begins there.
    @Test func nothingIsTakenOverACut() throws {
        let joined = try run(10, ScriptedTransitions([4: .cut])).steps
        let engine = OpticalFlowEngine(width: 96, height: 64, quality: .normal, context: .serial)
        var relation = PairRelation.none
        for index in 4..<9 {
            let pictures = try (index...index + 1).map { try GeneratedPicture.waves(width: 96, height: 64, dx: 3 * $0) }
            #expect(try engine.flow(from: pictures[0], to: pictures[1], relation: relation) == joined[index].flow)
            relation = .follows
        }
    }

    @Test func threadsDoNotMatter() throws {
        let one = try run(6).steps.map(\.flow), three = try run(6, threads: 3).steps.map(\.flow)
        #expect(one == three)
    }

    @Test func shortClips() throws {
        for neighbour in [OpticalFlowPass.Neighbour.next, .previous] {
            let one = try run(1, neighbour: neighbour)
            #expect(one.flow.pairs == 0 && one.report.framesWritten == 1 && one.steps[0].flow == nil)
            #expect(one.flow.medianMilliseconds == nil)
            #expect(throws: FrameError.self) { _ = try run(0, neighbour: neighbour) }
        }
    }

    @Test func errorsEndTheRunAndCancelTheSink() throws {
        let sink = RecordingSink()
        let source = GeneratedSource(count: 20) { try GeneratedPicture.waves(width: 32, height: 32, dx: $0) }
        let pipeline = pipeline(source, sink) { step in
            if step.frame.presentationTime.value > 5 { throw DeliberateError("make") }
            return step.frame
        }
        #expect(throws: DeliberateError("make")) { _ = try pipeline.run() }
        #expect(pipeline.failedStage == .making)
        #expect(sink.cancels == 1 && sink.finishes == 0)
        #expect(throws: FrameError.self) { _ = try pipeline.run() }
    }

    @Test func cancellingEndsTheRun() throws {
        let sink = RecordingSink()
        let source = GeneratedSource(count: 2000) { try GeneratedPicture.waves(width: 32, height: 32, dx: $0) }
        let pipeline = pipeline(source, sink)
        let canceller = WorkerThread(name: "cancel") {
            while sink.count < 3 {}
            pipeline.cancel()
        }
        #expect(throws: CancellationError.self) { _ = try pipeline.run() }
        canceller.join()
        #expect(pipeline.failedStage == nil)
        #expect(sink.finishes == 0)
    }

    /// A frame that differs from the announced output is rejected, as for every effect.
    @Test func framesAreWhatWasAnnounced() throws {
        let picture = try PixelBuffer(format: PixelFormat(subsampling: .yuv444, bitDepth: 8), width: 32, height: 32)
        let source = GeneratedSource(count: 3) { try GeneratedPicture.waves(width: 32, height: 32, dx: $0) }
        let pipeline = pipeline(source, RecordingSink()) {
            Frame(buffer: picture, presentationTime: $0.frame.presentationTime)
        }
        #expect(throws: FrameError.self) { _ = try pipeline.run() }
    }

    @Test func livingFramesAreBounded() throws {
        let living = LivingPictures()
        let picture = try GeneratedPicture.waves(width: 32, height: 32)
        let source = GeneratedSource(count: 150) { _ in living.counted(picture) }
        let pipeline = pipeline(source, RecordingSink(keepsFrames: false))
        _ = try pipeline.run()
        #expect(living.made == 150)
        #expect(try living.peak <= pipeline.memoryBound.frames)
        #expect(living.alive == 0)
    }
}
