internal import FrameCore
internal import FrameEffects
internal import Motion

/// Where a stage takes its frames from.
protocol StageInput: AnyObject {
    /// Waits for a frame and returns it; nil if the input was cancelled, or is finished and empty.
    func pop() -> TimelineFrame?
}

extension BoundedQueue: StageInput where Element == TimelineFrame {}

/// Runs one effect of a chain: frames in, frames out. Used by one thread at a time.
///
/// The boundary before each input frame (cut, flash, reset point) is transferred to the frames that the effect makes of
/// it, so that later effects need not detect boundaries again.
final class EffectStage {
    private let effect: any ClipEffect
    private let declared: VideoStreamDescription
    private let counter: LiveFrameCounter
    private let wantsMotion: Bool
    private let firstFrame: Int
    private let onCut: (SceneCut) -> Void
    private let send: (TimelineFrame) throws -> Void
    private let clock = ContinuousClock()
    private var run: (any EffectRun)?
    /// For the first effect of a chain: determines the boundary before each source frame. Frames from an earlier effect
    /// already carry theirs.
    private var timeline: SourceTimeline?
    private var window: EffectWindow
    private let start: StageStart?
    private var checkpoints: CheckpointRecorder?
    /// The layout of the source's first frame.
    private var layout: (format: PixelFormat, width: Int, height: Int)?
    private var lastTime: MediaTime?
    /// The time between frames, used for the last frame if it has no duration.
    private var interval: MediaTime?
    /// The expected output, known once the first frame has arrived.
    private var expected: VideoStreamDescription?
    /// The boundary to attach to the next frame that is sent.
    private var pending = TimelineFrame.Boundary()
    /// The index of the input frame whose ``FramePlace/current`` output was sent last; nil if another frame was sent
    /// after it.
    private var latestCurrent: Int?
    private var sendingTime = Duration.zero
    private var total = DurationHistogram()
    private var work = DurationHistogram()
    private var framesIn = 0
    private var framesOut = 0
    /// What the effect has added to the last frame of the output.
    private(set) var rest = SideData()
    /// The number of sent frames whose samples are the source's.
    private var untouchedFrames = 0
    /// The cuts that the effect itself has found.
    private var cuts: [SceneCut] = []
    /// The number of source cuts reported so far.
    private var toldCuts = 0

    /// - Parameters:
    /// - stream: description of the effect's input, as declared before the first frame arrives.
    ///   - timeline: given for the first effect of a chain only.
    ///   - start: where the source is read from, for the first effect of a chain; nil for its beginning.
    ///   - checkpoints: takes checkpoints of the source, for the first effect of a chain; nil takes none.
    ///   - counter: counts the sent frames that are alive.
    ///   - wantsMotion: whether motion is sent along with frames.
    ///   - firstFrame: position of the first frame to process; earlier ones go to ``EffectRun/pass(_:)``.
    ///   - onCut: called with each cut as it is found.
    ///   - send: receives the output frames.
    init(
        _ effect: any ClipEffect, stream: VideoStreamDescription, timeline: SourceTimeline?,
        start: StageStart? = nil, checkpoints: CheckpointRecorder? = nil, counter: LiveFrameCounter,
        wantsMotion: Bool, firstFrame: Int, onCut: @escaping (SceneCut) -> Void,
        send: @escaping (TimelineFrame) throws -> Void
    ) {
        self.effect = effect
        declared = stream
        self.timeline = timeline
        self.counter = counter
        self.wantsMotion = wantsMotion
        self.firstFrame = firstFrame
        self.onCut = onCut
        self.send = send
        self.start = start
        self.checkpoints = checkpoints
        framesIn = start?.frame ?? 0
        toldCuts = timeline?.cuts.count ?? 0
        window = EffectWindow(effect.window, from: start?.frame ?? 0)
        if let rate = stream.nominalFrameRate, rate.isPositive {
            interval = MediaTime(value: Int64(rate.denominator), timescale: rate.numerator)
        }
    }

    /// Processes all frames until the input ends.
    ///
    /// - Returns: whether all of the input was processed; false if the run has failed.
    /// - Throws: any error of the effect; `FrameError` if a frame differs in layout from the first one, is not later
    ///   than the frame before it, or if the source has no frames.
    func run(on input: some StageInput, _ state: RunState) throws -> Bool {
        while let frame = input.pop() {
            try receive(frame)
            try processAll()
        }
        guard state.failure == nil else { return false }
        if timeline?.framesRead == 0 {
            throw FrameError(.input, "there is no video frame in the input that can be decoded")
        }
        enter(timeline?.finish() ?? [])
        try processAll()
        guard state.failure == nil else { return false }
        window.finish()
        try processAll()
        return true
    }

    /// The effect's share of the run's report so far.
    var report: ConversionReport {
        var effect = run?.report ?? EffectReport()
        effect.name = self.effect.name
        effect.framesIn = framesIn
        effect.framesOut = framesOut
        effect.latency = FrameLatency(total: total.spread, work: work.spread)
        var report = ConversionReport()
        report.effects = [effect]
        report.framesRead = timeline?.framesRead ?? 0
        report.duplicates = timeline?.duplicates ?? 0
        report.cuts = (timeline?.cuts ?? []) + cuts
        report.sourceFramesShown = untouchedFrames + effect.sourceMomentsShown
        return report
    }

    /// Checks a frame on arrival. The layout is checked only for source frames; an effect's output is checked as it is
    /// made.
    private func check(_ frame: Frame) throws {
        if timeline != nil {
            let buffer = frame.buffer, first = layout ?? (buffer.format, buffer.width, buffer.height)
            layout = first
            guard first.format == buffer.format, first.width == buffer.width, first.height == buffer.height else {
                throw FrameError(
                    .input,
                    "the frame format changes from \(first.width)x\(first.height) \(first.format) to \(buffer.width)x\(buffer.height) \(buffer.format); one size and pixel format is needed throughout",
                    at: .init(time: frame.presentationTime))
            }
        }
        if let lastTime {
            guard frame.presentationTime > lastTime else {
                throw FrameError(
                    .input, "a frame at \(frame.presentationTime) s follows one at \(lastTime) s; times must increase")
            }
            if frame.duration == nil { interval = frame.presentationTime - lastTime }
        }
        lastTime = frame.presentationTime
    }

    private func receive(_ frame: TimelineFrame) throws {
        try check(frame.frame)
        if let timeline { checkpoints?.append(frame, timeline) }
        enter(timeline?.append(frame) ?? [frame])
    }

    private func enter(_ frames: [TimelineFrame]) {
        for cut in timeline?.cuts.dropFirst(toldCuts) ?? [] {
            onCut(cut)
            toldCuts += 1
        }
        for frame in frames {
            framesIn += 1
            window.append(frame)
        }
    }

    /// Processes the frames whose neighbours are known.
    private func processAll() throws {
        while true {
            guard let (neighbourhood, frame) = window.next(interval: interval) else { return }
            var run = try self.run ?? begin(with: frame.frame)
            if neighbourhood.index < firstFrame {
                run.pass(neighbourhood)
            } else {
                try process(neighbourhood, frame, &run)
            }
            self.run = run
        }
    }

    private func begin(with frame: Frame) throws -> any EffectRun {
        var source = declared
        (source.format, source.width, source.height) = (frame.buffer.format, frame.buffer.width, frame.buffer.height)
        expected = try effect.outputStream(for: source)
        var run = try effect.makeRun(for: source)
        if let start { run.skip(frames: start.frame, from: start.firstTime, to: start.time) }
        return run
    }

    private func process(_ neighbourhood: Neighbourhood, _ frame: TimelineFrame, _ run: inout any EffectRun) throws {
        pending.join(frame.before)
        sendingTime = .zero
        let start = clock.now, made = framesOut
        try run.process(
            neighbourhood,
            to: EffectOutput(
                wantsMotion: wantsMotion, { [self] in try take($0, $1, $2, $3, of: neighbourhood, frame) },
                cut: { [self] in noteCut(neighbourhood) }, rest: { [self] in rest.entries += $0.entries }))
        let end = clock.now
        if framesOut == made, effect is RepeatsPass { pending.followsGap = true }
        work.add(end - start - sendingTime)
        total.add(end - frame.arrival - sendingTime)
    }

    private func noteCut(_ neighbourhood: Neighbourhood) {
        let cut = SceneCut(frame: neighbourhood.index, time: neighbourhood.current.presentationTime)
        cuts.append(cut)
        onCut(cut)
        pending.isCut = true
    }

    private func take(
        _ made: Frame, _ place: FramePlace, _ motion: OpticalFlow?, _ hold: EffectOutput.Hold,
        of neighbourhood: Neighbourhood, _ source: TimelineFrame
    ) throws {
        try requireExpected(made.buffer)
        var boundary = takeBoundary(of: place, neighbourhood, source)
        if case .until(let time) = hold { boundary.heldUntil = time }
        let isSource = place == .current && made.buffer.hasSameSamples(as: neighbourhood.current.buffer)
        var frame = TimelineFrame(
            frame: made, before: boundary, isUntouched: isSource && source.isUntouched, arrival: clock.now)
        frame.token = counter.token()
        frame.reading = source.reading
        (frame.sourceTime, frame.sourceNumber) = (source.sourceTime, source.sourceNumber)
        // Motion found earlier remains valid where frames pass through one by one.
        let passesThrough = effect.keepsMotion && place == .current && latestCurrent == neighbourhood.index - 1
        frame.motion =
            motion
            ?? (wantsMotion && passesThrough
                ? source.motion?.scaled(width: made.buffer.width, height: made.buffer.height) : nil)
        latestCurrent = place == .current ? neighbourhood.index : nil
        framesOut += 1
        if frame.isUntouched { untouchedFrames += 1 }
        let start = clock.now
        try send(frame)
        sendingTime += clock.now - start
    }

    private func requireExpected(_ picture: PixelBuffer) throws(FrameError) {
        guard let expected else { return }
        guard picture.format == expected.format, picture.width == expected.width, picture.height == expected.height
        else {
            throw FrameError(
                .invalidArgument,
                "the effect made a \(picture.width)x\(picture.height) \(picture.format) frame; \(expected.width)x\(expected.height) \(expected.format) was expected"
            )
        }
    }

    /// Returns the boundary before a frame that the effect has made at `place`.
    private func takeBoundary(
        of place: FramePlace, _ neighbourhood: Neighbourhood, _ source: TimelineFrame
    ) -> TimelineFrame.Boundary {
        var boundary = TimelineFrame.Boundary()
        if place != .beforeCurrent { swap(&boundary, &pending) }
        switch place {
        case .acrossCut:
            boundary.isCut = true
            pending.isCut = true
        case .afterCurrent: boundary.isOfMixedLight = neighbourhood.flashFollows
        case .current: boundary.isOfMixedLight = source.before.isOfMixedLight
        case .beforeCurrent: break
        }
        return boundary
    }
}
