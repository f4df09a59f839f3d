public import FrameCore

/// The settings of slow motion; see ``SlowMotionPlan``, ``StretchPlan`` and ``SpeedRampPlan``.
public struct SlomoStep: KeepingSettings {
    /// How much slower.
    public enum Speed: Sendable, Hashable {
        /// New frames at these fractions of the interval from each frame to the next; n of them make the clip n + 1 times
        /// longer.
        case phases([Rational])
        /// A factor above 1 and at most 256. A whole one keeps every frame; others sample the clip evenly.
        case factor(Rational)
        /// Speeds that change along a curve, with frames at a constant rate: in frames per second, or nil for the source's.
        case ramp(SpeedCurve, rate: Rational? = nil, blur: RampBlur = .off)
    }

    /// What becomes of the time that frames skip where a ramp is faster than the source.
    public enum RampBlur: String, Sendable, Hashable, Codable, CaseIterable {
        /// It is not seen.
        case off
        /// The shutter covers it, so that motion is blurred.
        case auto
    }

    /// How much slower.
    public var speed: Speed
    /// Where made frames keep the pixels of the source.
    public var kept = KeptAreas()

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
    /// The phases, the factor or the speed, and what is kept.
    public static let table =
        [
            EffectSetting(
                "phases", .fractions, defaultValue: "0.5", placeholder: "p,p,...",
                "Positions of the new frames between two source frames: ascending numbers between 0 and 1. Default: 0.5."
            ),
            EffectSetting(
                "factor", .fraction,
                "Slow down by this factor, with evenly spaced phases; a number such as 8, 1.5 or 5/2, above 1 and at most 256."
            ),
            EffectSetting(
                "speed", .text, placeholder: "t:s,t:s,...",
                "Change the speed along points such as 0:1,2:0.25,3.5:0.25,4:1: source time in seconds, and speed from 1/256 to 100. 2:0@1.5 freezes the picture for 1.5 s, 2:1..0.5 jumps."
            ),
            EffectSetting(
                "ease", .choice(SpeedCurve.Easing.allCases.map(\.rawValue)), placeholder: "ease",
                "With speed points: how speed changes between two of them. Default: linear."),
            EffectSetting(
                "fps", .fraction, placeholder: "rate",
                "With speed points: the output frame rate, 1 to 1000. Default: the input's."),
            EffectSetting(
                "blur", .choice(RampBlur.allCases.map(\.rawValue)), placeholder: "blur",
                "With speed points: auto blurs motion where frames are skipped, as a shutter that is open for their time. Default: off."
            ),
        ] + KeptAreas.table

    /// Reads the settings.
    public init(_ values: SettingValues) throws {
        try values.exclude("phases", "factor")
        try values.exclude("phases", "speed")
        try values.exclude("factor", "speed")
        if let curve = try values["speed"].map({ text throws(FrameError) in
            try SpeedCurve(text: text, easing: values.choice("ease", SpeedCurve.Easing.self) ?? .linear)
        }) {
            self.init(
                speed: .ramp(
                    curve, rate: try values["fps"].map { try StepText.exact(Substring($0), values.name(of: "fps")) },
                    blur: try values.choice("blur", RampBlur.self) ?? .off))
            kept = try KeptAreas(values)
            return
        }
        for key in ["ease", "fps", "blur"] where values[key] != nil {
            throw FrameError(
                .invalidArgument,
                "\(values.name(of: key)) belongs to a speed ramp; give \(values.name(of: "speed")) too")
        }
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
        kept = try KeptAreas(values)
    }

    /// The phases, the factor or the speed, and what is kept.
    public var values: SettingValues {
        var values: SettingValues =
            switch speed {
            case .phases(let phases): ["phases": phases.map(\.description).joined(separator: ",")]
            case .factor(let factor): ["factor": factor.description]
            case .ramp(let curve, let rate, let blur): Self.values(curve, rate, blur)
            }
        kept.write(to: &values)
        return values
    }

    private static func values(_ curve: SpeedCurve, _ rate: Rational?, _ blur: RampBlur) -> SettingValues {
        var values: SettingValues = ["speed": curve.text]
        if curve.easing != .linear { values["ease"] = curve.easing.rawValue }
        values["fps"] = rate?.description
        if blur != .off { values["blur"] = blur.rawValue }
        return values
    }

    /// Returns the effect.
    public func effect(_ options: ConversionOptions) throws -> any ClipEffect {
        let options = options.keeping(kept)
        return switch speed {
        case .phases(let phases):
            FrameRateConversionPass(plan: try SlowMotionPlan(phases: phases), options: options)
        case .factor(let factor) where factor.denominator == 1:
            // The limits of whole factors are those of phases.
            FrameRateConversionPass(
                plan: try SlowMotionPlan(factor: Int(factor.numerator)), options: options)
        case .factor(let factor):
            FrameRateConversionPass(plan: try StretchPlan(factor: factor), options: options)
        case .ramp(let curve, let rate, let blur):
            FrameRateConversionPass(
                plan: try SpeedRampPlan(curve: curve, rate: rate, isBlurred: blur == .auto), options: options)
        }
    }
}
