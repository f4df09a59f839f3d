public import FrameCore
import FrameEffects

/// Frame interpolation that waits for no frame: those between the latest two are made as the later one comes.
///
/// It finds cuts itself, so a ``ConversionPipeline`` over it looks for none (``CutSearch/none``).
public struct LowLatencyFrameInterpolationPass: ClipEffect {
    /// Depths that are allowed.
    package static let depthRange = LowLatencyFrameInterpolationConfiguration.supportedDepths

    fileprivate let depth: Int
    fileprivate let scale: Int
    fileprivate let options: ConversionOptions

    /// - Parameters:
    ///   - depth: 1 to 4; n gives 2ⁿ−1 frames between two.
    ///   - scale: 1, or 2 for frames twice as wide and high.
    ///   - options: threads, and what is shown across cuts.
    /// - Throws: `FrameError` for a depth or scale that is not allowed.
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

    /// Frames shown from one source frame to the next, that one excluded.
    fileprivate var framesPerPair: Int { 1 << depth }

    /// nil where frames keep their size.
    /// - Throws: ``FrameProcessorError`` when frames cannot be made larger.
    fileprivate func geometry(width: Int, height: Int) throws(FrameProcessorError) -> UpscalingGeometry? {
        guard scale > 1 else { return nil }
        return try UpscalingGeometry(
            source: FrameDimensions(width: width, height: height), factor: Rational(Int32(scale), 1))
    }

    /// `smooth`.
    public var name: String { "smooth" }
    /// Name, depth, scale and what is shown across cuts.
    public var summary: String {
        "\(name) depth \(depth) scale \(scale) \(options.atCut.rawValue) at cuts"
    }
    /// Each frame as it comes.
    public var window: TemporalWindow { .immediate }
    /// As many as are shown from one source frame to the next.
    public var picturesAtOnce: Int { framesPerPair }

    /// A finer clock, a higher rate, and with a scale of 2 larger pictures.
    /// - Throws: `FrameProcessorError` for a size that is not allowed.
    public func outputStream(for source: VideoStreamDescription) throws -> VideoStreamDescription {
        try LowLatencyFrameInterpolationConfiguration.checkSize(
            frameWidth: source.width, frameHeight: source.height)
        var output = source
        if let geometry = try geometry(width: source.width, height: source.height) {
            output.color = geometry.color(source.color)
            (output.width, output.height) = (geometry.output.width, geometry.output.height)
            output.displayMatrix = geometry.displayMatrix(source.displayMatrix)
        }
        let count = Int64(framesPerPair)
        output.nominalFrameRate = source.nominalFrameRate.flatMap {
            Rational(reducing: Int64($0.numerator) * count, Int64($0.denominator))
        }
        output.timeBase =
            Rational(reducing: Int64(source.timeBase.numerator), Int64(source.timeBase.denominator) * count)
            ?? source.timeBase
        output.frameCount = source.likelyFrameCount.map { max(0, $0 - 1) * framesPerPair + 1 }
        return output
    }

    /// Begins a clip.
    public func makeRun(for source: VideoStreamDescription) throws -> any EffectRun {
        LowLatencyFrameInterpolationRun(
            self,
            try LowLatencyFrameInterpolationEngine(
                format: source.format, size: FrameDimensions(width: source.width, height: source.height),
                geometry: try geometry(width: source.width, height: source.height),
                threads: options.threads))
    }
}

/// Cuts are told by the interpolator, which looks at the frames so far alone.
private struct LowLatencyFrameInterpolationRun: EffectRun {
    private let pass: LowLatencyFrameInterpolationPass
    private let phases: [Rational]
    private let interpolator: LowLatencyFrameInterpolationEngine
    private var latest: Frame?
    private(set) var report = EffectReport()

    init(_ pass: LowLatencyFrameInterpolationPass, _ interpolator: LowLatencyFrameInterpolationEngine) {
        self.pass = pass
        self.interpolator = interpolator
        let count = Int32(pass.framesPerPair)
        phases = (1..<count).map { Rational($0, count) }
    }

    mutating func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
        let frame = try colored(neighbourhood.current)
        let buffer = frame.buffer
        defer { latest = frame }
        // Grown pictures show source moments though they are not the source's.
        if pass.scale > 1 { report.sourceMomentsShown += 1 }
        guard let latest else {
            try output.write(shown(try interpolator.shown(buffer, color: frame.color), for: frame))
            return
        }
        let share = Rational(1, Int32(pass.framesPerPair))
        let made = try interpolator.interpolate(
            from: latest.buffer, to: buffer, color: frame.color, phases: phases.map { Float($0.doubleValue) },
            relation: neighbourhood.resets ? .none : .follows, crossFades: pass.options.atCut == .blend)
        let span = frame.presentationTime - latest.presentationTime
        for (phase, picture) in zip(phases, made.pictures) {
            var between = frame.replacing(
                buffer: picture, presentationTime: latest.presentationTime + span.multiplied(by: phase),
                duration: span.multiplied(by: share))
            between.sideData = between.sideData.forMadeFrames
            try output.write(between, made.isCut ? .acrossCut : .beforeCurrent)
        }
        if made.isCut {
            output.noteCut()
            if pass.options.atCut == .blend {
                report.blendedOverCut += phases.count
            } else {
                report.heldAtCut += phases.count
            }
        }
        // A session that makes pictures larger gives the source frame last; else it is shown as it is.
        try output.write(shown(pass.scale > 1 ? made.pictures.last ?? buffer : buffer, for: frame))
    }

    /// What lies between a frame and the one before is made with the later of the two.
    mutating func pass(_ neighbourhood: Neighbourhood) { latest = try? colored(neighbourhood.current) }

    /// With the colors that its pictures have when they have grown.
    private func colored(_ frame: Frame) throws -> Frame {
        var frame = frame
        if let geometry = try pass.geometry(width: frame.buffer.width, height: frame.buffer.height) {
            frame.color = geometry.color(frame.color)
        }
        return frame
    }

    /// The frame keeps its whole duration, since whether another one follows is not known yet; the next frame's time ends it
    /// sooner.
    private func shown(_ picture: PixelBuffer, for frame: Frame) -> Frame {
        frame.replacing(buffer: picture, presentationTime: frame.presentationTime, duration: frame.duration)
    }
}
