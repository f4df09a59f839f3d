package import FrameCore
package import FrameEffects

/// Parses effects and their settings from text.
package enum StepText {
    /// Parses one effect.
    ///
    /// - Parameter text: `name` or `name=value`, as in `denoise=auto`, `denoise=0.5`, `denoise=sigma=12`,
    ///   `denoise=sigma=12/0.5`, `denoise=auto:deblock=off`, `upscale=2`, `upscale=1920x1080:deblock=off`, `slomo=0.25/0.5/0.75`,
    ///   `slomo=x4`, `slomo=0:1/2:0.25/3:1/smooth`, `rate=60`, `rate=source`, `blur=30`, `grain=4`, `grain=film.tbl`, `smooth=2`, `flow=arrows`, `deinterlace`,
    ///   `deinterlace=tff`, `deinterlace=auto:frame` and `deinterlace=auto:field:off`.
    /// - Throws: `FrameError` that names the part that is not understood.
    package static func step(_ text: Substring) throws(FrameError) -> EffectStep {
        let parts = text.trimmingSpaces().split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map(String.init) ?? ""
        let value = parts.count > 1 ? String(parts[1]) : nil
        guard EffectStep.names.contains(name) else { throw EffectStep.unknown(name) }
        if name == "denoise" { return try denoise(value ?? "auto") }
        if name == "deinterlace" { return try deinterlace(value ?? "auto") }
        if name == "smooth" || name == "flow", value == nil { return try settings(name, [:]) }
        guard let value, !value.isEmpty else {
            let example =
                ["upscale": "2", "slomo": "0.5", "rate": "60", "blur": "50", "grain": "4"][name] ?? ""
            throw FrameError(.invalidArgument, "'\(name)' needs a value, as in \(name)=\(example)")
        }
        switch name {
        case "upscale":
            let (target, deblocking) = try withDeblocking(value)
            let isSize = target.lowercased().contains("x")
            return .upscale(
                try isSize ? .size(target, of: name) : .factor(target, of: name),
                deblocking: deblocking ?? .automatic)
        case "slomo":
            if let phases = try evenPhases(value) { return .slomo(phases: phases) }
            if value.contains(":") { return try ramp(value) }
            var phases: [Rational] = []
            for phase in value.split(separator: "/", omittingEmptySubsequences: false) {
                phases.append(try exact(phase, "phase"))
            }
            return .slomo(phases: phases)
        case "grain": return .grain(try GrainSource(value))
        case "rate" where value == RateStep.source: return EffectStep(RateStep(rate: nil))
        case "rate": return .rate(try exact(Substring(value), "rate"))
        case "smooth": return try settings(name, ["depth": value])
        case "flow": return try settings(name, ["output": value])
        default:
            guard let strength = Int(value) else {
                throw FrameError(.invalidArgument, "blur '\(value)' is not a whole number from 1 to 100")
            }
            return .blur(strength: strength, isLinearLight: false)
        }
    }

    /// Parses the points of a speed ramp, which may end with how speed changes between them.
    private static func ramp(_ text: String) throws(FrameError) -> EffectStep {
        var points = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        var values = SettingValues()
        if let last = points.last, SpeedCurve.Easing(rawValue: last) != nil { values["ease"] = points.removeLast() }
        values["speed"] = points.joined(separator: ",")
        return try settings("slomo", values)
    }

    private static func settings(_ name: String, _ values: SettingValues) throws(FrameError)
        -> EffectStep
    {
        do {
            return try EffectStep(name, values)
        } catch {
            throw error as? FrameError ?? FrameError(.invalidArgument, "\(error)")
        }
    }

    /// Parses the settings of `deinterlace`.
    private static func deinterlace(_ text: String) throws(FrameError) -> EffectStep {
        let words = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        var values: SettingValues = ["fields": words[0]]
        if words.count > 1 { values["field_rate"] = words[1] }
        if words.count > 2 { values["cadence"] = words[2] }
        return try settings("deinterlace", values)
    }

    /// Parses the settings of `denoise`.
    private static func denoise(_ text: String) throws(FrameError) -> EffectStep {
        let (level, deblocking) = try withDeblocking(text)
        guard level.hasPrefix("sigma=") else {
            return .denoise(try noise(level), deblocking: deblocking)
        }
        let words = level.dropFirst("sigma=".count)
            .split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return .denoise(
            try noise(sigma: words[0], strength: words.count > 1 ? words[1] : nil), deblocking: deblocking
        )
    }

    /// Splits off a `:deblock=` at the end.
    private static func withDeblocking(_ text: String) throws(FrameError) -> (
        rest: String, deblocking: Deblocking?
    ) {
        guard let place = text.firstRange(of: ":deblock=") else { return (text, nil) }
        return (String(text[..<place.lowerBound]), try deblocking(String(text[place.upperBound...])))
    }

    /// Parses `auto` or `off`.
    private static func deblocking(_ text: String) throws(FrameError) -> Deblocking? {
        try SettingValues(["deblock": text]).choice("deblock", Deblocking.self)
    }

    /// Parses `hold` or `interpolate`.
    static func longHolds(_ text: String) throws(FrameError) -> LongHoldTreatment {
        guard let value = LongHoldTreatment(rawValue: text) else {
            throw FrameError(
                .invalidArgument, "long_holds '\(text)' is not allowed; it is hold or interpolate")
        }
        return value
    }

    /// Parses effects separated by commas.
    package static func steps(_ text: String) throws(FrameError) -> [EffectStep] {
        var steps: [EffectStep] = []
        guard !text.isEmpty else {
            throw FrameError(.invalidArgument, "a chain needs at least one effect")
        }
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            steps.append(try step(part))
        }
        return steps
    }

    /// Parses `auto` or a strength.
    package static func noise(_ text: String) throws(FrameError) -> NoiseLevel {
        text == "auto" ? .automatic : .strength(try number(text, "denoise strength"))
    }

    /// Parses a standard deviation, and the part of it to remove: all unless given.
    private static func noise(sigma: String, strength: String?) throws(FrameError) -> NoiseLevel {
        guard let strength, strength != "auto" else { return .sigma(try number(sigma, "sigma")) }
        return .sigma(try number(sigma, "sigma"), strength: try number(strength, "denoise strength"))
    }

    /// Returns a number without zeros that say nothing: `0`, `0.5`.
    package static func decimal(_ number: Float) -> String {
        Int32(exactly: number).map(String.init) ?? "\(number)"
    }

    static func number(_ text: String, _ what: String) throws(FrameError) -> Float {
        guard let number = Float(text), number.isFinite else {
            throw FrameError(.invalidArgument, "\(what) '\(text)' is not a number")
        }
        return number
    }

    package static func exact(_ text: Substring, _ what: String) throws(FrameError) -> Rational {
        guard let number = Rational(exactly: text.trimmingSpaces()) else {
            throw FrameError(
                .invalidArgument,
                "\(what) '\(text)' is not a number such as 0.25 (at most 9 decimal places)")
        }
        return number
    }

    /// Parses a slow-motion factor such as `x4` (four times slower) and returns the evenly spaced phases for it; nil if
    /// `text` has another form.
    ///
    /// - Throws: `FrameError` if the factor is out of range.
    package static func evenPhases(_ text: String) throws(FrameError) -> [Rational]? {
        guard text.hasPrefix("x"), let factor = Int(text.dropFirst()) else { return nil }
        return try SlowMotionPlan(factor: factor).phases
    }
}
