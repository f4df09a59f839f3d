package import FrameCore
internal import FrameEffects

/// Each frame made larger as it comes.
package struct LowLatencyUpscale: ClipEffect {
    private let target: UpscaleTarget
    private let threads: Int

    package init(target: UpscaleTarget, threads: Int) {
        self.target = target
        self.threads = threads
    }

    package var name: String { "upscale" }
    package var summary: String { "\(name) \(target.summary) at low latency" }
    package var window: TemporalWindow { .immediate }
    package var keepsMotion: Bool { true }

    package func outputStream(for source: VideoStreamDescription) throws -> VideoStreamDescription {
        try target.outputStream(for: source)
    }

    package func makeRun(for source: VideoStreamDescription) throws -> any EffectRun {
        let geometry = try target.geometry(source)
        return LowLatencyUpscaleRun(
            geometry: geometry,
            engine: try LowLatencySuperResolutionScalerEngine(
                format: source.format, geometry: geometry, threads: threads))
    }
}

private struct LowLatencyUpscaleRun: EffectRun {
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
