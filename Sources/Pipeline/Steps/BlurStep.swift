internal import FrameCore

/// The settings of motion blur; see ``MotionBlurPass``.
public struct BlurStep: KeepingSettings {
    /// The length of the exposure in units of 3.6° of shutter angle, 1 to 100.
    public var strength: Int
    /// Whether light is added up in linear light instead of code values.
    public var isLinearLight: Bool
    /// Where the pixels of the source are kept.
    public var kept = KeptAreas()

    /// Creates settings.
    public init(strength: Int, isLinearLight: Bool = false) {
        self.strength = strength
        self.isLinearLight = isLinearLight
    }

    /// `blur`.
    public static let effectName = "blur"
    /// The length of the exposure, how light is added up, and what is kept.
    public static let table =
        [
            EffectSetting(
                "strength", .whole(MotionBlurPass.strengthRange), defaultValue: "50",
                "Length of the exposure in units of 3.6 degrees, a whole number from 1 to 100."),
            EffectSetting(
                "linear_light", .flag, defaultValue: "false", "Accumulate the exposure in linear light."),
        ] + KeptAreas.table

    /// Reads the settings.
    public init(_ values: SettingValues) throws {
        strength = try values.whole("strength", MotionBlurPass.strengthRange) ?? 50
        isLinearLight = try values.flag("linear_light") ?? false
        kept = try KeptAreas(values)
    }

    /// The settings.
    public var values: SettingValues {
        var values: SettingValues = ["strength": "\(strength)", "linear_light": "\(isLinearLight)"]
        kept.write(to: &values)
        return values
    }

    /// Returns the effect.
    public func effect(_ options: ConversionOptions) throws -> any ClipEffect {
        try MotionBlurPass(strength: strength, isLinearLight: isLinearLight, options: options.keeping(kept))
    }
}
