internal import FrameCore

/// A chain of effects as a value that can be kept in a file: which effects, in which order, with which settings.
///
/// As JSON: `{"version": 1, "effects": [{"effect": "denoise", "strength": "auto"}, …]}`. What is unknown is refused by
/// name rather than passed over, so that a recipe never does less than it says.
public struct EffectRecipe: Sendable, Hashable {
    /// Of the form that is written, and the only one that is read.
    public static let version = 1
    /// Effects that a recipe may have.
    public static let stepRange = 1...32

    /// In the order in which frames go through them; the same effect may stand there more than once.
    public let steps: [EffectStep]

    /// - Throws: `FrameError` for no step or too many, and for settings that are not allowed.
    public init(_ steps: [EffectStep]) throws {
        guard Self.stepRange.contains(steps.count) else {
            throw FrameError(
                .invalidArgument,
                "\(steps.count) effects are not allowed in a chain; it has \(Self.stepRange.lowerBound) to \(Self.stepRange.upperBound)"
            )
        }
        for step in steps { _ = try step.effect(ConversionOptions()) }
        guard steps.reduce(Int64(1), { min(1 << 40, $0 * Int64($1.stretch)) }) <= Self.maximumStretch else {
            throw FrameError(
                .invalidArgument,
                "the chain makes time more than \(Self.maximumStretch) times longer; slow motion may do so \(Self.maximumStretch) times in all"
            )
        }
        self.steps = steps
    }

    /// How many times longer a clip may become in all.
    public static let maximumStretch: Int64 = 4096

    /// The effects, made as `options` say.
    ///
    /// - Throws: `FrameError` for settings that are not allowed at this quality.
    public func chain(_ options: ConversionOptions) throws -> EffectChain {
        try EffectChain(steps.map { try $0.effect(options) })
    }

    /// How many times longer the result lasts.
    public var stretch: Int { steps.reduce(1) { $0 * $1.stretch } }

    /// Whether an evenly timed source gives evenly timed output.
    public var hasEvenTimes: Bool {
        var isEven = true
        for step in steps {
            switch step {
            case .slomo(let phases): isEven = isEven && (try? SlowMotionPlan(phases: phases))?.isEven ?? false
            // Samples at even times whatever it is given.
            case .rate: isEven = true
            default: break
            }
        }
        return isEven
    }
}
