internal import FrameCore

extension EffectStage {
    /// Works through what an earlier effect makes.
    ///
    /// - Returns: what was done; nil when the run has failed.
    /// - Throws: what the effect fails of, and when a frame is not like those before or does not come after them.
    func run(on input: BoundedQueue<TimelineFrame>, _ state: RunState) throws -> ConversionReport? {
        while let frame = input.pop() {
            try check(frame.frame)
            try append(frame)
        }
        guard state.failure == nil else { return nil }
        try finish()
        return conversionReport
    }

    /// Works through what was read; looks for cuts and hands frames on once all is known about them.
    ///
    /// - Returns: what was done; nil when the run has failed.
    /// - Throws: as for frames of an earlier effect, and when there are none at all.
    func run<Finder: TransitionFinder>(
        on input: BoundedQueue<RunQueues<Finder.Signature>.ReadFrame>, _ finder: Finder, _ state: RunState,
        _ onEvent: (PipelineEvent) -> Void
    ) throws -> ConversionReport? {
        var finder = finder, timeline = SourceTimeline(), told = 0
        func send(_ frames: [TimelineFrame]) throws {
            while told < timeline.cuts.count {
                onEvent(.cut(timeline.cuts[told]))
                told += 1
            }
            for frame in frames { try append(frame) }
        }
        while let (frame, signature) = input.pop() {
            try check(frame.frame)
            try send(timeline.append(frame, settled: finder.append(signature)))
        }
        guard state.failure == nil else { return nil }
        guard timeline.framesRead > 0 else {
            throw FrameError(.input, "there is no video frame in the input that can be decoded")
        }
        try send(timeline.finish(settled: finder.finish()))
        guard state.failure == nil else { return nil }
        try finish()
        var report = conversionReport
        report.framesRead = timeline.framesRead
        report.cuts = timeline.cuts + report.cuts
        report.duplicates = timeline.duplicates
        return report
    }

    /// What the effect did, as a part of the run's report.
    private var conversionReport: ConversionReport {
        var report = ConversionReport()
        report.add(self)
        return report
    }
}
