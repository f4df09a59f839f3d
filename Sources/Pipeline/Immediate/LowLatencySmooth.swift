package import FrameCore
import FrameEffects

/// What low-latency interpolation over a clip is to do.
package struct LowLatencySmoothSettings: Sendable, Hashable {
    /// Depths that are allowed.
    package static let depthRange = LowLatencyFrameInterpolationConfiguration.supportedDepths

    /// n gives 2ⁿ−1 frames between two.
    package let depth: Int
    /// 1, or 2 for frames twice as wide and high.
    package let scale: Int
    package let options: ConversionOptions

    /// - Throws: `FrameError` for a depth or scale that is not allowed.
    package init(depth: Int, scale: Int = 1, options: ConversionOptions) throws(FrameError) {
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
    package var framesPerPair: Int { 1 << depth }

    /// nil where frames keep their size.
    /// - Throws: ``FrameProcessorError`` when frames cannot be made larger.
    func geometry(width: Int, height: Int) throws(FrameProcessorError) -> UpscalingGeometry? {
        guard scale > 1 else { return nil }
        return try UpscalingGeometry(
            source: FrameDimensions(width: width, height: height), factor: Rational(Int32(scale), 1))
    }

    /// What the output of a source so described will be.
    /// - Throws: ``FrameProcessorError`` when frames cannot be made larger.
    package func outputStream(for source: VideoStreamDescription) throws -> VideoStreamDescription {
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
}

/// Frames between the latest two, made as the later one comes.
package struct LowLatencySmooth: ImmediateEffect {
    private let settings: LowLatencySmoothSettings
    private let phases: [Rational]
    private var interpolator: LowLatencyInterpolator?
    private var latest: Frame?

    package init(_ settings: LowLatencySmoothSettings) {
        self.settings = settings
        let count = Int32(settings.framesPerPair)
        phases = (1..<count).map { Rational($0, count) }
    }

    package mutating func process(_ frame: Frame, index: Int) throws -> ImmediateOutcome {
        let buffer = frame.buffer
        var frame = frame
        if let geometry = try settings.geometry(width: buffer.width, height: buffer.height) {
            frame.color = geometry.color(frame.color)
        }
        let interpolator =
            try self.interpolator
            ?? LowLatencyInterpolator(
                format: buffer.format, size: FrameDimensions(width: buffer.width, height: buffer.height),
                scale: settings.scale, threads: settings.options.threads)
        self.interpolator = interpolator
        defer { latest = frame }
        let share = Rational(1, Int32(settings.framesPerPair))
        guard let latest else {
            let picture = try interpolator.shown(buffer, color: frame.color)
            var outcome = ImmediateOutcome(frames: [shown(picture, for: frame)])
            outcome.sourceFramesShown = 1
            return outcome
        }
        let made = try interpolator.interpolate(
            from: latest.buffer, to: buffer, color: frame.color, phases: phases.map { Float($0.doubleValue) },
            relation: index.isMultiple(of: MotionChain.restartInterval) ? .none : .follows,
            crossFades: settings.options.atCut == .blend)
        let span = frame.presentationTime - latest.presentationTime
        var outcome = ImmediateOutcome(frames: [])
        for (phase, picture) in zip(phases, made.pictures) {
            var between = frame.replacing(
                buffer: picture, presentationTime: latest.presentationTime + span.multiplied(by: phase),
                duration: span.multiplied(by: share))
            between.sideData = between.sideData.forMadeFrames
            outcome.frames.append(between)
        }
        // A session that makes pictures larger gives the source frame last; else it is shown as it is.
        let source = settings.scale > 1 ? made.pictures.last ?? buffer : buffer
        outcome.frames.append(shown(source, for: frame))
        outcome.sourceFramesShown = 1
        outcome.isCut = made.isCut
        if made.isCut {
            if settings.options.atCut == .blend {
                outcome.blendedOverCut = phases.count
            } else {
                outcome.heldAtCut = phases.count
            }
        }
        return outcome
    }

    /// The frame keeps its whole duration, since whether another one follows is not known yet; the next frame's time ends it
    /// sooner.
    private func shown(_ picture: PixelBuffer, for frame: Frame) -> Frame {
        frame.replacing(buffer: picture, presentationTime: frame.presentationTime, duration: frame.duration)
    }
}
