public import FrameCore
internal import FrameEffects
internal import Motion

/// Motion blur over a clip.
public struct MotionBlurPass: KeepingEffect {
    /// The allowed strengths, in units of 3.6° of shutter angle.
    package static let strengthRange = 1...100

    fileprivate let strength: Int
    fileprivate let isLinearLight: Bool
    package let options: ConversionOptions
    package var masks: FrameMasks?

    /// - Parameters:
    ///   - strength: length of the exposure in units of 3.6° of shutter angle, 1 to 100.
    ///   - isLinearLight: whether exposure is accumulated in linear light.
    ///   - options: quality, threads and kernels.
    /// - Throws: `FrameError` if the strength is not allowed.
    public init(strength: Int, isLinearLight: Bool = false, options: ConversionOptions) throws(FrameError) {
        guard Self.strengthRange.contains(strength) else {
            throw FrameError(
                .invalidArgument,
                "strength \(strength) is not allowed; it is a whole number from \(Self.strengthRange.lowerBound) to \(Self.strengthRange.upperBound)"
            )
        }
        self.strength = strength
        self.isLinearLight = isLinearLight
        self.options = options
    }

    /// `blur`.
    public var name: String { "blur" }
    /// The name, the strength, whether exposure is accumulated in linear light, and the quality.
    public var summary: String {
        "\(name) \(strength) \(isLinearLight ? "in linear light " : "")\(options.summary)"
    }
    /// One frame on each side; motion is only meaningful between adjacent frames, and nothing moves while one is held.
    public var window: TemporalWindow {
        TemporalWindow(previous: 1, next: 1, needsUnbroken: true).usingMotion().endingAtHolds()
    }
    /// True: blur leaves the motion as it is.
    public var keepsMotion: Bool { true }
    /// Starts a clip.
    public func makeRun(for source: VideoStreamDescription) -> any EffectRun { MotionBlurRun(self) }
}

private struct MotionBlurRun: EffectRun {
    private let pass: MotionBlurPass
    private var engine: MotionBlurEngine?
    private var keeper: AreaKeeper

    init(_ pass: MotionBlurPass) {
        self.pass = pass
        keeper = AreaKeeper(pass)
    }

    mutating func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
        var frame = neighbourhood.current
        let (picture, motion) = try blur(neighbourhood)
        let original = AreaKeeper.Original(buffer: frame.buffer, number: neighbourhood.sourceNumber)
        frame.buffer = try keeper.keep(original, in: picture)
        try output.write(frame, motion: motion)
    }

    /// Returns the blurred frame and the motion to it from the previous frame.
    private mutating func blur(_ neighbourhood: Neighbourhood) throws -> (PixelBuffer, OpticalFlow?) {
        let current = neighbourhood.current.buffer
        let previous = neighbourhood.previous.last?.buffer, next = neighbourhood.next.first?.buffer
        // A frame without neighbours has no known motion.
        guard previous != nil || next != nil else { return (current, nil) }
        let engine =
            try self.engine
            ?? MotionBlurConfiguration(
                unchecked: FrameDimensions(width: current.width, height: current.height),
                qualityPrioritization: pass.options.quality, linearLight: pass.isLinearLight
            ).makeEffect(format: current.format, context: pass.options.context)
        self.engine = engine
        // If there is a previous frame, the current frame was the `next` of the previous call.
        let relation: PairRelation = neighbourhood.resets || previous == nil ? .none : .follows
        // Motion from an earlier effect is usable only if it exists on every side that has a neighbour, with the same
        // cell size on both.
        let before = previous.flatMap { _ in neighbourhood.motion.before }
        let after = next.flatMap { _ in neighbourhood.motion.after }
        let isKnown =
            (previous == nil || before != nil) && (next == nil || after != nil)
            && (before == nil || after == nil || before?.forward.cellSide == after?.forward.cellSide)
        let picture = try engine.blur(
            current, previous: previous, next: next, color: neighbourhood.current.color, strength: pass.strength,
            relation: relation, previousFlow: isKnown ? before : nil, nextFlow: isKnown ? after : nil)
        return (picture, engine.previousFlow)
    }
}
