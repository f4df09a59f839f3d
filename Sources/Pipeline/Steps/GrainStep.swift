internal import FrameCore

/// The settings of synthetic film grain; see ``FilmGrainPass``.
public struct GrainStep: EffectSettings {
    /// Where the grain comes from.
    public var source: GrainSource

    /// Creates settings.
    public init(source: GrainSource) { self.source = source }

    /// `grain`.
    public static let effectName = "grain"
    /// The strength or the table.
    public static let table = [
        EffectSetting(
            "strength", .number(0...32),
            "Standard deviation of the grain in 8-bit code values in the middle tones."),
        EffectSetting("table", .text, placeholder: "file", "File with a grain table for AV1 encoders."),
    ]

    /// Reads the settings.
    public init(_ values: SettingValues) throws {
        switch (values["strength"], values["table"]) {
        case (let strength?, nil) where Float(strength) != nil: source = try GrainSource(strength)
        case (nil, let table?): source = .table(path: table)
        default: throw FrameError(.invalidArgument, "'grain' takes either a strength or a table")
        }
    }

    /// The strength or the table.
    public var values: SettingValues {
        switch source {
        case .strength(let strength): ["strength": "\(strength)"]
        case .table(let path): ["table": path]
        }
    }

    /// Changes the path of a table.
    public func mappingPaths(_ change: (String) -> String) -> GrainStep {
        guard case .table(let path) = source else { return self }
        return GrainStep(source: .table(path: change(path)))
    }

    /// Returns the effect.
    public func effect(_ options: ConversionOptions) throws -> any ClipEffect {
        try source.pass(options)
    }
}
