internal import FrameCore
internal import FrameEffects

/// The middle of a run: source frames in, output frames out. One thread at a time.
///
/// Source frames are handed on as they are, the same samples without a copy. The engine's state runs on from pair to
/// pair as ``MotionChain`` says, so it depends on the source's timeline alone.
struct ConversionStage<Finder: TransitionFinder>: RunStage {
    /// Pictures asked of the engine at once, which bounds the memory of a pair with many phases.
    static var picturesPerCall: Int { 16 }

    private let options: ConversionOptions
    private let emit: (Frame) throws -> Void
    private let onCut: (SceneCut) -> Void
    private var plan: any TimingPlan
    private var finder: Finder
    private var window = FrameWindow()
    private var engine: FrameRateConversionEngine?
    private var blendPool: PixelBufferPool?
    private var chain = MotionChain()
    private var order: FrameOrder
    private(set) var report = ConversionReport()

    init(
        plan: any TimingPlan, finder: Finder, stream: VideoStreamDescription, options: ConversionOptions,
        onCut: @escaping (SceneCut) -> Void, emit: @escaping (Frame) throws -> Void
    ) {
        self.plan = plan
        self.finder = finder
        self.options = options
        self.onCut = onCut
        self.emit = emit
        order = FrameOrder(stream)
    }

    mutating func append(_ frame: Frame, signature: Finder.Signature) throws {
        try order.check(frame)
        report.framesRead += 1
        window.append(frame, settled: finder.append(signature))
        while let pair = window.nextPair() { try convert(pair) }
    }

    mutating func finish() throws {
        window.finish(settled: finder.finish())
        while let pair = window.nextPair() { try convert(pair) }
        guard let last = window.lastFrame else {
            throw FrameError(.input, "there is no video frame in the input that can be decoded")
        }
        let planned = plan.closingFrames(last: last.presentationTime, end: end(of: last))
        for frame in planned { try emitSource(last, as: frame) }
    }

    /// When a clip that ends with `frame` ends: by its own duration, else by the interval before it, else by the nominal rate.
    private func end(of frame: Frame) -> MediaTime? {
        if let duration = frame.duration, duration > .zero { return frame.presentationTime + duration }
        return order.nominalInterval.map { frame.presentationTime + $0 }
    }

    private mutating func convert(_ pair: FramePair) throws {
        switch pair.transition {
        case .cut:
            let cut = SceneCut(frame: pair.index + 1, time: pair.next.presentationTime)
            report.cuts.append(cut)
            onCut(cut)
        case .duplicate: report.duplicates += 1
        case .continuous: break
        }
        let planned = plan.frames(
            from: pair.source.presentationTime, to: pair.next.presentationTime,
            end: pair.isLast ? end(of: pair.next) : nil)
        var waiting: [(phase: Float, frame: PlannedFrame)] = []
        for frame in planned {
            switch frame.content {
            case .source: try emitSource(pair.source, as: frame)
            case .between(let phase):
                waiting.append((phase, frame))
                if waiting.count == Self.picturesPerCall { try make(&waiting, pair) }
            }
        }
        try make(&waiting, pair)
    }

    private mutating func emitSource(_ source: Frame, as planned: PlannedFrame) throws {
        report.sourceFramesShown += 1
        try emit(source.replacing(buffer: source.buffer, presentationTime: planned.time, duration: planned.duration))
    }

    private mutating func make(_ waiting: inout [(phase: Float, frame: PlannedFrame)], _ pair: FramePair) throws {
        defer { waiting.removeAll(keepingCapacity: true) }
        guard !waiting.isEmpty else { return }
        let pictures =
            try pair.transition == .cut ? fill(waiting.map(\.phase), pair) : interpolate(waiting.map(\.phase), pair)
        for (picture, (_, frame)) in zip(pictures, waiting) {
            var made = pair.source.replacing(buffer: picture, presentationTime: frame.time, duration: frame.duration)
            made.sideData = made.sideData.forMadeFrames
            try emit(made)
        }
    }

    /// What is shown across a cut.
    private mutating func fill(_ phases: [Float], _ pair: FramePair) throws -> [PixelBuffer] {
        let buffer = pair.source.buffer
        switch options.atCut {
        case .hold:
            report.heldAtCut += phases.count
            return phases.map { _ in buffer }
        case .blend:
            report.blendedOverCut += phases.count
            let pool =
                try blendPool ?? PixelBufferPool(format: buffer.format, width: buffer.width, height: buffer.height)
            blendPool = pool
            return try phases.map { try crossFade(from: buffer, to: pair.next.buffer, phase: $0, pool: pool) }
        }
    }

    private mutating func interpolate(_ phases: [Float], _ pair: FramePair) throws -> [PixelBuffer] {
        let buffer = pair.source.buffer
        let engine =
            try self.engine
            ?? FrameRateConversionEngine(
                format: buffer.format, width: buffer.width, height: buffer.height, quality: options.quality,
                threads: options.threads)
        self.engine = engine
        let relation = chain.advance(toPair: pair.index, isFlash: pair.isFlash)
        let outcome = try engine.interpolate(from: buffer, to: pair.next.buffer, phases: phases, relation: relation)
        guard outcome.pictures.count == phases.count else {
            throw FrameError(
                .invalidArgument, "\(outcome.pictures.count) pictures came back for \(phases.count) phases")
        }
        report.fallbacks += outcome.fallbacks
        return outcome.pictures
    }
}
