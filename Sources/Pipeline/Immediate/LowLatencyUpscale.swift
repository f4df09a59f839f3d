package import FrameCore
package import FrameEffects

/// Each frame made larger as it comes.
package struct LowLatencyUpscale: ImmediateEffect {
    private let geometry: UpscalingGeometry
    private let threads: Int
    private var engine: SuperResolutionEngine?

    package init(geometry: UpscalingGeometry, threads: Int) {
        self.geometry = geometry
        self.threads = threads
    }

    package mutating func process(_ frame: Frame, index: Int) throws -> ImmediateOutcome {
        let engine =
            try self.engine
            ?? SuperResolutionEngine(
                format: frame.buffer.format, size: geometry.source, outputSize: geometry.output, model: .compressed,
                threads: threads)
        self.engine = engine
        var made = frame
        made.buffer = try engine.upscale(frame.buffer, color: frame.color)
        made.color = geometry.color(frame.color)
        made.sampleAspectRatio = geometry.sampleAspectRatio(frame.sampleAspectRatio)
        return ImmediateOutcome(frames: [made])
    }
}
