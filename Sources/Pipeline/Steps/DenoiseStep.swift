internal import FrameCore
public import FrameEffects

/// The settings of noise reduction; see ``TemporalNoiseFilterPass``.
public struct DenoiseStep: KeepingSettings {
    /// How much noise to remove.
    public var noise: NoiseLevel
    /// Whether blocking and ringing are reduced; nil does so if the noise is measured.
    public var deblocking: Deblocking?
    /// The number of earlier frames used to clean a frame; nil for the maximum.
    public var past: Int?
    /// The number of later frames; nil for the maximum.
    public var future: Int?
    /// Where the pixels of the source are kept.
    public var kept = KeptAreas()

    /// Creates settings.
    public init(
        noise: NoiseLevel = .automatic, deblocking: Deblocking? = nil, past: Int? = nil,
        future: Int? = nil
    ) {
        self.noise = noise
        self.deblocking = deblocking
        self.past = past
        self.future = future
    }

    /// `denoise`.
    public static let effectName = "denoise"
    private static let references =
        0...TemporalNoiseFilterConfiguration.maximumReferenceCount(.quality)
    /// The strength, or the noise itself, the frames that are used, and what is kept.
    public static let table =
        [
            EffectSetting(
                "strength", .number(NoiseLevel.strengthRange), keyword: "auto", defaultValue: "auto",
                "Part of the noise to remove, from 0 (no change) to 1 or auto (all of it). Default: auto."),
            EffectSetting(
                "sigma", .number(NoiseLevel.sigmaRange),
                "Noise level of white noise, if known: standard deviation in 8-bit code values, 0 to 255."),
            EffectSetting(
                "model", .text, option: "noise-model", placeholder: "file",
                "Noise that vfx info --write-noise has measured, in this clip or in another one of the same camera."
            ),
            EffectSetting(
                "deblock", .choice(Deblocking.allCases.map(\.rawValue)), placeholder: "deblock",
                "Reduce blocking and ringing where the video was compressed strongly. Default: auto, and off with --sigma."
            ),
            EffectSetting(
                "past", .whole(references),
                "Number of earlier frames to use, 0 to 3 (at high quality 0 to 8). Default: the maximum."),
            EffectSetting(
                "future", .whole(references),
                "Number of later frames to use, 0 to 3 (at high quality 0 to 8). Default: the maximum."),
        ] + KeptAreas.table

    /// Reads the settings.
    public init(_ values: SettingValues) throws {
        try values.exclude("sigma", "model")
        let part = try values.number("strength", NoiseLevel.strengthRange, word: "auto")
        if let text = values["model"] {
            noise = .model(try NoiseModel(text: text), strength: part ?? 1)
        } else if let sigma = try values.number("sigma", NoiseLevel.sigmaRange) {
            noise = .sigma(sigma, strength: part ?? 1)
        } else {
            noise = part.map { .strength($0) } ?? .automatic
        }
        deblocking = try values.choice("deblock", Deblocking.self)
        past = try values.whole("past", Self.references)
        future = try values.whole("future", Self.references)
        kept = try KeptAreas(values)
        if past == 0, future == 0 {
            throw FrameError(
                .invalidArgument,
                "\(values.name(of: "past")) 0 and \(values.name(of: "future")) 0 leave nothing to compare a frame with; at least one of them must be above 0"
            )
        }
    }

    /// The settings, and always how much noise is removed.
    public var values: SettingValues {
        var values = SettingValues()
        switch noise {
        case .automatic: values["strength"] = "auto"
        case .strength(let strength): values["strength"] = "\(strength)"
        case .sigma(let sigma, let strength):
            values["sigma"] = "\(sigma)"
            if strength != 1 { values["strength"] = "\(strength)" }
        case .model(let model, let strength):
            values["model"] = model.text
            if strength != 1 { values["strength"] = "\(strength)" }
        }
        values["deblock"] = deblocking?.rawValue
        values["past"] = past.map(String.init)
        values["future"] = future.map(String.init)
        kept.write(to: &values)
        return values
    }

    /// How much noise is removed.
    public var removedNoise: NoiseLevel? { noise }

    /// Returns the effect.
    public func effect(_ options: ConversionOptions) throws -> any ClipEffect {
        try TemporalNoiseFilterPass(
            noise: noise, deblocking: deblocking, past: past, future: future, options: options.keeping(kept))
    }
}
