public import FrameCore
import FrameEffects

/// Low-latency frame interpolation: the frames between the latest two source frames are made when the later one
/// arrives.
///
/// The effect detects cuts itself, so use it in a ``ConversionPipeline`` that detects none (``CutSearch/none``).
public struct LowLatencyFrameInterpolationPass: KeepingEffect {
    /// The allowed depths.
    package static let depthRange = LowLatencyFrameInterpolationConfiguration.supportedDepths

    fileprivate let depth: Int
    fileprivate let scale: Int
    package let options: ConversionOptions
    package var masks: FrameMasks?

    /// - Parameters:
    ///   - depth: 1 to 4; depth n makes 2ⁿ−1 frames between each two source frames.
    ///   - scale: 1, or 2 to double width and height.
    ///   - options: threads and kernels, and what is shown across cuts.
    /// - Throws: `FrameError` if the depth or the scale is not allowed.
    public init(depth: Int, scale: Int = 1, options: ConversionOptions) throws(FrameError) {
        guard Self.depthRange.contains(depth) else {
            throw FrameError(
                .invalidArgument,
                "depth \(depth) is not allowed; it is a whole number from \(Self.depthRange.lowerBound) to \(Self.depthRange.upperBound)"
            )
        }
        guard LowLatencyFrameInterpolationConfiguration.supportedSpatialScaleFactors.contains(scale) else {
            throw FrameError(.invalidArgument, "scale \(scale) is not allowed; it is 1 or 2")
        }
        self.depth = depth
        self.scale = scale
        self.options = options
    }

    /// The number of frames shown from one source frame up to, but not including, the next.
    fileprivate var framesPerPair: Int { 1 << depth }

    /// Returns the scaling of the frames; nil if they keep their size.
    /// - Throws: ``FrameProcessorError`` if frames cannot be enlarged.
    fileprivate func geometry(width: Int, height: Int) throws(FrameProcessorError) -> UpscalingGeometry? {
        guard scale > 1 else { return nil }
        return try UpscalingGeometry(
            source: FrameDimensions(width: width, height: height), factor: Rational(Int32(scale), 1))
    }

    /// `smooth`.
    public var name: String { "smooth" }
    /// The name, the depth, the scale and what is shown across cuts and in long holds.
    public var summary: String {
        "\(name) depth \(depth) scale \(scale) \(options.atCut.rawValue) at cuts, \(options.longHolds.rawValue) in long holds"
            + options.kept.summary
    }
    /// None: the effect finds them itself.
    public var cuts: CutSearch? { CutSearch.none }
    /// A multiple of the frame rate.
    public var timing: (any TimingPlan)? { plan }
    fileprivate var plan: RateMultiplicationPlan { RateMultiplicationPlan(framesPerFrame: framesPerPair) }
    /// No neighbours: each frame is processed as it arrives.
    public var window: TemporalWindow { .immediate }
    /// The number of frames shown per source frame.
    public var picturesAtOnce: Int { framesPerPair }

    /// Returns a description with a finer time base, a higher frame rate and, at a scale of 2, a larger frame size.
    /// - Throws: `FrameProcessorError` if the size is not allowed.
    public func outputStream(for source: VideoStreamDescription) throws -> VideoStreamDescription {
        try LowLatencyFrameInterpolationConfiguration.checkSize(
            frameWidth: source.width, frameHeight: source.height)
        var output = source
        if let geometry = try geometry(width: source.width, height: source.height) {
            output.color = geometry.color(source.color)
            (output.width, output.height) = (geometry.output.width, geometry.output.height)
            output.displayMatrix = geometry.displayMatrix(source.displayMatrix)
        }
        return plan.outputStream(for: output)
    }

    /// Starts a clip.
    public func makeRun(for source: VideoStreamDescription) throws -> any EffectRun {
        LowLatencyFrameInterpolationRun(
            self,
            try LowLatencyFrameInterpolationConfiguration(
                unchecked: FrameDimensions(width: source.width, height: source.height), depth: depth,
                geometry: try geometry(width: source.width, height: source.height)
            ).makeEffect(format: source.format, context: options.context))
    }
}

/// The engine detects cuts, from past frames only.
private struct LowLatencyFrameInterpolationRun: EffectRun {
    private let pass: LowLatencyFrameInterpolationPass
    private var plan: RateMultiplicationPlan
    private let phases: [Rational]
    private let interpolator: LowLatencyFrameInterpolationEngine
    private var latest: Frame?
    /// The number of the source frame that ``latest`` belongs to.
    private var latestNumber = 0
    private var keeper: AreaKeeper
    private(set) var report = EffectReport()

    init(_ pass: LowLatencyFrameInterpolationPass, _ interpolator: LowLatencyFrameInterpolationEngine) {
        self.pass = pass
        self.interpolator = interpolator
        keeper = AreaKeeper(pass)
        plan = pass.plan
        phases = plan.phases
    }

    mutating func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
        let frame = try colored(neighbourhood.current)
        let buffer = frame.buffer
        defer { (latest, latestNumber) = (frame, neighbourhood.sourceNumber) }
        // Enlarged frames show source times, although their samples are not the source's.
        if pass.scale > 1 { report.sourceMomentsShown += 1 }
        guard let latest else {
            try show(try interpolator.shown(buffer, color: frame.color), for: frame, output)
            return
        }
        let made = try interpolator.interpolate(
            from: latest.buffer, to: buffer, color: frame.color, phases: phases.map { Float($0.doubleValue) },
            relation: neighbourhood.resets ? .none : .follows, crossFades: pass.options.atCut == .blend)
        let hold = pass.options.longHolds == .hold ? neighbourhood.previousHeldUntil : nil
        if hold != nil { report.longHolds += 1 }
        let planned = plan.frames(
            from: latest.presentationTime, heldUntil: hold, to: frame.presentationTime, end: nil)
        for ((phase, shown), picture) in zip(zip(phases, planned.dropFirst()), made.pictures) {
            let nearest =
                phase.doubleValue > 0.5
                ? AreaKeeper.Original(buffer: buffer, number: neighbourhood.sourceNumber)
                : AreaKeeper.Original(buffer: latest.buffer, number: latestNumber)
            // What is held across a cut is a source frame.
            let isHeld = made.isCut && pass.options.atCut == .hold
            var between = frame.replacing(
                buffer: try isHeld ? picture : keeper.keep(nearest, in: picture), presentationTime: shown.time,
                duration: shown.duration)
            // What describes how frames look is that of the nearer frame.
            between.sideData = (phase.doubleValue < 0.5 && !made.isCut ? latest : frame).sideData.forMadeFrames
            try output.write(
                between, made.isCut ? .acrossCut : .beforeCurrent, motion: nil, hold: .until(shown.heldUntil))
        }
        if made.isCut {
            output.noteCut()
            if pass.options.atCut == .blend {
                report.blendedOverCut += phases.count
            } else {
                report.heldAtCut += phases.count
            }
        }
        // An engine that enlarges frames returns the enlarged source frame last; otherwise the source frame is shown
        // unchanged.
        try show(pass.scale > 1 ? made.pictures.last ?? buffer : buffer, for: frame, output)
    }

    /// Keeps the frame, because the frames between two source frames are made when the later one arrives.
    mutating func pass(_ neighbourhood: Neighbourhood) {
        (latest, latestNumber) = (try? colored(neighbourhood.current), neighbourhood.sourceNumber)
    }

    /// Returns the frame with the color description that it has after enlargement.
    private func colored(_ frame: Frame) throws -> Frame {
        var frame = frame
        if let geometry = try pass.geometry(width: frame.buffer.width, height: frame.buffer.height) {
            frame.color = geometry.color(frame.color)
        }
        return frame
    }

    /// Shows a source frame with its full duration, because it is not yet known whether another one follows; the time of
    /// the next frame shown cuts it short.
    private func show(_ picture: PixelBuffer, for frame: Frame, _ output: EffectOutput) throws {
        try output.write(
            frame.replacing(buffer: picture, presentationTime: frame.presentationTime, duration: frame.duration),
            motion: nil, hold: .until(nil))
    }
}
