internal import FrameCore

/// The threads of a run. A frame passes these files on its way from the source to the sink:
///
/// 1. ``read(to:counter:meter:)``, here, takes it from the `FrameSource`, whose decoder has made it, and reduces it to what
///    cuts are found by (`Chain/CutSearch.swift`). From here on it is a ``TimelineFrame``.
/// 2. `Queue/BoundedQueue.swift` hands it to the thread of the first effect, a ``EffectStage``.
/// 3. `Chain/SourceTimeline.swift` holds it until it is known whether a cut, a flash or a reset point lies before it.
/// 4. `Chain/EffectWindow.swift` holds it until its neighbours are there, as an `Effects/Neighbourhood.swift`.
/// 5. The effect's run, one of `Passes/`, has its engine in `FrameEffects` make a picture of it, and writes that to the
///    `EffectOutput` of `Effects/ClipEffect.swift`: back in the stage it is a ``TimelineFrame`` again.
/// 6. The next queue takes it to the next effect (from 4 on), or to ``write(_:from:meter:)``, here, and so to the
///    `FrameSink`, whose encoder has the last word.
extension ConversionPipeline {
    /// Frames waiting between the reader and an effect, or between two effects.
    static let betweenStages = 2
    /// Frames waiting for the sink.
    static let writeBehind = 4
    /// Seconds that a cancelled or failed run waits for a blocked read, then leaves the thread to end by itself.
    private static let readerGrace = 1.0

    /// Runs all stages to their end; blocks the calling thread.
    func runStages() throws -> ConversionReport {
        let streams: [VideoStreamDescription], firstFrame: Int, resumePoint = sink.resumePoint
        do {
            streams = try chain.streams(for: source.stream)
            firstFrame = try chain.firstFrame(forSegment: resumePoint.segment, of: source.stream)
        } catch {
            sink.cancel()
            throw error
        }
        let meter = ProgressMeter(
            expected: streams.last?.likelyFrameCount.map { $0 - resumePoint.framesWritten }, report: onEvent)
        // What the reader gives, then what each effect makes.
        let effects = chain.effects.indices
        let queues = (0...effects.count).map { index in
            BoundedQueue<TimelineFrame>(capacity: index < effects.count ? Self.betweenStages : Self.writeBehind)
        }
        let counters = queues.map { _ in LiveFrameCounter() }
        state.atFailure { [sink] in
            queues.forEach { $0.cancel() }
            sink.stop()
        }

        let reader = start("vfx-read", .reading) { [self] in
            try read(to: queues[0], counter: counters[0], meter: meter)
        }
        let reports = Lock<[Int: ConversionReport]>([:])
        let makers = effects.map { index in
            start("vfx-make-\(index + 1)", .making) { [self] in
                let stage = EffectStage(
                    chain.effects[index], stream: streams[index], timeline: index == 0 ? SourceTimeline(finder) : nil,
                    counter: counters[index + 1], wantsMotion: chain.wantsMotion(after: index),
                    firstFrame: index == 0 ? firstFrame : 0, onCut: { [onEvent] in onEvent(.cut($0)) },
                    send: { if !queues[index + 1].push($0) { throw CancellationError() } })
                guard let report = try stage.run(on: queues[index], state) else { return }
                reports.withLock { $0[index] = report }
                queues[index + 1].finish()
            }
        }
        let writer = start("vfx-write", .writing) { [self] in
            try write(queues[effects.count], from: resumePoint.segment, meter: meter)
        } atEnd: { [sink] in
            if $0 { sink.cancel() }
        }

        wait(for: reader, makers, writer)
        if let failure = state.failure { throw failure }
        let parts = effects.compactMap { index in reports.withLock { $0[index] } }
        guard parts.count == effects.count else { throw CancellationError() }
        meter.conclude()
        var report = ConversionReport(parts)
        (report.framesWritten, report.seconds) = (meter.framesWritten, meter.seconds)
        report.damage = source.damage
        report.framePeaks = counters.map(\.peak)
        return report
    }

    /// Starts the thread of a stage; an error that comes out of `body` becomes the run's failure.
    ///
    /// - Parameter atEnd: called at the stage's end with whether the run has failed.
    private func start(
        _ name: String, _ stage: PipelineStage, _ body: @escaping @Sendable () throws -> Void,
        atEnd: @escaping @Sendable (_ hasFailed: Bool) -> Void = { _ in }
    ) -> WorkerThread {
        WorkerThread(name: name) { [state] in
            do { try body() } catch { state.fail(error, in: stage) }
            atEnd(state.failure != nil)
        }
    }

    /// The first stage: reads to the source's end, or until the run has failed.
    ///
    /// - Parameter counter: counts the frames that are alive.
    package func read(to output: BoundedQueue<TimelineFrame>, counter: LiveFrameCounter, meter: ProgressMeter) throws {
        while state.failure == nil, let next = try source.nextFrame() {
            var frame = TimelineFrame(frame: next)
            frame.token = counter.token()
            meter.countRead()
            frame.signature = finder.signature(of: next.buffer)
            guard output.push(frame) else { return }
        }
        output.finish()
    }

    /// The last stage: writes all that is due, says where segments begin, and completes the output unless the run has
    /// failed.
    ///
    /// - Parameter firstSegment: number of the reset point from which on frames are due.
    package func write(
        _ input: BoundedQueue<TimelineFrame>, from firstSegment: Int, meter: ProgressMeter
    ) throws {
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

    /// Waits until all stages have ended, or have failed and hang.
    ///
    /// Once anything has failed the makers end within one call of their engines, since their queues are closed; the
    /// reader and the writer may hang in a call that cannot be interrupted.
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
