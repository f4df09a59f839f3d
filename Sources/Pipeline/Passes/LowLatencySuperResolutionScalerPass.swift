public import FrameCore
internal import FrameEffects

/// Super resolution that waits for no frame: each is made larger as it comes.
public struct LowLatencySuperResolutionScalerPass: ClipEffect {
    private let target: UpscaleTarget
    private let threads: Int

    /// - Parameters:
    ///   - target: how large the pictures become.
    ///   - threads: that work on one picture, at least 1. The result does not depend on it.
    public init(target: UpscaleTarget, threads: Int = 1) {
        self.target = target
        self.threads = max(1, threads)
    }

    /// `upscale`.
    public var name: String { "upscale" }
    /// Name and target.
    public var summary: String { "\(name) \(target.summary) at low latency" }
    /// Each frame as it comes.
    public var window: TemporalWindow { .immediate }
    /// true.
    public var keepsMotion: Bool { true }

    /// Larger pictures of the same times.
    /// - Throws: `FrameProcessorError` when they cannot be made as large.
    public func outputStream(for source: VideoStreamDescription) throws -> VideoStreamDescription {
        try target.outputStream(for: source)
    }

    /// Begins a clip.
    public func makeRun(for source: VideoStreamDescription) throws -> any EffectRun {
        let geometry = try target.geometry(source)
        return LowLatencySuperResolutionScalerRun(
            geometry: geometry,
            engine: try LowLatencySuperResolutionScalerEngine(
                format: source.format, geometry: geometry, threads: threads))
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
