public import FrameCore

/// The settings of frame-rate conversion; see ``RateConversionPlan``.
public struct RateStep: EffectSettings {
    /// Frames per second of the output.
    public var rate: Rational

    /// Creates settings.
    public init(rate: Rational) { self.rate = rate }

    /// `rate`.
    public static let effectName = "rate"
    /// The rate.
    public static let table = [
        EffectSetting(
            "fps", .fraction, isRequired: true, placeholder: "rate",
            "Frames per second of the output, 1 to 1000, e.g. 60, 24000/1001 or 23.976.")
    ]

    /// Reads the settings.
    public init(_ values: SettingValues) throws {
        guard let text = values["fps"] else {
            throw FrameError(.invalidArgument, "'rate' needs the setting fps")
        }
        rate = try StepText.exact(Substring(text), "fps")
    }

    /// The rate.
    public var values: SettingValues { ["fps": rate.description] }

    /// Returns the effect.
    public func effect(_ options: ConversionOptions) throws -> any ClipEffect {
        FrameRateConversionPass(plan: try RateConversionPlan(rate: rate), options: options)
    }
}
