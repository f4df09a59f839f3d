public import FrameCore
internal import FrameEffects

/// Adds synthetic film grain to a clip.
///
/// The seed of each frame follows from its time, so that a frame gets the same grain in every run.
public struct FilmGrainPass: ClipEffect {
    fileprivate let grain: GrainOverTime
    fileprivate let context: ExecutionContext
    private let settings: String

    /// Adds the grain of a table, whose times are counted from the first frame.
    ///
    /// - Parameters:
    ///   - table: the grain over time.
    ///   - options: threads and kernels.
    public init(table: FilmGrainTable, options: ConversionOptions) {
        grain = .table(table)
        context = options.context
        settings = "of a table with the checksum \(stableHash(of: table.text))"
    }

    /// Adds grain that looks like that of film.
    ///
    /// - Parameters:
    ///   - strength: the standard deviation in the middle tones of luma, 0…32 in 8-bit code values.
    ///   - options: threads and kernels.
    /// - Throws: `FrameError` if the strength is not allowed.
    public init(strength: Float, options: ConversionOptions) throws(FrameError) {
        grain = .constant(try FilmGrain.preset(strength: strength))
        context = options.context
        settings = "of strength \(strength)"
    }

    /// `grain`.
    public var name: String { "grain" }
    /// The name, and the strength or the table's checksum.
    public var summary: String { "\(name) \(settings)" }
    /// True for a table, whose times are counted from the first frame.
    public var countsFrames: Bool { if case .table = grain { true } else { false } }
    /// True: only the time of the first frame matters.
    public var canSkip: Bool { true }
    /// Nil: each frame gets its own grain.
    public var cuts: CutSearch? { nil }
    /// True: grain keeps everything in its place.
    public var keepsMotion: Bool { true }
    /// Starts a clip.
    public func makeRun(for source: VideoStreamDescription) -> any EffectRun { FilmGrainRun(self) }
}

/// The grain of each frame.
private enum GrainOverTime: Sendable {
    case table(FilmGrainTable)
    case constant(FilmGrain)
}

private struct FilmGrainRun: EffectRun {
    private let pass: FilmGrainPass
    private var synthesizer: FilmGrainSynthesizer?
    /// The time of the clip's first frame.
    private var start: MediaTime?

    init(_ pass: FilmGrainPass) { self.pass = pass }

    mutating func pass(_ neighbourhood: Neighbourhood) { begin(at: neighbourhood.current.presentationTime) }

    mutating func skip(frames: Int, from first: MediaTime, to time: MediaTime) { begin(at: first) }

    private mutating func begin(at time: MediaTime) { start = start ?? time }

    mutating func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
        var frame = neighbourhood.current
        begin(at: frame.presentationTime)
        if let grain = grain(of: frame) {
            let buffer = frame.buffer
            let synthesizer =
                try self.synthesizer
                ?? FilmGrainSynthesizer(
                    format: buffer.format, width: buffer.width, height: buffer.height, context: pass.context)
            self.synthesizer = synthesizer
            frame.buffer = try synthesizer.adding(grain, to: buffer, matrix: frame.color.matrix)
        }
        try output.write(frame)
    }

    private func grain(of frame: Frame) -> FilmGrain? {
        var found: FilmGrain?
        switch pass.grain {
        case .constant(let grain): found = grain
        case .table(var table):
            table.origin = start ?? frame.presentationTime
            found = table.grain(at: frame.presentationTime)
        }
        found?.seed = Self.seed(at: frame.presentationTime)
        found?.isClippedToLimitedRange = frame.color.range != .full
        return found
    }

    /// Returns random bits for a time, the same on every timescale.
    private static func seed(at time: MediaTime) -> UInt16 {
        // The finalizer of MurmurHash3.
        var bits = UInt64(bitPattern: FilmGrainTable.ticks(time))
        bits = (bits ^ (bits >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        bits = (bits ^ (bits >> 33)) &* 0xC4CE_B9FE_1A85_EC53
        return UInt16(truncatingIfNeeded: bits >> 40)
    }
}
