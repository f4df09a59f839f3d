public import FrameCore
public import FrameEffects

/// Super resolution over a clip.
public struct SuperResolutionScalerPass: ClipEffect {
    /// How large the frames become.
    let target: UpscaleTarget
    /// Whether each frame builds on the previous one (video) or is processed independently (images).
    let inputType: SuperResolutionScalerConfiguration.InputType
    /// Quality and number of threads.
    let options: ConversionOptions

    /// - Parameters:
    ///   - target: how large the frames become.
    ///   - inputType: video or images; nil selects video at high quality and images otherwise.
    ///   - options: quality and number of threads.
    public init(
        target: UpscaleTarget, inputType: SuperResolutionScalerConfiguration.InputType? = nil,
        options: ConversionOptions
    ) {
        self.target = target
        self.inputType = inputType ?? (options.quality == .quality ? .video : .image)
        self.options = options
    }

    /// `upscale`.
    public var name: String { "upscale" }
    /// The name, the target, the input type and the quality.
    public var summary: String {
        "\(name) \(target.summary) as \(inputType == .video ? "video" : "images") \(options.summary)"
    }
    /// For video, the previous frame; for images, no neighbours.
    public var window: TemporalWindow { TemporalWindow(previous: inputType == .video ? 1 : 0, needsUnbroken: true) }
    /// True: enlarging keeps everything in its place.
    public var keepsMotion: Bool { true }
    /// Two for video, because the previous output is used again; one for images.
    public var picturesAtOnce: Int { inputType == .video ? 2 : 1 }

    /// Returns a description with the larger frame size.
    /// - Throws: `FrameProcessorError` if frames cannot be enlarged to the target.
    public func outputStream(for source: VideoStreamDescription) throws -> VideoStreamDescription {
        try target.outputStream(for: source)
    }

    /// Starts a clip.
    public func makeRun(for source: VideoStreamDescription) throws -> any EffectRun {
        try SuperResolutionScalerRun(pass: self, geometry: target.geometry(source), format: source.format)
    }
}

private struct SuperResolutionScalerRun: EffectRun {
    private let pass: SuperResolutionScalerPass
    private let geometry: UpscalingGeometry
    private let engine: SuperResolutionScalerEngine
    private var latest: SuperResolutionScalerEngine.Reference?

    init(pass: SuperResolutionScalerPass, geometry: UpscalingGeometry, format: PixelFormat) throws {
        self.pass = pass
        self.geometry = geometry
        engine = try SuperResolutionScalerEngine(
            format: format, size: geometry.source, outputSize: geometry.output,
            model: SuperResolutionNetwork.Model(pass.options.quality), isStill: pass.inputType == .image,
            quality: pass.options.quality,
            threads: pass.options.threads)
    }

    mutating func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
        let current = neighbourhood.current
        // Frames before a reset or under different light are no reference for this one.
        let continues = !neighbourhood.resets && !neighbourhood.previous.isEmpty
        let picture = try engine.upscale(
            current.buffer, color: current.color, reference: continues ? latest : nil,
            relation: continues ? .follows : .none)
        latest =
            pass.inputType == .video
            ? SuperResolutionScalerEngine.Reference(source: current.buffer, output: picture) : nil
        var made = current
        made.buffer = picture
        made.color = geometry.color(current.color)
        made.sampleAspectRatio = geometry.sampleAspectRatio(current.sampleAspectRatio)
        try output.write(made)
    }
}
