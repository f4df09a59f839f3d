public import FrameCore
internal import FrameEffects

/// Removes blocking and ringing of a compressed source at its size. Sources that show no compression stay as they are.
public struct RestorationPass: ClipEffect {
    /// Quality, threads and kernels.
    let options: ConversionOptions
    /// How the source was compressed; nil if that is not known yet.
    private(set) var compression: SourceCompression?

    /// - Parameter options: quality, threads and kernels.
    public init(options: ConversionOptions) { self.options = options }

    /// `upscale`, whose factor is 1.
    public var name: String { "upscale" }
    /// The name and the quality, and whether there is something to clean.
    public var summary: String {
        "\(name) 1x\(condition == nil ? "" : " for compression") \(options.summary)"
    }
    /// No neighbours: each frame is cleaned on its own.
    public var window: TemporalWindow { TemporalWindow() }
    /// None: cuts do not matter.
    public var cuts: CutSearch? { CutSearch.none }
    /// True: the size stays, and everything stays in its place.
    public var keepsMotion: Bool { true }
    /// True: it is what this effect depends on.
    public var adaptsToCompression: Bool { true }
    /// True: it is reduced.
    public var hidesCompression: Bool { true }

    /// Returns the effect for a source with this compression.
    public func adapted(to compression: SourceCompression) -> RestorationPass {
        var pass = self
        pass.compression = compression
        return pass
    }

    /// What the network is told; nil if there is nothing to clean.
    private var condition: RestorationCondition? {
        guard let compression, compression.step > 0 else { return nil }
        let condition = RestorationCondition(
            step: Double(compression.step), isLoopFiltered: compression.isLoopFiltered)
        return condition.isCompressed ? condition : nil
    }

    /// A note if no frame is changed.
    public func notes(over source: VideoStreamDescription) -> [String] {
        guard condition == nil else { return [] }
        return [
            compression == nil
                ? "an earlier effect hides how the source was compressed, so upscaling by 1 changes nothing"
                : "no compression could be measured in the source, so its frames stay as they are"
        ]
    }

    /// Returns the source's description.
    public func outputStream(for source: VideoStreamDescription) throws -> VideoStreamDescription { source }

    /// Starts a clip.
    public func makeRun(for source: VideoStreamDescription) throws -> any EffectRun {
        guard let condition else { return RestorationRun(engine: nil, compression: compression) }
        let engine = try RestorationEngine(
            format: source.format, size: FrameDimensions(width: source.width, height: source.height),
            condition: condition, rotations: options.quality == .quality ? .four : .one, context: options.context)
        return RestorationRun(engine: engine, compression: compression)
    }
}

private struct RestorationRun: EffectRun {
    /// Nil if there is nothing to clean.
    let engine: RestorationEngine?
    let compression: SourceCompression?

    var report: EffectReport {
        var report = EffectReport()
        report.measurements = [compression?.measurement].compactMap(\.self)
        return report
    }

    func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
        var made = neighbourhood.current
        // The rows of interlaced frames are not neighbours.
        if let engine, !made.isInterlaced { made.buffer = try engine.restore(made.buffer) }
        try output.write(made)
    }
}
