public import FrameCore

/// The settings of slow motion; see ``SlowMotionPlan`` and ``StretchPlan``.
public struct SlomoStep: EffectSettings {
    /// How much slower.
    public enum Speed: Sendable, Hashable {
        /// New frames at these fractions of the interval from each frame to the next; n of them make the clip n + 1 times
        /// longer.
        case phases([Rational])
        /// A factor above 1 and at most 256. A whole one keeps every frame; others sample the clip evenly.
        case factor(Rational)
    }

    /// How much slower.
    public var speed: Speed

    /// Creates settings. A whole factor is the same as its evenly spaced phases.
    public init(speed: Speed) {
        if case .factor(let factor) = speed, factor.reduced.denominator == 1,
            let plan = try? SlowMotionPlan(factor: Int(factor.reduced.numerator))
        {
            self.speed = .phases(plan.phases)
        } else {
            self.speed = speed
        }
    }

    /// `slomo`.
    public static let effectName = "slomo"
    /// The phases or the factor.
    public static let table = [
        EffectSetting(
            "phases", .fractions, defaultValue: "0.5", placeholder: "p,p,...",
            "Positions of the new frames between two source frames: ascending numbers between 0 and 1. Default: 0.5."
        ),
        EffectSetting(
            "factor", .fraction,
            "Slow down by this factor, with evenly spaced phases; a number such as 8, 1.5 or 5/2, above 1 and at most 256."
        ),
    ]

    /// Reads the settings.
    public init(_ values: SettingValues) throws {
        try values.exclude("phases", "factor")
        if let text = values["factor"] {
            guard let factor = Rational(exactly: Substring(text)) else {
                throw FrameError(
                    .invalidArgument,
                    "\(values.name(of: "factor")) '\(text)' is not a number above 1 and at most \(SlowMotionPlan.maximumPhaseCount + 1), such as 4, 1.5 or 5/2"
                )
            }
            self.init(speed: .factor(factor.reduced))
        } else {
            self.init(speed: .phases(try values.fractions("phases", "phase") ?? [Rational(1, 2)]))
        }
    }

    /// The phases or the factor.
    public var values: SettingValues {
        switch speed {
        case .phases(let phases): ["phases": phases.map(\.description).joined(separator: ",")]
        case .factor(let factor): ["factor": factor.description]
        }
    }

    /// Returns the effect.
    public func effect(_ options: ConversionOptions) throws -> any ClipEffect {
        switch speed {
        case .phases(let phases):
            FrameRateConversionPass(plan: try SlowMotionPlan(phases: phases), options: options)
        case .factor(let factor) where factor.denominator == 1:
            // The limits of whole factors are those of phases.
            FrameRateConversionPass(
                plan: try SlowMotionPlan(factor: Int(factor.numerator)), options: options)
        case .factor(let factor):
            FrameRateConversionPass(plan: try StretchPlan(factor: factor), options: options)
        }
    }
}
