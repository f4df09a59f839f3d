package import FrameCore

/// Settings of effects as words.
package enum StepText {
    /// - Parameter text: `name` or `name=value`, as in `denoise=auto`, `denoise=sigma=12`, `upscale=2`, `upscale=1920x1080`,
    ///   `slomo=0.25/0.5/0.75`, `rate=60` and `blur=30`.
    /// - Throws: `FrameError` that names what is not understood.
    package static func step(_ text: Substring) throws(FrameError) -> EffectStep {
        let parts = text.trimmingSpaces().split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map(String.init) ?? "", value = parts.count > 1 ? String(parts[1]) : nil
        guard EffectStep.names.contains(name) else { throw EffectStep.unknown(name) }
        if name == "denoise" {
            if let value, value.hasPrefix("sigma=") {
                return .denoise(.sigma(try number(String(value.dropFirst("sigma=".count)), "sigma")))
            }
            return .denoise(try noise(value ?? "auto"))
        }
        guard let value, !value.isEmpty else {
            let example = ["upscale": "2", "slomo": "0.5", "rate": "60", "blur": "50"][name] ?? ""
            throw FrameError(.invalidArgument, "'\(name)' needs a value, as in \(name)=\(example)")
        }
        switch name {
        case "upscale": return .upscale(value.contains("x") ? try size(value) : .factor(try factor(value)))
        case "slomo":
            var phases: [Rational] = []
            for phase in value.split(separator: "/", omittingEmptySubsequences: false) {
                phases.append(try exact(phase, "phase"))
            }
            return .slomo(phases: phases)
        case "rate": return .rate(try exact(Substring(value), "rate"))
        default:
            guard let strength = Int(value) else {
                throw FrameError(.invalidArgument, "blur '\(value)' is not a whole number from 1 to 100")
            }
            return .blur(strength: strength, isLinearLight: false)
        }
    }

    /// Effects separated by commas.
    package static func steps(_ text: String) throws(FrameError) -> [EffectStep] {
        var steps: [EffectStep] = []
        guard !text.isEmpty else {
            throw FrameError(.invalidArgument, "a chain of no effects does nothing; name at least one")
        }
        for part in text.split(separator: ",", omittingEmptySubsequences: false) { steps.append(try step(part)) }
        return steps
    }

    /// `auto` or a strength.
    package static func noise(_ text: String) throws(FrameError) -> EffectStep.Noise {
        text == "auto" ? .automatic : .strength(try number(text, "denoise strength"))
    }

    static func number(_ text: String, _ what: String) throws(FrameError) -> Float {
        guard let number = Float(text), number.isFinite else {
            throw FrameError(.invalidArgument, "\(what) '\(text)' is not a number")
        }
        return number
    }

    static func exact(_ text: Substring, _ what: String) throws(FrameError) -> Rational {
        guard let number = ExactNumber.parse(text.trimmingSpaces()) else {
            throw FrameError(
                .invalidArgument, "\(what) '\(text)' is not a number such as 0.25 (9 decimal places at most)")
        }
        return number
    }

    static func factor(_ text: String) throws(FrameError) -> Rational {
        guard let value = ExactNumber.parse(Substring(text).trimmingSpaces()), value.isPositive,
            value.numerator > value.denominator, Int64(value.numerator) <= 16 * Int64(value.denominator)
        else {
            throw FrameError(
                .invalidArgument, "upscale '\(text)' is not a number above 1 and at most 16, such as 2, 1.5 or 4/3")
        }
        return value
    }

    static func size(_ text: String) throws(FrameError) -> UpscaleTarget {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], (16...8192).contains(width),
            (16...8192).contains(height)
        else {
            throw FrameError(
                .invalidArgument,
                "upscale '\(text)' is not a size such as 1920x1080 with sides of 16 to 8192 pixels")
        }
        return .size(width: width, height: height)
    }
}
