public import FrameCore
internal import FrameEffects

/// Frames shown at the times of a plan: source frames as they are, the same samples without a copy, and those between
/// them made.
public struct InterpolationPass: ClipEffect {
    /// Pictures asked of the engine at once, which bounds the memory of a pair with many phases.
    static let picturesPerCall = 16

    /// Which frames are wanted, and when.
    public let plan: any TimingPlan
    /// How they are made.
    public let options: ConversionOptions

    /// Frames wanted by `plan`, made as `options` say.
    public init(plan: any TimingPlan, options: ConversionOptions) {
        self.plan = plan
        self.options = options
    }

    /// By the kind of plan.
    public var name: String { plan is SlowMotionPlan ? "slomo" : "rate" }
    /// The frame that follows.
    public var window: TemporalWindow { TemporalWindow(seesFollowing: true) }
    /// As many as there are phases, 16 at most.
    public var picturesAtOnce: Int { min(Self.picturesPerCall, (plan as? SlowMotionPlan)?.phases.count ?? .max) }
    /// The plan's.
    public func outputStream(for source: VideoStreamDescription) -> VideoStreamDescription {
        plan.outputStream(for: source)
    }
    /// Begins a clip.
    public func makeRun(for source: VideoStreamDescription) -> any EffectRun { InterpolationRun(plan, options) }
}

/// The engine's state runs on from pair to pair as ``MotionChain`` says, so it depends on the source's timeline alone.
private struct InterpolationRun: EffectRun {
    private let options: ConversionOptions
    private var plan: any TimingPlan
    private var engine: FrameRateConversionEngine?
    private var blendPool: PixelBufferPool?
    private var chain = MotionChain()
    private(set) var report = EffectReport()

    init(_ plan: any TimingPlan, _ options: ConversionOptions) {
        self.plan = plan
        self.options = options
        report.fallbacks = FallbackCounts()
    }

    mutating func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
        let source = neighbourhood.current
        guard let following = neighbourhood.following else {
            let planned = plan.closingFrames(last: source.presentationTime, end: neighbourhood.end)
            for frame in planned { try show(source, as: frame, output) }
            return
        }
        let planned = plan.frames(
            from: source.presentationTime, to: following.frame.presentationTime, end: neighbourhood.end)
        var waiting: [(phase: Float, frame: PlannedFrame)] = []
        for frame in planned {
            switch frame.content {
            case .source: try show(source, as: frame, output)
            case .between(let phase):
                waiting.append((phase, frame))
                if waiting.count == InterpolationPass.picturesPerCall {
                    try make(&waiting, neighbourhood, following, output)
                }
            }
        }
        try make(&waiting, neighbourhood, following, output)
    }

    private func show(_ source: Frame, as planned: PlannedFrame, _ output: EffectOutput) throws {
        try output.write(
            source.replacing(buffer: source.buffer, presentationTime: planned.time, duration: planned.duration))
    }

    private mutating func make(
        _ waiting: inout [(phase: Float, frame: PlannedFrame)], _ neighbourhood: Neighbourhood,
        _ following: Neighbourhood.Following, _ output: EffectOutput
    ) throws {
        defer { waiting.removeAll(keepingCapacity: true) }
        guard !waiting.isEmpty else { return }
        let source = neighbourhood.current
        let phases = waiting.map(\.phase)
        let pictures =
            try following.isCut
            ? fill(phases, source.buffer, following.frame.buffer) : interpolate(phases, neighbourhood, following)
        let isMixed = following.isCut && options.atCut == .blend
        for (picture, (_, frame)) in zip(pictures, waiting) {
            var made = source.replacing(buffer: picture, presentationTime: frame.time, duration: frame.duration)
            made.sideData = made.sideData.forMadeFrames
            try output.write(made, isMixed ? .acrossCut : .afterCurrent)
        }
    }

    /// What is shown across a cut.
    private mutating func fill(_ phases: [Float], _ buffer: PixelBuffer, _ next: PixelBuffer) throws -> [PixelBuffer] {
        switch options.atCut {
        case .hold:
            report.heldAtCut += phases.count
            return phases.map { _ in buffer }
        case .blend:
            report.blendedOverCut += phases.count
            let pool =
                try blendPool ?? PixelBufferPool(format: buffer.format, width: buffer.width, height: buffer.height)
            blendPool = pool
            return try phases.map { try crossFade(from: buffer, to: next, phase: $0, pool: pool) }
        }
    }

    private mutating func interpolate(
        _ phases: [Float], _ neighbourhood: Neighbourhood, _ following: Neighbourhood.Following
    ) throws -> [PixelBuffer] {
        let buffer = neighbourhood.current.buffer
        let engine =
            try self.engine
            ?? FrameRateConversionEngine(
                format: buffer.format, width: buffer.width, height: buffer.height, quality: options.quality,
                threads: options.threads)
        self.engine = engine
        let relation = chain.advance(
            toPair: neighbourhood.index, isFlash: following.isFlash, restarts: neighbourhood.restarts)
        let outcome = try engine.interpolate(
            from: buffer, to: following.frame.buffer, phases: phases, relation: relation)
        guard outcome.pictures.count == phases.count else {
            throw FrameError(
                .invalidArgument, "\(outcome.pictures.count) pictures came back for \(phases.count) phases")
        }
        report.fallbacks? += outcome.fallbacks
        return outcome.pictures
    }
}
