public import FrameCore
public import FrameEffects

/// Super resolution over a clip.
public struct SuperResolutionScalerPass: ClipEffect {
    /// How large the frames become.
    let target: UpscaleTarget
    /// Whether frames take detail from their neighbours (video) or are processed independently (images).
    let inputType: SuperResolutionScalerConfiguration.InputType
    /// Whether blocking and ringing of a compressed source are reduced.
    let deblocking: Deblocking
    /// Quality, threads and kernels.
    let options: ConversionOptions
    /// How strongly the source was compressed.
    private(set) var compression = SourceCompression.none

    /// - Parameters:
    ///   - target: how large the frames become.
    ///   - inputType: video or images; nil selects video at high quality and images otherwise.
    ///   - deblocking: whether blocking and ringing are reduced, if the chain is adapted to a compressed source (see
    ///     ``EffectChain/adapted(to:)``).
    ///   - options: quality, threads and kernels.
    public init(
        target: UpscaleTarget, inputType: SuperResolutionScalerConfiguration.InputType? = nil,
        deblocking: Deblocking = .automatic, options: ConversionOptions
    ) {
        self.target = target
        self.inputType = inputType ?? (options.quality == .quality ? .video : .image)
        self.deblocking = deblocking
        self.options = options
    }

    /// `upscale`.
    public var name: String { "upscale" }
    /// The name, the target, the input type, whether compression is treated, and the quality.
    public var summary: String {
        let isTreated = compression.contains { $0.condition.isCompressed }
        return
            "\(name) \(target.summary) as \(inputType == .video ? "video" : "images")\(isTreated ? " for compression" : "") \(options.summary)"
    }
    /// For video, the frames on either side; for images, no neighbours.
    public var window: TemporalWindow {
        let count = inputType == .video ? 1 : 0
        return TemporalWindow(previous: count, next: count, needsUnbroken: true)
    }
    /// True: enlarging keeps everything in its place.
    public var keepsMotion: Bool { true }
    /// Five for video, the previous and the current output and luma of three more; one for images. With three more, or one,
    /// that have been cleaned.
    public var picturesAtOnce: Int {
        let isCleaned = compression.contains { $0.condition.isCompressed }
        return inputType == .video ? isCleaned ? 8 : 5 : isCleaned ? 2 : 1
    }

    /// Returns a description with the larger frame size.
    /// - Throws: `FrameProcessorError` if frames cannot be enlarged to the target.
    public func outputStream(for source: VideoStreamDescription) throws -> VideoStreamDescription {
        try target.outputStream(for: source)
    }

    /// Starts a clip.
    public func makeRun(for source: VideoStreamDescription) throws -> any EffectRun {
        SuperResolutionScalerRun(pass: self, geometry: try target.geometry(source), format: source.format)
    }
}

extension SuperResolutionScalerPass {
    /// Whether blocking and ringing are reduced.
    public var adaptsToCompression: Bool { deblocking == .automatic }
    /// True: after it, blocks no longer have the size that the networks know.
    public var hidesCompression: Bool { true }

    /// Returns the effect for a source with this compression, which is cleaned before it is enlarged.
    public func adapted(to compression: SourceCompression) -> SuperResolutionScalerPass {
        var pass = self
        pass.compression = adaptsToCompression ? compression : .none
        return pass
    }
}

private struct SuperResolutionScalerRun: EffectRun {
    private let pass: SuperResolutionScalerPass
    private let geometry: UpscalingGeometry
    private let format: PixelFormat
    /// What enlarges pictures that were compressed alike.
    private var enlarger: (condition: RestorationCondition, engine: SuperResolutionScalerEngine)?
    private var latest: SuperResolutionScalerEngine.Reference?

    init(pass: SuperResolutionScalerPass, geometry: UpscalingGeometry, format: PixelFormat) {
        self.pass = pass
        self.geometry = geometry
        self.format = format
    }

    var report: EffectReport {
        var report = EffectReport()
        report.measurements = pass.compression.measurements
        return report
    }

    mutating func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
        let current = neighbourhood.current
        // Frames before a reset or under different light are no reference for this one.
        let continues = !neighbourhood.resets && !neighbourhood.previous.isEmpty
        let picture = try engine(for: condition(neighbourhood)).upscale(
            current.buffer, color: current.color, reference: continues ? latest : nil,
            next: neighbourhood.next.first?.buffer, relation: continues ? .follows : .none)
        latest =
            pass.inputType == .video
            ? SuperResolutionScalerEngine.Reference(source: current.buffer, output: picture) : nil
        var made = current
        made.buffer = picture
        made.color = geometry.color(current.color)
        made.sampleAspectRatio = geometry.sampleAspectRatio(current.sampleAspectRatio)
        try output.write(made)
    }

    /// Returns what is to be cleaned: nothing where rows of an interlaced frame are not neighbours.
    private func condition(_ neighbourhood: Neighbourhood) -> RestorationCondition {
        let isInterlaced = neighbourhood.current.isInterlaced || neighbourhood.next.contains(where: \.isInterlaced)
        let pictures = isInterlaced ? .none : pass.compression.pictures(at: neighbourhood.sourceTime)
        return pictures.condition
    }

    private mutating func engine(for condition: RestorationCondition) throws -> SuperResolutionScalerEngine {
        if let enlarger, enlarger.condition == condition { return enlarger.engine }
        let engine = try SuperResolutionScalerConfiguration(
            unchecked: geometry, inputType: pass.inputType, qualityPrioritization: pass.options.quality
        ).makeEffect(format: format, compression: condition, context: pass.options.context)
        enlarger = (condition, engine)
        return engine
    }
}
