public import FrameCore
public import FrameEffects

/// One effect of a recipe, described by its settings.
public enum EffectStep: Sendable, Hashable {
    /// Reduces noise with the help of neighbouring frames, and what strong compression leaves; nil does the latter if
    /// the noise is measured.
    case denoise(NoiseLevel, deblocking: Deblocking? = nil)
    /// Enlarges frames. Reduces what strong compression leaves, if the chain is adapted to the source (see
    /// ``EffectChain/adapted(to:)``).
    case upscale(UpscaleTarget, deblocking: Deblocking = .automatic)
    /// Slows down: new frames are made at these fractions of the interval from each frame to the next.
    case slomo(phases: [Rational])
    /// Converts to another frame rate, in frames per second, at the same speed.
    case rate(Rational)
    /// Adds motion blur; the strength is the length of the exposure in units of 3.6° of shutter angle, 1 to 100.
    case blur(strength: Int, isLinearLight: Bool)
    /// Adds synthetic film grain.
    case grain(GrainSource)

    /// Returns the effect.
    ///
    /// - Throws: `FrameError` if a setting is not allowed.
    public func effect(_ options: ConversionOptions) throws -> any ClipEffect {
        switch self {
        case .denoise(let noise, let deblocking):
            try TemporalNoiseFilterPass(noise: noise, deblocking: deblocking, options: options)
        case .upscale(let target, let deblocking):
            SuperResolutionScalerPass(target: target, deblocking: deblocking, options: options)
        case .slomo(let phases): FrameRateConversionPass(plan: try SlowMotionPlan(phases: phases), options: options)
        case .rate(let rate): FrameRateConversionPass(plan: try RateConversionPlan(rate: rate), options: options)
        case .blur(let strength, let isLinearLight):
            try MotionBlurPass(strength: strength, isLinearLight: isLinearLight, options: options)
        case .grain(let source): try source.pass(options)
        }
    }

    /// The factor by which the clip becomes longer.
    package var stretch: Int {
        if case .slomo(let phases) = self { phases.count + 1 } else { 1 }
    }
}

extension EffectStep: Codable {
    /// The names of all effects that a recipe may contain.
    static let names = ["denoise", "upscale", "slomo", "rate", "blur", "grain"]

    private static let keys: [String: Set<String>] = [
        "denoise": ["strength", "sigma", "model", "deblock"], "upscale": ["scale", "size", "deblock"],
        "slomo": ["phases"],
        "rate": ["fps"],
        "blur": ["strength", "linear_light"], "grain": ["strength", "table"],
    ]

    /// - Throws: the errors of ``EffectRecipe``'s decoder.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: RecipeKey.self)
        let name = try container.decode(String.self, forKey: "effect")
        guard let keys = Self.keys[name] else { throw Self.unknown(name) }
        try container.refuseUnknown(keys.union(["effect"]), in: "the effect '\(name)'")
        switch name {
        case "denoise":
            let strength = try container.text("strength")
            self = .denoise(
                try StepText.noise(
                    sigma: container.text("sigma"), model: container.text("model"), strength: strength),
                deblocking: try container.text("deblock").map { try StepText.deblocking($0) })
        case "upscale":
            let deblocking = try container.text("deblock").map { try StepText.deblocking($0) } ?? .automatic
            switch (try container.text("scale"), try container.text("size")) {
            case (let scale?, nil): self = .upscale(try .factor(scale, of: "upscale"), deblocking: deblocking)
            case (nil, let size?): self = .upscale(try .size(size, of: "upscale"), deblocking: deblocking)
            default: throw FrameError(.invalidArgument, "'upscale' takes either a scale or a size")
            }
        case "slomo":
            var list = try container.nestedUnkeyedContainer(forKey: "phases"), phases: [Rational] = []
            while !list.isAtEnd {
                let text = try (try? list.decode(String.self)) ?? String(list.decode(Double.self))
                phases.append(try StepText.exact(Substring(text), "phase"))
            }
            self = .slomo(phases: phases)
        case "rate": self = .rate(try StepText.exact(Substring(try container.text("fps") ?? ""), "fps"))
        case "grain":
            switch (try container.text("strength"), try container.text("table")) {
            case (let strength?, nil) where Float(strength) != nil: self = .grain(try GrainSource(strength))
            case (nil, let table?): self = .grain(.table(path: table))
            default: throw FrameError(.invalidArgument, "'grain' takes either a strength or a table")
            }
        default:
            self = .blur(
                strength: try container.decode(Int.self, forKey: "strength"),
                isLinearLight: try container.decodeIfPresent(Bool.self, forKey: "linear_light") ?? false)
        }
    }

    /// Writes all settings.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: RecipeKey.self)
        switch self {
        case .denoise(let noise, let deblocking):
            try container.encode("denoise", forKey: "effect")
            try container.encodeIfPresent(deblocking?.rawValue, forKey: "deblock")
            switch noise {
            case .automatic: try container.encode("auto", forKey: "strength")
            case .strength(let strength): try container.encode(strength, forKey: "strength")
            case .sigma(let sigma, let strength):
                try container.encode(sigma, forKey: "sigma")
                if strength != 1 { try container.encode(strength, forKey: "strength") }
            case .model(let model, let strength):
                try container.encode(model.text, forKey: "model")
                if strength != 1 { try container.encode(strength, forKey: "strength") }
            }
        case .upscale(let target, let deblocking):
            try container.encode("upscale", forKey: "effect")
            if deblocking == .off { try container.encode(deblocking.rawValue, forKey: "deblock") }
            switch target {
            case .factor(let factor): try container.encode(factor.description, forKey: "scale")
            case .size(let width, let height): try container.encode("\(width)x\(height)", forKey: "size")
            }
        case .slomo(let phases):
            try container.encode("slomo", forKey: "effect")
            try container.encode(phases.map(\.description), forKey: "phases")
        case .rate(let rate):
            try container.encode("rate", forKey: "effect")
            try container.encode(rate.description, forKey: "fps")
        case .blur(let strength, let isLinearLight):
            try container.encode("blur", forKey: "effect")
            try container.encode(strength, forKey: "strength")
            try container.encode(isLinearLight, forKey: "linear_light")
        case .grain(let source):
            try container.encode("grain", forKey: "effect")
            switch source {
            case .strength(let strength): try container.encode(strength, forKey: "strength")
            case .table(let path): try container.encode(path, forKey: "table")
            }
        }
    }

    static func unknown(_ name: String) -> FrameError {
        FrameError(
            .invalidArgument, "'\(name)' is not an effect; the effects are \(names.joined(separator: ", "))")
    }
}
