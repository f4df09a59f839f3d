public import FrameEffects

/// All settings of one effect, as a value.
///
/// A new effect is a type that conforms to this protocol and an entry in ``EffectStep/known``.
public protocol EffectSettings: Sendable, Hashable {
    /// The name of the effect in recipes, in C and in VapourSynth.
    static var effectName: String { get }
    /// The keys of the settings, in the order in which they are listed.
    static var table: [EffectSetting] { get }
    /// Reads the settings.
    ///
    /// - Throws: `FrameError` that names the key, the value and what is allowed.
    init(_ values: SettingValues) throws
    /// The settings that differ from what a missing key means, and those that are always written.
    var values: SettingValues { get }
    /// Returns the effect.
    ///
    /// - Throws: `FrameError` if a setting is not allowed.
    func effect(_ options: ConversionOptions) throws -> any ClipEffect
    /// Whether the effect draws its frames, so that nothing of the source is lost if they get fewer chroma samples for the
    /// sake of players.
    var isDrawing: Bool { get }
    /// Whether the effect's frames are pictures, rather than numbers in their place.
    var makesPictures: Bool { get }
    /// The noise that the effect removes; nil if it removes none.
    var removedNoise: NoiseLevel? { get }
    /// Returns the same settings with other paths of the files that the effect reads.
    func mappingPaths(_ change: (String) -> String) -> Self
}

extension EffectSettings {
    /// False: frames come from the source.
    public var isDrawing: Bool { false }
    /// True.
    public var makesPictures: Bool { true }
    /// Nil: the effect removes no noise.
    public var removedNoise: NoiseLevel? { nil }
    /// By default, the effect reads no files.
    public func mappingPaths(_ change: (String) -> String) -> Self { self }
}
