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
package struct LowLatencySmooth: ClipEffect {
    private let settings: LowLatencySmoothSettings

    package init(_ settings: LowLatencySmoothSettings) { self.settings = settings }

    package var name: String { "smooth" }
    package var summary: String {
        "\(name) depth \(settings.depth) scale \(settings.scale) \(settings.options.atCut.rawValue) at cuts"
    }
    package var window: TemporalWindow { .immediate }
    package var picturesAtOnce: Int { settings.framesPerPair }

    package func outputStream(for source: VideoStreamDescription) throws -> VideoStreamDescription {
        try LowLatencyFrameInterpolationConfiguration.checkSize(
            frameWidth: source.width, frameHeight: source.height)
        return try settings.outputStream(for: source)
    }

    package func makeRun(for source: VideoStreamDescription) throws -> any EffectRun {
        LowLatencySmoothRun(
            settings,
            try LowLatencyFrameInterpolationEngine(
                format: source.format, size: FrameDimensions(width: source.width, height: source.height),
                geometry: try settings.geometry(width: source.width, height: source.height),
                threads: settings.options.threads))
    }
}

/// Cuts are told by the interpolator, which looks at the frames so far alone.
private struct LowLatencySmoothRun: EffectRun {
    private let settings: LowLatencySmoothSettings
    private let phases: [Rational]
    private let interpolator: LowLatencyFrameInterpolationEngine
    private var latest: Frame?
    private(set) var report = EffectReport()

    init(_ settings: LowLatencySmoothSettings, _ interpolator: LowLatencyFrameInterpolationEngine) {
        self.settings = settings
        self.interpolator = interpolator
        let count = Int32(settings.framesPerPair)
        phases = (1..<count).map { Rational($0, count) }
    }

    mutating func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
        let frame = try colored(neighbourhood.current)
        let buffer = frame.buffer
        defer { latest = frame }
        // Grown pictures show source moments though they are not the source's.
        if settings.scale > 1 { report.sourceMomentsShown += 1 }
        guard let latest else {
            try output.write(shown(try interpolator.shown(buffer, color: frame.color), for: frame))
            return
        }
        let share = Rational(1, Int32(settings.framesPerPair))
        let made = try interpolator.interpolate(
            from: latest.buffer, to: buffer, color: frame.color, phases: phases.map { Float($0.doubleValue) },
            relation: neighbourhood.restarts ? .none : .follows, crossFades: settings.options.atCut == .blend)
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
            if settings.options.atCut == .blend {
                report.blendedOverCut += phases.count
            } else {
                report.heldAtCut += phases.count
            }
        }
        // A session that makes pictures larger gives the source frame last; else it is shown as it is.
        try output.write(shown(settings.scale > 1 ? made.pictures.last ?? buffer : buffer, for: frame))
    }

    /// What lies between a frame and the one before is made with the later of the two.
    mutating func pass(_ neighbourhood: Neighbourhood) { latest = try? colored(neighbourhood.current) }

    /// With the colors that its pictures have when they have grown.
    private func colored(_ frame: Frame) throws -> Frame {
        var frame = frame
        if let geometry = try settings.geometry(width: frame.buffer.width, height: frame.buffer.height) {
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
