import FrameCore
import Pipeline
import TestSupport
import Testing

/// The first and the last stage of a run, each on its own.
@Suite struct StageTests {
    private let meter = ProgressMeter(expected: nil) { _ in }
    private let counter = LiveFrameCounter()

    private func frame(_ index: Int, resetPoint: Int? = nil) throws -> TimelineFrame {
        TimelineFrame(
            frame: Frame(
                buffer: try GeneratedPicture.flat(9, width: 16, height: 16),
                presentationTime: MediaTime(value: Int64(index), timescale: 25)),
            before: .init(resetPoint: resetPoint))
    }

    private func queue(_ frames: [TimelineFrame]) -> BoundedQueue<TimelineFrame> {
        let queue = BoundedQueue<TimelineFrame>(capacity: frames.count)
        for frame in frames { _ = queue.push(frame) }
        queue.finish()
        return queue
    }

    private func pipeline(reading count: Int = 0, to sink: RecordingSink = RecordingSink()) throws -> ConversionPipeline
    {
        let picture = try GeneratedPicture.flat(9, width: 16, height: 16)
        return ConversionPipeline(
            source: GeneratedSource(count: count) { _ in picture }, sink: sink, finder: ScriptedTransitions(),
            chain: EffectChain(FrameRateConversionPass(plan: try SlowMotionPlan(factor: 2), options: .init())))
    }

    private func read(_ pipeline: ConversionPipeline, to output: BoundedQueue<TimelineFrame>) throws {
        try ConversionPipeline.read(
            CheckedSource(pipeline.source), pipeline.finder, pipeline.state, to: output, counter: counter, meter: meter)
    }

    @Test func theReaderGivesAllFramesInOrder() throws {
        let output = BoundedQueue<TimelineFrame>(capacity: 10)
        try read(pipeline(reading: 7), to: output)
        var times: [MediaTime] = []
        while let next = output.pop() { times.append(next.frame.presentationTime) }
        #expect(times == (0..<7).map { MediaTime(value: $0, timescale: 25) })
        #expect(counter.peak == 7)
    }

    @Test func theReaderEndsWithTheRun() throws {
        let output = BoundedQueue<TimelineFrame>(capacity: 10), pipeline = try pipeline(reading: 7)
        pipeline.cancel()
        try read(pipeline, to: output)
        #expect(output.pop() == nil)
        #expect(counter.peak == 0)
    }

    @Test func theReaderEndsWhenNobodyTakesItsFrames() throws {
        let output = BoundedQueue<TimelineFrame>(capacity: 10)
        output.cancel()
        try read(pipeline(reading: 1000), to: output)
        #expect(counter.peak == 1)
    }

    @Test func theWriterBeginsSegmentsAtResetPoints() throws {
        let frames = try (0..<6).map { try frame($0, resetPoint: [0: 0, 4: 1][$0]) }
        let sink = RecordingSink()
        try pipeline(to: sink).write(queue(frames), from: 0, meter: meter)
        #expect(sink.count == 6 && sink.finishes == 1)
        #expect(sink.segments.map(\.index) == [0, 1] && sink.segments.map(\.frame) == [0, 4])
        #expect(meter.framesWritten == 6)
    }

    /// A segment without frames is skipped, so a later segment may be the first that is due.
    @Test(arguments: [1, 2])
    func theWriterDropsWhatIsNotDue(segment: Int) throws {
        let frames = try (0..<6).map { try frame($0, resetPoint: [0: 0, 3: 2][$0]) }
        let sink = RecordingSink(from: segment)
        try pipeline(to: sink).write(queue(frames), from: segment, meter: meter)
        #expect(sink.frames.map(\.presentationTime.value) == [3, 4, 5] && sink.finishes == 1)
        #expect(sink.segments.map(\.index) == [2] && sink.segments.map(\.frame) == [0])
    }

    @Test func theWriterCompletesNothingThatHasFailed() throws {
        let sink = RecordingSink(), pipeline = try pipeline(to: sink)
        pipeline.cancel()
        try pipeline.write(queue([try frame(0)]), from: 0, meter: meter)
        #expect(sink.finishes == 0)
    }

    @Test func theSinksErrorComesOut() throws {
        let sink = RecordingSink(onWrite: { _ in throw DeliberateError("write") })
        let pipeline = try pipeline(to: sink), frames = queue([try frame(0)])
        #expect(throws: DeliberateError("write")) { try pipeline.write(frames, from: 0, meter: meter) }
        #expect(sink.finishes == 0)
    }
}
