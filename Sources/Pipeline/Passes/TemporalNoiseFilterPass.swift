public import FrameCore
public import FrameEffects

/// The temporal noise filter over a clip.
public struct TemporalNoiseFilterPass: ClipEffect {
    fileprivate let noise: NoiseLevel
    /// Frames before a frame that help to clean it.
    package let past: Int
    /// Frames after a frame that help to clean it; with 0 none is waited for.
    package let future: Int
    fileprivate let options: ConversionOptions

    /// - Parameters:
    ///   - noise: how much is taken out; by default as much as is found.
    ///   - past: frames before a frame that help to clean it, 0 to
    ///     `TemporalNoiseFilterConfiguration.maximumReferenceCount`; nil takes all.
    ///   - future: the same for frames after it; with 0 none is waited for.
    ///   - options: quality and threads.
    /// - Throws: `FrameError` for a number that is out of range, or when `past` and `future` are both 0.
    public init(
        noise: NoiseLevel = .automatic, past: Int? = nil, future: Int? = nil, options: ConversionOptions
    ) throws(FrameError) {
        let most = TemporalNoiseFilterConfiguration.maximumReferenceCount(options.quality)
        for (name, count) in [("past", past), ("future", future)] {
            guard let count, !(0...most).contains(count) else { continue }
            throw FrameError(
                .invalidArgument,
                "\(count) \(name) frames are not allowed; at this quality it is a whole number from 0 to \(most)")
        }
        self.past = past ?? most
        self.future = future ?? most
        guard self.past + self.future > 0 else {
            throw FrameError(
                .invalidArgument, "0 past and 0 future frames leave nothing to compare with; at least one is needed")
        }
        try noise.check()
        self.noise = noise
        self.options = options
    }

    /// `denoise`.
    public var name: String { "denoise" }
    /// Name, noise, frames that help, and quality.
    public var summary: String {
        let level =
            switch noise {
            case .automatic: "auto"
            case .strength(let value): "strength \(value)"
            case .sigma(let value): "sigma \(value)"
            }
        return
            "\(name) \(level) with \(past) past and \(future) future frames \(options.summary)"
    }
    /// As many frames on each side as the quality allows.
    public var window: TemporalWindow { TemporalWindow(previous: past, next: future) }
    /// true.
    public var keepsMotion: Bool { true }
    /// Begins a clip.
    public func makeRun(for source: VideoStreamDescription) -> any EffectRun { TemporalNoiseFilterRun(self) }
}

private struct TemporalNoiseFilterRun: EffectRun {
    private let pass: TemporalNoiseFilterPass
    private var engine: TemporalNoiseFilterEngine?
    private var sigmas = (sum: 0.0, count: 0)

    init(_ pass: TemporalNoiseFilterPass) { self.pass = pass }

    /// The noise is the mean over the frames.
    var report: EffectReport {
        var report = EffectReport()
        if sigmas.count > 0 {
            report.measurements = [EffectMeasurement(name: "noise sigma", value: sigmas.sum / Double(sigmas.count))]
        }
        return report
    }

    mutating func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
        var frame = neighbourhood.current
        frame.buffer = try filter(neighbourhood)
        try output.write(frame)
    }

    private mutating func filter(_ neighbourhood: Neighbourhood) throws -> PixelBuffer {
        let current = neighbourhood.current.buffer
        let noise = pass.noise
        guard noise != .strength(0), noise != .sigma(0), !neighbourhood.isOnlyFrame else { return current }
        // The engine keeps nothing that its results depend on, so it need not restart.
        let engine =
            try self.engine
            ?? TemporalNoiseFilterEngine(
                format: current.format, width: current.width, height: current.height, quality: pass.options.quality,
                threads: pass.options.threads)
        self.engine = engine
        let picture = try engine.filter(
            current, previous: neighbourhood.previous.map(\.buffer), next: neighbourhood.next.map(\.buffer),
            noise: noise)
        if noise == .automatic {
            sigmas.sum += engine.estimatedSigma
            sigmas.count += 1
        }
        return picture
    }
}
