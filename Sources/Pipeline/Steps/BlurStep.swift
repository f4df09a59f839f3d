internal import FrameCore

/// The settings of motion blur; see ``MotionBlurPass``.
public struct BlurStep: EffectSettings {
    /// The length of the exposure in units of 3.6° of shutter angle, 1 to 100.
    public var strength: Int
    /// Whether light is added up in linear light instead of code values.
    public var isLinearLight: Bool

    /// Creates settings.
    public init(strength: Int, isLinearLight: Bool = false) {
        self.strength = strength
        self.isLinearLight = isLinearLight
    }

    /// `blur`.
    public static let effectName = "blur"
    /// The length of the exposure, and how light is added up.
    public static let table = [
        EffectSetting(
            "strength", .whole(MotionBlurPass.strengthRange), defaultValue: "50",
            "Length of the exposure in units of 3.6 degrees, a whole number from 1 to 100."),
        EffectSetting(
            "linear_light", .flag, defaultValue: "false", "Accumulate the exposure in linear light."),
    ]

    /// Reads the settings.
    public init(_ values: SettingValues) throws {
        strength = try values.whole("strength", MotionBlurPass.strengthRange) ?? 50
        isLinearLight = try values.flag("linear_light") ?? false
    }

    /// The settings.
    public var values: SettingValues {
        ["strength": "\(strength)", "linear_light": "\(isLinearLight)"]
    }

    /// Returns the effect.
    public func effect(_ options: ConversionOptions) throws -> any ClipEffect {
        try MotionBlurPass(strength: strength, isLinearLight: isLinearLight, options: options)
    }
}
