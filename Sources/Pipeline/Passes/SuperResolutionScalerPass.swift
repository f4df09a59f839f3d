public import FrameCore
public import FrameEffects

/// Super resolution over a clip.
public struct SuperResolutionScalerPass: ClipEffect {
    /// How large the pictures become.
    let target: UpscaleTarget
    /// Whether frames help each other or stand alone.
    let inputType: SuperResolutionScalerConfiguration.InputType
    /// Quality and threads.
    let options: ConversionOptions

    /// - Parameters:
    ///   - target: how large the pictures become.
    ///   - inputType: nil takes video at high quality and images else.
    ///   - options: quality and threads.
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
    /// Name, target, kind of input and quality.
    public var summary: String {
        "\(name) \(target.summary) as \(inputType == .video ? "video" : "images") \(options.summary)"
    }
    /// For video the frame before.
    public var window: TemporalWindow { TemporalWindow(previous: inputType == .video ? 1 : 0, needsUnbroken: true) }
    /// true.
    public var keepsMotion: Bool { true }
    /// For video two: what was made of the frame before serves once more.
    public var picturesAtOnce: Int { inputType == .video ? 2 : 1 }

    /// Larger pictures of the same times.
    /// - Throws: `FrameProcessorError` when they cannot be made as large.
    public func outputStream(for source: VideoStreamDescription) throws -> VideoStreamDescription {
        try target.outputStream(for: source)
    }

    /// Begins a clip.
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
            model: SuperResolutionNetwork.Model(pass.options.quality), inputType: pass.inputType,
            quality: pass.options.quality,
            threads: pass.options.threads)
    }

    mutating func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
        let current = neighbourhood.current
        // Frames on the other side of a reset or of other light say nothing about this one.
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
