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
        "\(name) 1x\(changesFrames ? " for compression" : "") \(options.summary)"
    }
    /// No neighbours: each frame is cleaned on its own.
    public var window: TemporalWindow { TemporalWindow() }
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

    /// Whether there is something to clean.
    private var changesFrames: Bool {
        compression?.contains { $0.condition.isCompressed } ?? false
    }

    /// A note if no frame is changed.
    public func notes(over source: VideoStreamDescription) -> [String] {
        guard !changesFrames else { return [] }
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
        RestorationRun(options: options, source: source, compression: compression ?? .none)
    }
}

private struct RestorationRun: EffectRun {
    let options: ConversionOptions
    let source: VideoStreamDescription
    let compression: SourceCompression
    /// How the latest frame was compressed, and what cleans it: nil if there is nothing to clean.
    private var latest: (condition: RestorationCondition, engine: RestorationEngine?)?

    init(options: ConversionOptions, source: VideoStreamDescription, compression: SourceCompression) {
        self.options = options
        self.source = source
        self.compression = compression
    }

    var report: EffectReport {
        var report = EffectReport()
        report.measurements = compression.measurements
        return report
    }

    mutating func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
        var made = neighbourhood.current
        // The rows of interlaced frames are not neighbours.
        let engine = try engine(for: compression.pictures(at: neighbourhood.sourceTime).condition)
        if !made.isInterlaced, let engine {
            made.buffer = try engine.restore(made.buffer)
        }
        try output.write(made)
    }

    private mutating func engine(for condition: RestorationCondition) throws -> RestorationEngine? {
        if let latest, latest.condition == condition { return latest.engine }
        let engine =
            condition.isCompressed
            ? try RestorationEngine(
                format: source.format, size: FrameDimensions(width: source.width, height: source.height),
                condition: condition, rotations: options.quality == .quality ? .four : .one, context: options.context)
            : nil
        latest = (condition, engine)
        return engine
    }
}
