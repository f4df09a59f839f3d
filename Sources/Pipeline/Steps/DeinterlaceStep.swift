package import FrameCore

/// The settings of deinterlacing; see ``DeinterlacePass``. It is always the first step of a chain.
public struct DeinterlaceStep: EffectSettings {
    /// Which frames are taken for interlaced.
    public var fields: DeinterlacePass.Fields
    /// How many frames are made of each.
    public var rate: FieldRate
    /// What becomes of telecined film.
    public var cadence: DeinterlacePass.CadenceHandling

    /// Creates settings.
    public init(
        fields: DeinterlacePass.Fields = .auto, rate: FieldRate = .field,
        cadence: DeinterlacePass.CadenceHandling = .auto
    ) {
        self.fields = fields
        self.rate = rate
        self.cadence = cadence
    }

    /// `deinterlace`.
    public static let effectName = "deinterlace"
    /// The fields, the rate and the cadence.
    public static let table = [
        EffectSetting(
            "fields", .choice(DeinterlacePass.Fields.allCases.map(\.rawValue)), defaultValue: "auto",
            placeholder: "fields",
            "Which frames are interlaced: those whose pictures or marks show it (auto), or all, top (tff) or bottom field first (bff)."
        ),
        EffectSetting(
            "field_rate", .choice(FieldRate.allCases.map(\.rawValue)), defaultValue: "field", placeholder: "rate",
            "Make a frame of each field, which doubles the frame rate, or one of each frame."),
        EffectSetting(
            "cadence", .choice(DeinterlacePass.CadenceHandling.allCases.map(\.rawValue)), defaultValue: "auto",
            placeholder: "handling",
            "Put the frames of telecined film together again (auto), or deinterlace them like other video (off). Film is found only in a whole clip."
        ),
    ]

    /// Reads the settings.
    public init(_ values: SettingValues) throws {
        fields = try values.choice("fields", DeinterlacePass.Fields.self) ?? .auto
        rate = try values.choice("field_rate", FieldRate.self) ?? .field
        cadence = try values.choice("cadence", DeinterlacePass.CadenceHandling.self) ?? .auto
    }

    /// The settings.
    public var values: SettingValues {
        ["fields": fields.rawValue, "field_rate": rate.rawValue, "cadence": cadence.rawValue]
    }

    /// Returns the effect.
    public func effect(_ options: ConversionOptions) throws -> any ClipEffect {
        DeinterlacePass(fields: fields, rate: rate, cadence: cadence, options: options)
    }
}

extension EffectStep {
    /// Makes progressive frames from interlaced ones; see ``DeinterlaceStep``.
    public static func deinterlace(
        _ fields: DeinterlacePass.Fields = .auto, rate: FieldRate = .field
    ) -> EffectStep {
        EffectStep(DeinterlaceStep(fields: fields, rate: rate))
    }

    /// Checks the order of a chain's steps.
    ///
    /// - Throws: `FrameError` if another step comes before `deinterlace`: the rows of interlaced frames are not neighbours,
    ///   so no other effect can process them.
    package static func checkOrder(of steps: [EffectStep]) throws(FrameError) {
        guard let place = steps.lastIndex(where: { $0.settings is DeinterlaceStep }), place > 0 else { return }
        throw FrameError(
            .invalidArgument,
            "'deinterlace' is effect \(place + 1) of the chain; it must be the first, because other effects need progressive frames"
        )
    }
}
