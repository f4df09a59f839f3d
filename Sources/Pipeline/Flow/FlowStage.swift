internal import FrameCore
internal import FrameEffects
internal import Motion

/// The middle of a run of ``FlowPipeline``: source frames in, the same frames with their motion out.
struct FlowStage<Finder: TransitionFinder>: RunStage {
    private let quality: QualityPrioritization
    private let threads: Int
    private let neighbour: FlowPipeline.Neighbour
    private let onCut: (SceneCut) -> Void
    private let emit: (FlowPipeline.Step) throws -> Void
    private let clock = ContinuousClock()
    private var finder: Finder
    private var window = FrameWindow()
    private var order: FrameOrder
    private var engine: OpticalFlowEngine?
    private var chain = MotionChain()
    /// Microseconds of each pair.
    private var times = StepHistogram()
    private var counts = FlowReport()

    init(
        finder: Finder, stream: VideoStreamDescription, quality: QualityPrioritization, threads: Int,
        neighbour: FlowPipeline.Neighbour, onCut: @escaping (SceneCut) -> Void,
        emit: @escaping (FlowPipeline.Step) throws -> Void
    ) {
        self.finder = finder
        self.quality = quality
        self.threads = threads
        self.neighbour = neighbour
        self.onCut = onCut
        self.emit = emit
        order = FrameOrder(stream)
    }

    var report: FlowReport {
        var report = counts
        report.medianMilliseconds = times.value(at: Rational(1, 2)).map { Double($0) / 1000 }
        report.slowMilliseconds = times.value(at: Rational(19, 20)).map { Double($0) / 1000 }
        return report
    }

    mutating func append(_ frame: Frame, signature: Finder.Signature) throws {
        try order.check(frame)
        counts.framesRead += 1
        window.append(frame, settled: finder.append(signature))
        while let pair = window.nextPair() { try work(pair) }
    }

    mutating func finish() throws {
        window.finish(settled: finder.finish())
        while let pair = window.nextPair() { try work(pair) }
        guard let last = window.lastFrame else {
            throw FrameError(.input, "there is no video frame in the input that can be decoded")
        }
        // The frame without a neighbour on its side: the last one, or the only one.
        if neighbour == .next || counts.framesRead == 1 { try emit(.init(frame: last, flow: nil)) }
    }

    private mutating func work(_ pair: FramePair) throws {
        if neighbour == .previous, pair.index == 0 { try emit(.init(frame: pair.source, flow: nil)) }
        let flow = try flow(pair)
        try emit(.init(frame: neighbour == .next ? pair.source : pair.next, flow: flow))
    }

    private mutating func flow(_ pair: FramePair) throws -> OpticalFlow? {
        guard pair.transition != .cut else {
            let cut = SceneCut(frame: pair.index + 1, time: pair.next.presentationTime)
            counts.cuts.append(cut)
            counts.pairsAcrossCuts += 1
            onCut(cut)
            return nil
        }
        let buffer = pair.source.buffer
        let engine =
            self.engine
            ?? OpticalFlowEngine(width: buffer.width, height: buffer.height, quality: quality, threads: threads)
        self.engine = engine
        let relation = chain.advance(toPair: pair.index, isFlash: pair.isFlash)
        let start = clock.now
        let flow = try engine.flow(from: buffer, to: pair.next.buffer, relation: relation)
        times.add(Int64((clock.now - start) / .microseconds(1)))
        counts.pairs += 1
        return flow
    }
}
