internal import FrameCore

/// The threads of a run. On its way from the source to the sink, a frame passes through these files:
///
/// 1. ``read(_:_:_:to:counter:meter:)`` in this file takes the decoded frame from the `FrameSource` and computes the
///    signature used for cut detection (`Cuts/CutSearch.swift`). From here on it is a ``TimelineFrame``.
/// 2. `Queue/BoundedQueue.swift` passes it to the thread of the first effect, an ``EffectStage``.
/// 3. `Chain/SourceTimeline.swift` holds it until it is known whether there is a cut, a flash or a reset point before
///    it.
/// 4. `Chain/EffectWindow.swift` holds it until its neighbours have arrived, and returns an
///    `Effects/Neighbourhood.swift`.
/// 5. The effect's run, in `Passes/`, has its engine in `FrameEffects` make the result and writes it to the
///    `EffectOutput` of `Effects/ClipEffect.swift`. Back in the stage it is a ``TimelineFrame`` again.
/// 6. The next queue passes it to the next effect (from step 4), or to ``write(_:from:meter:)`` in this file, which
///    passes it to the `FrameSink` and its encoder.
extension ConversionPipeline {
    /// The number of frames that may wait between the reader and an effect, or between two effects.
    static let betweenStages = 1
    /// The number of frames that may wait for the sink.
    static let writeBehind = 1
    /// How long a cancelled or failed run waits for a blocked read, in seconds, before it leaves that thread to end on
    /// its own.
    private static let readerGrace = 1.0

    /// Runs all stages until they end; blocks the calling thread.
    func runStages() throws -> ConversionReport {
        let streams: [VideoStreamDescription], firstFrame: Int
        var chain = chain
        // The chain of a part samples it from its own first frame on.
        if let start, part == nil { chain = chain.sampled(from: start.firstTime) }
        var resumePoint = sink.resumePoint
        resumePoint.segment += part?.firstSegment ?? 0
        do {
            streams = try chain.streams(for: source.stream)
            firstFrame = try chain.firstFrame(forSegment: resumePoint.segment, of: source.stream)
        } catch {
            sink.cancel()
            throw error
        }
        let timeline = start.map { SourceTimeline(finder, at: $0) } ?? SourceTimeline(finder)
        guard let timeline else {
            sink.cancel()
            throw SourceMismatch()
        }
        let meter = ProgressMeter(
            expected: streams.last?.likelyFrameCount.map { $0 - resumePoint.framesWritten }, report: onEvent)
        // One queue for the frames that are read, and one for the output of each effect.
        let effects = chain.effects.indices
        let queues = (0...effects.count).map { index in
            BoundedQueue<TimelineFrame>(capacity: index < effects.count ? Self.betweenStages : Self.writeBehind)
        }
        let counters = queues.map { _ in LiveFrameCounter() }
        state.atFailure { [sink] in
            queues.forEach { $0.cancel() }
            sink.stop()
        }

        // A blocked read may outlive the run, so its thread holds neither the sink nor the effects.
        let frames = CheckedSource(
            source, from: start, checkpointLead: checkpoints == nil ? nil : chain.checkpointLead)
        let reader = begin("vfx-read", .reading) { [finder, state] in
            try Self.read(frames, finder, state, to: queues[0], counter: counters[0], meter: meter)
        }
        let reports = Lock<[Int: ConversionReport]>([:])
        let makers = effects.map { index in
            begin("vfx-make-\(index + 1)", .making) { [self, chain] in
                let stage = EffectStage(
                    chain.effects[index], stream: streams[index], timeline: index == 0 ? timeline : nil,
                    start: index == 0 ? start.map(StageStart.init) : nil,
                    checkpoints: index == 0 ? checkpoints.map { CheckpointRecorder($0, chain, start) } : nil,
                    counter: counters[index + 1], wantsMotion: chain.wantsMotion(after: index),
                    firstFrame: index == 0 ? firstFrame : 0, onCut: { [onEvent] in onEvent(.cut($0)) },
                    send: { if !queues[index + 1].push($0) { throw CancellationError() } })
                // A run that ends early has its report, too.
                defer { reports.withLock { $0[index] = stage.report } }
                if try stage.run(on: queues[index], state) {
                    state.addToLastFrame(stage.rest)
                    queues[index + 1].finish()
                }
            }
        }
        let latency = Lock(FrameLatency.Spread())
        let writer = begin("vfx-write", .writing) { [self, resumePoint] in
            let spread = try write(queues[effects.count], from: resumePoint.segment, meter: meter)
            latency.withLock { $0 = spread }
            // The sink may have had enough before the source has ended.
            queues.forEach { $0.cancel() }
        } atEnd: { [sink] in
            if $0 { sink.cancel() }
        }

        wait(for: reader, makers, writer)
        if let failure = state.failure { throw failure }
        let parts = effects.compactMap { index in reports.withLock { $0[index] } }
        guard state.hasSucceeded else { throw CancellationError() }
        meter.conclude()
        var report = ConversionReport(parts)
        (report.framesWritten, report.seconds) = (meter.framesWritten, meter.seconds)
        report.latency?.total = latency.withLock { $0 }
        report.damage = source.damage
        report.framePeaks = counters.map(\.peak)
        return report
    }

    /// Starts the thread of a stage; an error thrown by `body` becomes the run's failure.
    ///
    /// - Parameter atEnd: called when the stage ends, with whether the run has failed.
    private func begin(
        _ name: String, _ stage: PipelineStage, _ body: @escaping @Sendable () throws -> Void,
        atEnd: @escaping @Sendable (_ hasFailed: Bool) -> Void = { _ in }
    ) -> WorkerThread {
        let thread = WorkerThread(name: name) { [state] in
            do { try body() } catch { state.fail(error, in: stage) }
            atEnd(state.failure != nil)
        }
        if let error = thread.launchError {
            state.fail(error, in: stage)
            atEnd(true)
        }
        return thread
    }

    /// The first stage: reads until the source ends or the run has failed.
    ///
    /// - Parameter counter: counts the frames that are alive.
    package static func read(
        _ source: CheckedSource, _ finder: any TransitionFinder, _ state: RunState,
        to output: BoundedQueue<TimelineFrame>, counter: LiveFrameCounter, meter: ProgressMeter
    ) throws {
        while state.failure == nil, var frame = try source.next() {
            frame.token = counter.token()
            meter.countRead()
            frame.signature = finder.signature(of: frame.frame.buffer)
            guard output.push(frame) else { return }
        }
        output.finish()
    }

    /// The last stage: writes all frames that are due, tells the sink where segments begin, and completes the output
    /// unless the run has failed.
    ///
    /// - Parameter firstSegment: number of the reset point from which frames are due.
    /// - Returns: how long the frames took from the source into the output.
    @discardableResult
    package func write(
        _ input: BoundedQueue<TimelineFrame>, from firstSegment: Int, meter: ProgressMeter
    ) throws -> FrameLatency.Spread {
        var isDue = firstSegment == 0, isWhole = true
        var written = WrittenFrames()
        frames: while let frame = input.pop() {
            if let point = frame.before.resetPoint, point >= firstSegment {
                isDue = true
                try sink.beginSegment(point - (part?.firstSegment ?? 0))
            }
            // Earlier frames were made only to restore the state of the effects.
            guard isDue else { continue }
            switch part?.place(of: frame.frame) ?? .inside(frame.frame) {
            case .before: continue
            case .after:
                isWhole = false
                break frames
            case .inside(let shown):
                written.add(readAt: frame.reading)
                try sink.write(shown)
                written.reach(holding: sink.framesHeld)
            }
            meter.countWritten()
            isWhole = sink.wantsMore
            guard isWhole else { break }
        }
        guard state.failure == nil else { return written.latency }
        let rest = state.rest
        if isWhole, !rest.isEmpty { sink.addToLastFrame(rest) }
        try sink.finish()
        written.reach(holding: 0)
        state.succeed()
        return written.latency
    }

    /// Waits until all stages have ended, or until the run has failed and a stage hangs.
    ///
    /// After a failure, each effect ends within one call of its engine because its queues are cancelled; the reader and
    /// the writer may hang in a call that cannot be interrupted.
    private func wait(for reader: WorkerThread, _ makers: [WorkerThread], _ writer: WorkerThread) {
        makers.forEach { $0.join() }
        while state.failure == nil, !writer.join(forAtMost: 0.1) {}
        if state.failure != nil {
            if !writer.join(forAtMost: writerGrace) { sink.abandon() }
            _ = reader.join(forAtMost: Self.readerGrace)
        } else {
            reader.join()
        }
    }
}
