internal import FrameCore
internal import FrameEffects
internal import Motion

/// One effect of a chain at work: frames in, frames out. One thread at a time.
///
/// What lies before a frame is handed on to what the effect makes of it, so that effects further along need not look for
/// cuts, flashes and reset points again.
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
    /// What is to come out, known with the first frame.
    private var expected: VideoStreamDescription?
    private var window: EffectWindow
    private var order: FrameOrder
    /// What lies before the next frame that is sent.
    private var pending = FrameBoundary()
    /// Position of the frame that was handed on last for what it is, as the last one; nil where another came between.
    private var latestCurrent: Int?
    private var sendingTime = Duration.zero
    private var total = DurationHistogram()
    private var work = DurationHistogram()
    private var framesIn = 0
    private var framesOut = 0
    /// Frames sent whose samples are the source's.
    private(set) var untouchedFrames = 0
    /// Cuts that the effect found itself.
    private(set) var cuts: [SceneCut] = []

    /// - Parameters:
    ///   - source: what the effect is given, as far as it was declared.
    ///   - counter: counts what is sent.
    ///   - wantsMotion: whether motion is to be sent along.
    ///   - firstFrame: position of the frame from which on anything is made; those before are only looked at.
    ///   - onCut: told of cuts that the effect finds itself.
    ///   - send: takes what is made.
    init(
        _ effect: any ClipEffect, source: VideoStreamDescription, counter: LiveFrameCounter, wantsMotion: Bool,
        firstFrame: Int = 0, onCut: @escaping (SceneCut) -> Void, send: @escaping (TimelineFrame) throws -> Void
    ) {
        self.effect = effect
        declared = source
        self.counter = counter
        self.wantsMotion = wantsMotion
        self.firstFrame = firstFrame
        self.onCut = onCut
        self.send = send
        window = EffectWindow(effect.window)
        order = FrameOrder(source)
    }

    var report: EffectReport {
        var report = run?.report ?? EffectReport()
        report.name = effect.name
        report.framesIn = framesIn
        report.framesOut = framesOut
        report.latency = FrameLatency(total: total.spread, work: work.spread)
        return report
    }

    /// Checks a frame on its arrival; once for each, before it is appended.
    /// - Throws: `FrameError` when it is not like the frames before, or does not come after them.
    func check(_ frame: Frame) throws { try order.check(frame) }

    func append(_ frame: TimelineFrame) throws {
        framesIn += 1
        window.append(frame)
        try processAll()
    }

    /// Says that no frame follows.
    func finish() throws {
        window.finish()
        try processAll()
    }

    private func processAll() throws {
        while let (neighbourhood, frame, last) = window.nextEntry() {
            var neighbourhood = neighbourhood
            neighbourhood.end = last.flatMap(end(of:))
            if neighbourhood.index < firstFrame {
                run = try run ?? begin(with: neighbourhood.current)
                run?.pass(neighbourhood)
            } else {
                try process(neighbourhood, frame)
            }
        }
    }

    /// When a clip that ends with `frame` ends: by its own duration, else by the interval before it, else by the nominal rate.
    private func end(of frame: Frame) -> MediaTime? {
        if let duration = frame.duration, duration > .zero { return frame.presentationTime + duration }
        return order.nominalInterval.map { frame.presentationTime + $0 }
    }

    private func process(_ neighbourhood: Neighbourhood, _ frame: TimelineFrame) throws {
        var run = try self.run ?? begin(with: neighbourhood.current)
        pending.join(frame.before)
        sendingTime = .zero
        let start = clock.now
        try run.process(
            neighbourhood,
            to: EffectOutput(
                wantsMotion: wantsMotion, { [self] in try take($0, $1, $2, of: neighbourhood, frame) },
                cut: { [self] in noteCut(neighbourhood) }))
        self.run = run
        let end = clock.now
        work.add(end - start - sendingTime)
        total.add(end - frame.arrival - sendingTime)
    }

    private func begin(with frame: Frame) throws -> any EffectRun {
        var source = declared
        (source.format, source.width, source.height) = (frame.buffer.format, frame.buffer.width, frame.buffer.height)
        expected = try effect.outputStream(for: source)
        let run = try effect.makeRun(for: source)
        self.run = run
        return run
    }

    private func noteCut(_ neighbourhood: Neighbourhood) {
        let cut = SceneCut(frame: neighbourhood.index, time: neighbourhood.current.presentationTime)
        cuts.append(cut)
        onCut(cut)
        pending.isCut = true
    }

    private func take(
        _ made: Frame, _ place: FramePlace, _ motion: OpticalFlow?, of neighbourhood: Neighbourhood,
        _ source: TimelineFrame
    ) throws {
        try requireExpected(made.buffer)
        let boundary = takeBoundary(of: place, neighbourhood, source)
        let isSource = place == .current && made.buffer.hasSameSamples(as: neighbourhood.current.buffer)
        var frame = TimelineFrame(
            frame: made, before: boundary, isUntouched: isSource && source.isUntouched, arrival: clock.now)
        frame.token = counter.token()
        // What was found earlier stays true where frames go through one by one.
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
                "a \(picture.width)x\(picture.height) \(picture.format) picture came back where a \(expected.width)x\(expected.height) \(expected.format) one was due"
            )
        }
    }

    /// What lies before a frame that the effect has made at `place`.
    private func takeBoundary(
        of place: FramePlace, _ neighbourhood: Neighbourhood, _ source: TimelineFrame
    ) -> FrameBoundary {
        var boundary = FrameBoundary()
        if place != .beforeCurrent { swap(&boundary, &pending) }
        switch place {
        case .acrossCut:
            boundary.isCut = true
            pending.isCut = true
        case .afterCurrent: boundary.isOfMixedLight = neighbourhood.following?.isFlash == true
        case .current: boundary.isOfMixedLight = source.before.isOfMixedLight
        case .beforeCurrent: break
        }
        return boundary
    }
}
