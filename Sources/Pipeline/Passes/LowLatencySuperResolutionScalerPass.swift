public import FrameCore
internal import FrameEffects

/// Low-latency super resolution: each frame is enlarged as it arrives.
public struct LowLatencySuperResolutionScalerPass: ClipEffect {
    private let target: UpscaleTarget
    private let context: ExecutionContext

    /// - Parameters:
    ///   - target: how large the frames become.
    ///   - context: the threads and kernels to use. The result does not depend on them.
    public init(target: UpscaleTarget, context: ExecutionContext = .serial) {
        self.target = target
        self.context = context
    }

    /// `upscale`.
    public var name: String { "upscale" }
    /// The name and the target.
    public var summary: String { "\(name) \(target.summary) at low latency" }
    /// No neighbours: each frame is processed as it arrives.
    public var window: TemporalWindow { .immediate }
    /// None: each frame is enlarged on its own.
    public var cuts: CutSearch? { CutSearch.none }
    /// True: blocks no longer have their size.
    public var hidesCompression: Bool { true }
    /// True: enlarging keeps everything in its place.
    public var keepsMotion: Bool { true }

    /// Returns a description with the larger frame size.
    /// - Throws: `FrameProcessorError` if frames cannot be enlarged to the target.
    public func outputStream(for source: VideoStreamDescription) throws -> VideoStreamDescription {
        try target.outputStream(for: source)
    }

    /// Starts a clip.
    public func makeRun(for source: VideoStreamDescription) throws -> any EffectRun {
        let geometry = try target.geometry(source)
        return LowLatencySuperResolutionScalerRun(
            geometry: geometry,
            engine: try LowLatencySuperResolutionScalerConfiguration(unchecked: geometry)
                .makeEffect(format: source.format, context: context))
    }
}

private struct LowLatencySuperResolutionScalerRun: EffectRun {
    let geometry: UpscalingGeometry
    let engine: LowLatencySuperResolutionScalerEngine

    func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
        var made = neighbourhood.current
        made.buffer = try engine.upscale(made.buffer, color: made.color)
        made.color = geometry.color(made.color)
        made.sampleAspectRatio = geometry.sampleAspectRatio(made.sampleAspectRatio)
        try output.write(made)
    }
}
