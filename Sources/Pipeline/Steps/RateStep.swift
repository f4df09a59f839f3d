public import FrameCore

/// The settings of frame-rate conversion; see ``RateConversionPlan`` and ``RepeatsPass``.
public struct RateStep: KeepingSettings {
    /// Frames per second of the output; nil for the rate of the source's pictures, without any repeats.
    public var rate: Rational?
    /// Where made frames keep the pixels of the source.
    public var kept = KeptAreas()

    /// Creates settings.
    public init(rate: Rational?) { self.rate = rate }

    /// The word for the rate of the source's pictures.
    package static let source = "source"

    /// `rate`.
    public static let effectName = "rate"
    /// The rate, and what is kept.
    public static let table =
        [
            EffectSetting(
                "fps", .fraction, keyword: source, isRequired: true, placeholder: "rate",
                "Frames per second of the output, 1 to 1000, e.g. 60, 24000/1001 or 23.976; or source, for the rate at which the pictures of the source change, with none made and no repeats."
            )
        ] + KeptAreas.table

    /// Reads the settings.
    public init(_ values: SettingValues) throws {
        guard let text = values["fps"] else {
            throw FrameError(.invalidArgument, "'rate' needs the setting fps")
        }
        rate = text == Self.source ? nil : try StepText.exact(Substring(text), "fps")
        kept = try KeptAreas(values)
    }

    /// The rate, and what is kept.
    public var values: SettingValues {
        var values: SettingValues = ["fps": rate?.description ?? Self.source]
        kept.write(to: &values)
        return values
    }

    /// Returns the effect.
    public func effect(_ options: ConversionOptions) throws -> any ClipEffect {
        guard let rate else {
            try kept.requireEmpty("'rate' makes no frames at the rate of the source")
            return RepeatsPass(restoresRate: true)
        }
        return FrameRateConversionPass(plan: try RateConversionPlan(rate: rate), options: options.keeping(kept))
    }
}
