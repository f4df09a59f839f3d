public import FrameCore
public import FrameEffects

/// Temporal noise reduction over a clip.
public struct TemporalNoiseFilterPass: KeepingEffect {
    fileprivate let noise: NoiseLevel
    fileprivate let deblocking: Deblocking
    /// The number of earlier frames used to clean a frame.
    package let past: Int
    /// The number of later frames used to clean a frame; with 0, the pass waits for none.
    package let future: Int
    package let options: ConversionOptions
    package var masks: FrameMasks?

    /// - Parameters:
    ///   - noise: how much noise to remove; by default, as much as is measured.
    ///   - deblocking: whether what strong compression leaves is removed, too; nil removes it if the noise is measured.
    ///   - past: number of earlier frames used to clean a frame, 0 to
    ///     `TemporalNoiseFilterConfiguration.maximumReferenceCount`; nil selects the maximum.
    ///   - future: number of later frames, with the same range; with 0, the pass waits for none.
    ///   - options: quality, threads and kernels.
    /// - Throws: `FrameError` if a number is out of range, or if `past` and `future` are both 0.
    public init(
        noise: NoiseLevel = .automatic, deblocking: Deblocking? = nil, past: Int? = nil, future: Int? = nil,
        options: ConversionOptions
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
        self.deblocking = deblocking ?? (noise.isMeasured ? .automatic : .off)
        self.options = options
    }

    /// `denoise`.
    public var name: String { "denoise" }
    /// The name, the noise level, the reference frames and the quality.
    public var summary: String {
        let level =
            switch noise {
            case .automatic: "auto"
            case .strength(let value): "strength \(value)"
            case .sigma(let value, 1): "sigma \(value)"
            case .sigma(let value, let strength): "sigma \(value) strength \(strength)"
            case .model(let model, let strength): "model \(model.checksum) strength \(strength)"
            }
        return
            "\(name) \(level)\(deblocking == .off ? "" : " deblock \(deblocking.rawValue)") with \(past) past and \(future) future frames \(options.summary)"
    }
    /// `past` frames before and `future` frames after the current one.
    public var window: TemporalWindow { TemporalWindow(previous: past, next: future) }
    /// Returns the description of the source.
    ///
    /// - Throws: `FrameError` if a noise model does not fit the source.
    public func outputStream(for source: VideoStreamDescription) throws -> VideoStreamDescription {
        try noise.model?.check(source.format)
        return source
    }
    /// Live, if the pass waits for no later frame; otherwise with the help of later frames.
    public var cuts: CutSearch? { future == 0 ? .live : .lookingAhead }
    /// True if blocking and ringing are reduced.
    public var hidesCompression: Bool { deblocking == .automatic }
    /// True: noise reduction keeps everything in its place.
    public var keepsMotion: Bool { true }
    /// Starts a clip.
    public func makeRun(for source: VideoStreamDescription) -> any EffectRun { TemporalNoiseFilterRun(self) }
}

private struct TemporalNoiseFilterRun: EffectRun {
    private let pass: TemporalNoiseFilterPass
    private var engine: TemporalNoiseFilterEngine?
    private var keeper: AreaKeeper
    private var noise: [String: Double] = [:]
    private var count = 0
    /// The clearest trace of quantization since the last reset.
    private var trace = QuantizationTrace()
    private var deblocked = (sigma: 0.0, frames: 0)

    init(_ pass: TemporalNoiseFilterPass) {
        self.pass = pass
        keeper = AreaKeeper(pass)
    }

    /// The reported noise is the mean over all frames.
    var report: EffectReport {
        var report = EffectReport()
        if count > 0 {
            report.measurements = Self.names.compactMap { name in
                noise[name].map { EffectMeasurement(name: name, value: $0 / Double(count)) }
            }
        }
        if deblocked.frames > 0 {
            report.measurements += [
                EffectMeasurement(name: "deblocked frames", value: Double(deblocked.frames)),
                EffectMeasurement(name: "deblocking sigma", value: deblocked.sigma / Double(deblocked.frames)),
            ]
        }
        return report
    }

    /// Luma by its brightness from 0 to 255, in four ranges.
    private static let rangeNames = [32, 96, 160, 224].map { "noise sigma at brightness \($0)" }
    private static let planeNames = ["noise sigma", "noise sigma u", "noise sigma v"]
    private static let alphaName = "noise sigma alpha"
    private static let names = planeNames + [alphaName] + rangeNames

    private mutating func add(_ found: EstimatedNoise, of format: PixelFormat) {
        count += 1
        let colors = Self.planeNames.prefix(format.colorPlaneCount)
        for (name, value) in zip(colors + [Self.alphaName], found.planes) { noise[name, default: 0] += value }
        let width = found.byBrightness.count / Self.rangeNames.count
        for (range, name) in Self.rangeNames.enumerated() {
            let values = found.byBrightness[range * width..<(range + 1) * width]
            noise[name, default: 0] += values.reduce(0, +) / Double(max(width, 1))
        }
    }

    mutating func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
        var frame = neighbourhood.current
        let original = AreaKeeper.Original(buffer: frame.buffer, number: neighbourhood.sourceNumber)
        frame.buffer = try keeper.keep(original, in: filter(neighbourhood))
        try output.write(frame)
    }

    private mutating func filter(_ neighbourhood: Neighbourhood) throws -> PixelBuffer {
        let current = neighbourhood.current.buffer
        let noise = pass.noise
        guard !noise.isNothing || pass.deblocking == .automatic, !neighbourhood.isOnlyFrame else { return current }
        // The rows of interlaced frames are not neighbours.
        let deblocking = neighbourhood.current.isInterlaced ? .off : pass.deblocking
        if neighbourhood.resets { trace = QuantizationTrace() }
        // The engine keeps no state that affects its results, so it never needs a restart.
        let engine =
            try self.engine
            ?? TemporalNoiseFilterConfiguration(unchecked: current, qualityPrioritization: pass.options.quality)
            .makeEffect(format: current.format, context: pass.options.context)
        self.engine = engine
        let picture = try engine.filter(
            current, previous: neighbourhood.previous.map(\.buffer), next: neighbourhood.next.map(\.buffer),
            noise: noise, deblocking: deblocking, known: trace)
        trace = engine.trace
        if engine.deblockedSigma > 0 {
            deblocked.frames += 1
            deblocked.sigma += engine.deblockedSigma
        }
        if noise.isMeasured, !noise.isNothing { add(engine.estimatedNoise, of: current.format) }
        return picture
    }
}
