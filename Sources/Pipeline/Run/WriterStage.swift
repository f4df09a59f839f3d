package import FrameCore

/// The last stage of a run: gives a sink the frames that are due, and says where segments begin.
package struct WriterStage: Sendable {
    private let input: BoundedQueue<TimelineFrame>
    private let sink: any FrameSink
    private let firstSegment: Int
    private let meter: ProgressMeter
    private let state: RunState

    /// - Parameter firstSegment: number of the reset point from which on frames are due.
    package init(
        _ input: BoundedQueue<TimelineFrame>, to sink: any FrameSink, firstSegment: Int, meter: ProgressMeter,
        state: RunState
    ) {
        self.input = input
        self.sink = sink
        self.firstSegment = firstSegment
        self.meter = meter
        self.state = state
    }

    /// Writes all that comes and completes the output, unless the run has failed.
    package func run() throws {
        var isDue = firstSegment == 0
        while let frame = input.pop() {
            if let point = frame.before.resetPoint, point >= firstSegment {
                isDue = true
                try sink.beginSegment(point)
            }
            // What was made only to bring the effects where they were.
            guard isDue else { continue }
            try sink.write(frame.frame)
            meter.countWritten()
        }
        guard state.failure == nil else { return }
        try sink.finish()
        state.succeed()
    }
}
