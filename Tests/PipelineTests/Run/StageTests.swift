import FrameCore
import Pipeline
import TestSupport
import Testing

/// The first and the last stage of a run, each without the others.
@Suite struct StageTests {
    private let state = RunState()
    private let meter = ProgressMeter(expected: nil) { _ in }

    private func frame(_ index: Int, resetPoint: Int? = nil) throws -> TimelineFrame {
        TimelineFrame(
            frame: Frame(
                buffer: try GeneratedPicture.flat(9, width: 16, height: 16),
                presentationTime: MediaTime(value: Int64(index), timescale: 25)),
            before: FrameBoundary(resetPoint: resetPoint))
    }

    private func queue(_ frames: [TimelineFrame]) -> BoundedQueue<TimelineFrame> {
        let queue = BoundedQueue<TimelineFrame>(capacity: frames.count)
        for frame in frames { _ = queue.push(frame) }
        queue.finish()
        return queue
    }

    private func reader(
        _ count: Int, to output: BoundedQueue<(frame: TimelineFrame, signature: Int)>, _ counter: LiveFrameCounter
    ) throws -> ReaderStage<ScriptedTransitions> {
        let picture = try GeneratedPicture.flat(9, width: 16, height: 16)
        return ReaderStage(
            GeneratedSource(count: count) { _ in picture }, ScriptedTransitions(), to: output, counter: counter,
            meter: meter, state: state)
    }

    @Test func theReaderGivesAllFramesInOrder() throws {
        let output = BoundedQueue<(frame: TimelineFrame, signature: Int)>(capacity: 10), counter = LiveFrameCounter()
        try reader(7, to: output, counter).run()
        var times: [MediaTime] = []
        while let next = output.pop() { times.append(next.frame.frame.presentationTime) }
        #expect(times == (0..<7).map { MediaTime(value: $0, timescale: 25) })
        #expect(counter.peak == 7)
    }

    @Test func theReaderEndsWithTheRun() throws {
        let output = BoundedQueue<(frame: TimelineFrame, signature: Int)>(capacity: 10), counter = LiveFrameCounter()
        state.fail(DeliberateError("make"), in: .making)
        try reader(7, to: output, counter).run()
        #expect(output.pop() == nil)
        #expect(counter.peak == 0)
    }

    @Test func theReaderEndsWhenNobodyTakesItsFrames() throws {
        let output = BoundedQueue<(frame: TimelineFrame, signature: Int)>(capacity: 10), counter = LiveFrameCounter()
        output.cancel()
        try reader(1000, to: output, counter).run()
        #expect(counter.peak == 1)
    }

    @Test func theWriterBeginsSegmentsAtResetPoints() throws {
        let frames = try (0..<6).map { try frame($0, resetPoint: [0: 0, 4: 1][$0]) }
        let sink = RecordingSink()
        try WriterStage(queue(frames), to: sink, firstSegment: 0, meter: meter, state: state).run()
        #expect(sink.count == 6 && sink.finishes == 1)
        #expect(sink.segments.map(\.index) == [0, 1] && sink.segments.map(\.frame) == [0, 4])
        #expect(meter.framesWritten == 6)
    }

    /// A segment that holds no frame is left out, so a later one may be the first that is due.
    @Test(arguments: [1, 2])
    func theWriterDropsWhatIsNotDue(segment: Int) throws {
        let frames = try (0..<6).map { try frame($0, resetPoint: [0: 0, 3: 2][$0]) }
        let sink = RecordingSink(from: segment)
        try WriterStage(queue(frames), to: sink, firstSegment: segment, meter: meter, state: state).run()
        #expect(sink.frames.map(\.presentationTime.value) == [3, 4, 5] && sink.finishes == 1)
        #expect(sink.segments.map(\.index) == [2] && sink.segments.map(\.frame) == [0])
    }

    @Test func theWriterCompletesNothingThatHasFailed() throws {
        let sink = RecordingSink()
        state.fail(DeliberateError("make"), in: .making)
        try WriterStage(queue([try frame(0)]), to: sink, firstSegment: 0, meter: meter, state: state).run()
        #expect(sink.finishes == 0)
    }

    @Test func theSinksErrorComesOut() throws {
        let sink = RecordingSink(onWrite: { _ in throw DeliberateError("write") })
        let writer = WriterStage(queue([try frame(0)]), to: sink, firstSegment: 0, meter: meter, state: state)
        #expect(throws: DeliberateError("write")) { try writer.run() }
        #expect(sink.finishes == 0)
    }
}
