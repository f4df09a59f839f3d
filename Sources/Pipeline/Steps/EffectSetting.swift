/// A setting of an effect, as every way in to the effects knows it: the command line, recipes, C, VapourSynth.
///
/// Each effect lists its settings once, in ``EffectSettings/table``.
public struct EffectSetting: Sendable, Hashable {
    /// The values that a setting may have.
    public enum Values: Sendable, Hashable {
        /// A whole number.
        case whole(ClosedRange<Int>)
        /// A number, as a decimal.
        case number(ClosedRange<Float>)
        /// `true` or `false`.
        case flag
        /// One of these words.
        case choice([String])
        /// A number, exactly: a whole number, a decimal or a fraction.
        case fraction
        /// A list of such numbers.
        case fractions
        /// Rectangles `x,y,width,height`, separated by semicolons.
        case rectangles
        /// Text: a size, the contents of a file, a path.
        case text
    }

    /// The key in recipes, in C and in VapourSynth.
    public let key: String
    /// The name of the option on the command line, without its hyphens at the beginning.
    public let option: String
    /// The values that are allowed.
    public let values: Values
    /// A word that is allowed in place of a number; nil for none.
    public let keyword: String?
    /// The value that stands for a missing one; nil if there is none.
    public let defaultValue: String?
    /// Whether the effect cannot be made without the setting.
    public let isRequired: Bool
    /// Whether the value names an image or a video, which the command line, recipes and jobs read, but not the C
    /// library.
    public let readsMedia: Bool
    /// What the setting does, in the words of the command line's help.
    public let help: String
    /// What stands for the value in the help.
    public let placeholder: String

    /// Creates a setting.
    init(
        _ key: String, _ values: Values, option: String? = nil, keyword: String? = nil, defaultValue: String? = nil,
        isRequired: Bool = false,
        placeholder: String = "number", readsMedia: Bool = false,
        _ help: String
    ) {
        self.key = key
        self.option = option ?? key.replacing("_", with: "-")
        self.isRequired = isRequired
        self.readsMedia = readsMedia
        self.values = values
        self.keyword = keyword
        self.defaultValue = defaultValue
        self.help = help
        self.placeholder = placeholder
    }
}
