internal import DequeModule
internal import FrameCore
internal import Motion

/// The middle of a run of a ``NeighbourhoodEffect``: source frames in, as many output frames of the same times out. One
/// thread at a time.
///
/// Only the samples change, and with their number maybe the shape of a pixel and what has to be said about colour: times and
/// everything else that rides on a frame stay, captions and time codes too, since the picture is still the source's.
struct NeighbourhoodStage<Finder: TransitionFinder, Effect: NeighbourhoodEffect>: RunStage {
    private let emit: (Frame) throws -> Void
    private let onCut: (SceneCut) -> Void
    private let clock = ContinuousClock()
    private var effect: Effect
    private var finder: Finder
    private var window: NeighbourhoodWindow
    private var order: FrameOrder
    /// Frames that have not come out yet: when they arrived and which time they show.
    private var waiting = Deque<(arrival: ContinuousClock.Instant, time: MediaTime)>()
    private var framesOut = 0
    private var total = DurationHistogram()
    private var work = DurationHistogram()
    private var counts = ConversionReport()

    init(
        effect: Effect, finder: Finder, stream: VideoStreamDescription, onCut: @escaping (SceneCut) -> Void,
        emit: @escaping (Frame) throws -> Void
    ) {
        self.effect = effect
        self.finder = finder
        self.onCut = onCut
        self.emit = emit
        window = NeighbourhoodWindow(
            previous: effect.previousCount, next: effect.nextCount, needsUnbroken: effect.needsUnbrokenNeighbours)
        order = FrameOrder(stream)
    }

    var report: ConversionReport {
        var report = counts
        report.latency = FrameLatency(total: total.spread, work: work.spread)
        report.findings = effect.findings
        return report
    }

    mutating func append(_ frame: Frame, signature: Finder.Signature) throws {
        let arrival = clock.now
        try order.check(frame)
        counts.framesRead += 1
        waiting.append((arrival, frame.presentationTime))
        let settled = finder.append(signature)
        window.append(frame, settled: settled)
        note(settled)
        while let neighbourhood = window.nextNeighbourhood() { try process(neighbourhood) }
    }

    mutating func finish() throws {
        guard counts.framesRead > 0 else {
            throw FrameError(.input, "there is no video frame in the input that can be decoded")
        }
        let settled = finder.finish()
        window.finish(settled: settled)
        note(settled)
        while let neighbourhood = window.nextNeighbourhood() { try process(neighbourhood) }
    }

    private mutating func note(_ settled: [Transition]) {
        for transition in settled {
            switch transition.kind {
            case .cut:
                let position = transition.index - framesOut
                guard waiting.indices.contains(position) else { continue }
                let cut = SceneCut(frame: transition.index, time: waiting[position].time)
                counts.cuts.append(cut)
                onCut(cut)
            case .duplicate: counts.duplicates += 1
            case .continuous: break
            }
        }
    }

    private mutating func process(_ neighbourhood: Neighbourhood) throws {
        let frame = neighbourhood.current
        let start = clock.now
        let picture = try effect.process(neighbourhood)
        let end = clock.now
        let (width, height) =
            effect.outputSize.map { ($0.width, $0.height) } ?? (frame.buffer.width, frame.buffer.height)
        guard picture.format == frame.buffer.format, picture.width == width, picture.height == height else {
            throw FrameError(
                .invalidArgument,
                "a \(picture.width)x\(picture.height) \(picture.format) picture came back where a \(width)x\(height) \(frame.buffer.format) one was due"
            )
        }
        work.add(end - start)
        if let arrival = waiting.popFirst()?.arrival { total.add(end - arrival) }
        framesOut += 1
        if picture.hasSameSamples(as: frame.buffer) { counts.sourceFramesShown += 1 }
        var made = frame
        made.buffer = picture
        made.color = effect.color(frame.color)
        made.sampleAspectRatio = effect.sampleAspectRatio(frame.sampleAspectRatio)
        try emit(made)
    }
}
