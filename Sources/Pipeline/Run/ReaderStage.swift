package import FrameCore

/// The first stage of a run: reads frames and reduces each to what cuts are found by.
package struct ReaderStage<Finder: TransitionFinder>: Sendable {
    private let source: any FrameSource
    private let finder: Finder
    private let output: BoundedQueue<RunQueues<Finder.Signature>.ReadFrame>
    private let counter: LiveFrameCounter
    private let meter: ProgressMeter
    private let state: RunState

    /// - Parameter counter: counts the frames that are alive.
    package init(
        _ source: any FrameSource, _ finder: Finder, to output: BoundedQueue<RunQueues<Finder.Signature>.ReadFrame>,
        counter: LiveFrameCounter, meter: ProgressMeter, state: RunState
    ) {
        self.source = source
        self.finder = finder
        self.output = output
        self.counter = counter
        self.meter = meter
        self.state = state
    }

    /// Reads to the source's end, or until the run has failed.
    package func run() throws {
        while state.failure == nil, let next = try source.nextFrame() {
            var frame = TimelineFrame(frame: next)
            frame.token = counter.token()
            meter.countRead()
            guard output.push((frame, finder.signature(of: next.buffer))) else { return }
        }
        output.finish()
    }
}
