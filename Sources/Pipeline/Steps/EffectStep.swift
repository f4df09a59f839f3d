public import FrameCore
public import FrameEffects

/// One effect of a chain with all its settings, as a value.
public struct EffectStep: Sendable {
    /// The settings; their type tells which effect it is.
    public let settings: any EffectSettings

    /// The settings of all effects, in the order in which messages list them.
    public static let known: [any EffectSettings.Type] = [
        DeinterlaceStep.self, DenoiseStep.self, UpscaleStep.self, SlomoStep.self, RateStep.self, BlurStep.self,
        GrainStep.self, SmoothStep.self, FlowStep.self,
    ]

    /// Creates a step of an effect.
    public init(_ settings: some EffectSettings) { self.settings = settings }

    /// Reads the settings of an effect.
    ///
    /// - Parameters:
    ///   - name: the name of the effect.
    ///   - values: its settings.
    /// - Throws: `FrameError` for an effect, a key or a value that is not allowed.
    public init(_ name: String, _ values: SettingValues) throws {
        guard let type = Self.known.first(where: { $0.effectName == name }) else {
            throw Self.unknown(name)
        }
        let allowed = type.table.map(\.key)
        if let key = values.keys.first(where: { !allowed.contains($0) }) {
            throw FrameError(
                .invalidArgument,
                "'\(key)' is not an option of '\(name)'; the options are \(allowed.sorted().joined(separator: ", "))"
            )
        }
        settings = try type.init(values)
    }

    /// The name of the effect.
    public var name: String { type(of: settings).effectName }

    /// Returns the effect.
    ///
    /// - Throws: `FrameError` if a setting is not allowed.
    public func effect(_ options: ConversionOptions) throws -> any ClipEffect {
        try settings.effect(options)
    }

    /// Returns the same step with other paths of the files that the effect reads.
    package func mappingPaths(_ change: (String) -> String) -> EffectStep {
        func mapped(_ settings: some EffectSettings) -> EffectStep { EffectStep(settings.mappingPaths(change)) }
        return mapped(settings)
    }

    /// The names of all effects.
    static var names: [String] { known.map { $0.effectName } }

    package static func unknown(_ name: String) -> FrameError {
        FrameError(
            .invalidArgument,
            "'\(name)' is not an effect; the effects are \(names.joined(separator: ", "))")
    }
}

extension EffectStep: Hashable {
    /// Whether both are the same effect with equal settings.
    public static func == (a: EffectStep, b: EffectStep) -> Bool {
        AnyHashable(a.settings) == AnyHashable(b.settings)
    }
    /// Hashes the settings.
    public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(settings)) }
}

// MARK: - Each effect

extension EffectStep {
    /// Reduces noise with the help of neighbouring frames, and what strong compression leaves; see ``DenoiseStep``.
    public static func denoise(
        _ noise: NoiseLevel, deblocking: Deblocking? = nil, past: Int? = nil, future: Int? = nil
    ) -> EffectStep {
        EffectStep(DenoiseStep(noise: noise, deblocking: deblocking, past: past, future: future))
    }

    /// Enlarges frames; see ``UpscaleStep``.
    public static func upscale(
        _ target: UpscaleTarget, deblocking: Deblocking = .automatic,
        inputType: SuperResolutionScalerConfiguration.InputType? = nil, isLowLatency: Bool = false
    ) -> EffectStep {
        EffectStep(
            UpscaleStep(
                target: target, deblocking: deblocking, inputType: inputType, isLowLatency: isLowLatency))
    }

    /// Slows down: new frames are made at these fractions of the interval from each frame to the next.
    public static func slomo(phases: [Rational]) -> EffectStep {
        EffectStep(SlomoStep(speed: .phases(phases)))
    }

    /// Slows down by a factor. Whole factors keep every frame; others sample the clip evenly.
    public static func slomo(factor: Rational) -> EffectStep {
        EffectStep(SlomoStep(speed: .factor(factor)))
    }

    /// Converts to another frame rate, in frames per second, at the same speed.
    public static func rate(_ rate: Rational) -> EffectStep { EffectStep(RateStep(rate: rate)) }

    /// Adds motion blur; the strength is the length of the exposure in units of 3.6° of shutter angle, 1 to 100.
    public static func blur(strength: Int, isLinearLight: Bool) -> EffectStep {
        EffectStep(BlurStep(strength: strength, isLinearLight: isLinearLight))
    }

    /// Adds synthetic film grain.
    public static func grain(_ source: GrainSource) -> EffectStep {
        EffectStep(GrainStep(source: source))
    }

    /// Makes frames between the latest two as each frame arrives; see ``SmoothStep``.
    public static func smooth(depth: Int, scale: Int = 1) -> EffectStep {
        EffectStep(SmoothStep(depth: depth, scale: scale))
    }
}
