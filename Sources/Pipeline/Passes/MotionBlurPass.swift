public import FrameCore
internal import FrameEffects
internal import Motion

/// Motion blur over a clip.
public struct MotionBlurPass: ClipEffect {
    /// Strengths that are allowed, in units of 3.6° of shutter angle.
    package static let strengthRange = 1...100

    fileprivate let strength: Int
    fileprivate let isLinearLight: Bool
    fileprivate let options: ConversionOptions

    /// - Parameters:
    ///   - strength: length of the exposure in units of 3.6 degrees of shutter angle, 1 to 100.
    ///   - isLinearLight: whether exposure is summed up in linear light.
    ///   - options: quality and threads.
    /// - Throws: `FrameError` for another strength.
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
    /// Name, strength, light and quality.
    public var summary: String {
        "\(name) \(strength) \(isLinearLight ? "in linear light " : "")\(options.summary)"
    }
    /// One frame on each side; motion means nothing between frames that are not neighbours.
    public var window: TemporalWindow { TemporalWindow(previous: 1, next: 1, needsUnbroken: true).usingMotion() }
    /// true.
    public var keepsMotion: Bool { true }
    /// Begins a clip.
    public func makeRun(for source: VideoStreamDescription) -> any EffectRun { MotionBlurRun(self) }
}

private struct MotionBlurRun: EffectRun {
    private let pass: MotionBlurPass
    private var engine: MotionBlurEngine?

    init(_ pass: MotionBlurPass) { self.pass = pass }

    mutating func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
        var frame = neighbourhood.current
        let (picture, motion) = try blur(neighbourhood)
        frame.buffer = picture
        try output.write(frame, motion: motion)
    }

    /// The blurred picture and the motion from the frame before it.
    private mutating func blur(_ neighbourhood: Neighbourhood) throws -> (PixelBuffer, OpticalFlow?) {
        let current = neighbourhood.current.buffer
        let previous = neighbourhood.previous.last?.buffer, next = neighbourhood.next.first?.buffer
        // Nothing tells how a frame that stands alone moves.
        guard previous != nil || next != nil else { return (current, nil) }
        let engine =
            try self.engine
            ?? MotionBlurEngine(
                format: current.format, width: current.width, height: current.height, quality: pass.options.quality,
                linearLight: pass.isLinearLight, threads: pass.options.threads)
        self.engine = engine
        // Where there is a previous frame, this one was its next.
        let relation: PairRelation = neighbourhood.resets || previous == nil ? .none : .follows
        // Motion that was brought along serves if it is there for both sides, in cells of one size.
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
