internal import CVFXInterface
internal import FrameCore
internal import FrameEffects
internal import Pipeline

/// The options of a stream as text, and the effect that they describe.
struct StreamOptions {
    /// The maximum number of options.
    private static let maximumCount = 64
    private static let common: Set<String> = ["cut_threshold", "first_frame", "quality", "segment", "threads"]
    private static let keys: [String: Set<String>] = [
        "rate": ["at_cut", "fps", "long_holds"], "slomo": ["at_cut", "factor", "long_holds", "phases"],
        "blur": ["linear_light", "strength"],
        "denoise": ["deblock", "future", "model", "past", "sigma", "strength"],
        "flow": ["direction", "legend", "maximum", "output"],
        "upscale": ["input_type", "low_latency", "scale", "size"],
    ]

    private let effectName: String
    private let values: [String: String]

    /// - Throws: ``CallError`` for an unknown effect or key, or for a pointer that is null.
    init(effect: UnsafePointer<CChar>?, _ options: UnsafePointer<vfx_option>?, count: Int) throws {
        effectName = try Self.text(effect, "the effect")
        guard let keys = Self.keys[effectName]?.union(Self.common) else {
            let names = Self.keys.keys.sorted().joined(separator: ", ")
            throw CallError(VFX_ERROR_ARGUMENT, "'\(effectName)' is not an effect; the effects are \(names)")
        }
        guard (0...Self.maximumCount).contains(count) else {
            throw CallError(
                VFX_ERROR_ARGUMENT, "\(count) options were given; at most \(Self.maximumCount) are allowed")
        }
        guard count == 0 || options != nil else {
            throw CallError(VFX_ERROR_ARGUMENT, "the options are a null pointer, but their count is \(count)")
        }
        var values: [String: String] = [:]
        for option in UnsafeBufferPointer(start: options, count: count) {
            let key = try Self.text(option.key, "the key of an option")
            guard keys.contains(key) else {
                throw CallError(
                    VFX_ERROR_ARGUMENT,
                    "'\(key)' is not an option of '\(effectName)'; the options are \(keys.sorted().joined(separator: ", "))"
                )
            }
            guard values.updateValue(try Self.text(option.value, "the value of '\(key)'"), forKey: key) == nil else {
                throw CallError(VFX_ERROR_ARGUMENT, "the option '\(key)' is given twice")
            }
        }
        self.values = values
    }

    private static func text(_ pointer: UnsafePointer<CChar>?, _ what: String) throws -> String {
        guard let pointer else { throw CallError(VFX_ERROR_ARGUMENT, "\(what) is a null pointer") }
        guard let text = String(validatingCString: pointer) else {
            throw CallError(VFX_ERROR_ARGUMENT, "\(what) is not valid UTF-8")
        }
        return text
    }

    /// The effect, and how its cuts are detected.
    var effect: (effect: any ClipEffect, cuts: CutSearch) {
        get throws {
            let effect = try chosenEffect, cuts = EffectChain(effect).cuts
            guard let text = values["cut_threshold"] else { return (effect, cuts) }
            guard let threshold = Float(text), (0...1).contains(threshold) else {
                throw CallError(VFX_ERROR_ARGUMENT, "cut_threshold '\(text)' is not a number from 0 to 1")
            }
            guard cuts.detectsCuts else {
                throw CallError(VFX_ERROR_ARGUMENT, "'\(effectName)' with low_latency detects no cuts")
            }
            return (effect, try cuts.withThreshold(threshold))
        }
    }

    private var chosenEffect: any ClipEffect {
        get throws {
            let options = ConversionOptions(
                quality: try choice("quality", ["normal": .normal, "high": .quality], .normal),
                threads: try whole("threads", 1...1024) ?? processorCount,
                atCut: try choice("at_cut", ["hold": .hold, "blend": .blend], .hold),
                longHolds: try choice("long_holds", ["hold": .hold, "interpolate": .interpolate], .hold))
            switch effectName {
            case "rate":
                guard let rate = values["fps"] else {
                    throw CallError(VFX_ERROR_ARGUMENT, "'rate' needs the option fps, such as 60 or 60000/1001")
                }
                return try EffectStep.rate(StepText.exact(Substring(rate), "fps")).effect(options)
            case "slomo": return try EffectStep.slomo(phases: phases).effect(options)
            case "blur":
                let strength = try whole("strength", MotionBlurPass.strengthRange) ?? 50
                let isLinear = try flag("linear_light")
                return try MotionBlurPass(strength: strength, isLinearLight: isLinear, options: options)
            case "denoise": return try denoise(options)
            case "flow": return try flow(options)
            default: return try upscale(options)
            }
        }
    }

    /// The number of the reset point from which results are made.
    var segment: Int { get throws { try whole("segment", 0...Int(Int32.max)) ?? 0 } }

    /// The number of the first frame that is submitted.
    var firstFrame: Int { get throws { try whole("first_frame", 0...Int(Int32.max)) ?? 0 } }

    /// Whether results are motion vectors instead of pictures.
    var makesVectors: Bool { effectName == "flow" && values["output", default: "vectors"] == "vectors" }

    private var phases: [Rational] {
        get throws {
            switch (values["factor"], values["phases"]) {
            case (.some, nil):
                let most = SlowMotionPlan.maximumPhaseCount + 1
                return try SlowMotionPlan(factor: try whole("factor", 2...most) ?? 2).phases
            case (nil, let phases?):
                return try phases.split(separator: ",", omittingEmptySubsequences: false)
                    .map { try StepText.exact($0, "phase") }
            default:
                throw CallError(
                    VFX_ERROR_ARGUMENT,
                    "'slomo' needs either the option factor, such as 4, or phases, such as 0.25,0.5,0.75")
            }
        }
    }

    private func denoise(_ options: ConversionOptions) throws -> any ClipEffect {
        let noise = try StepText.noise(
            sigma: values["sigma"], model: values["model"], strength: values["strength"])
        let range = 0...TemporalNoiseFilterConfiguration.maximumReferenceCount(options.quality)
        return try TemporalNoiseFilterPass(
            noise: noise, deblocking: try choice("deblock", ["auto": .automatic, "off": .off], nil),
            past: try whole("past", range), future: try whole("future", range), options: options)
    }

    private func flow(_ options: ConversionOptions) throws -> any ClipEffect {
        let isBackward = try choice("direction", ["next": false, "previous": true], false)
        let views: [String: FlowView?] = [
            "vectors": FlowView?.none, "colors": .wheel, "arrows": .arrows, "confidence": .confidence,
            "occlusion": .occlusion,
        ]
        let view = try choice("output", views, nil)
        if view != .wheel, view != .arrows, let key = ["legend", "maximum"].first(where: { values[$0] != nil }) {
            throw CallError(VFX_ERROR_ARGUMENT, "'\(key)' needs the option output to be colors or arrows")
        }
        let neighbour: OpticalFlowPass.Neighbour = isBackward ? .previous : .next
        guard let view else {
            let vectors = FlowVectors()
            return OpticalFlowPass(
                options: options, neighbour: neighbour, output: { try FlowVectors.stream(over: $0) },
                makeFrame: { try vectors.frame($0.frame, $0.flow.map { isBackward ? $0.backward : $0.forward }) })
        }
        let painter = FlowPainter(
            view: view, isBackward: isBackward, maximum: try maximum, hasLegend: try flag("legend", true),
            threads: options.threads, isVideo: true)
        return OpticalFlowPass(
            options: options, neighbour: neighbour, output: { try painter.stream(over: $0) },
            makeFrame: { try painter.frame($0.frame, $0.flow, resets: $0.resets) })
    }

    private var maximum: Float? {
        get throws {
            guard let text = values["maximum"] else { return nil }
            guard let value = Float(text), value >= 0.01, value <= 10_000 else {
                throw CallError(VFX_ERROR_ARGUMENT, "maximum '\(text)' is not a number of pixels from 0.01 to 10000")
            }
            return value
        }
    }

    private func upscale(_ options: ConversionOptions) throws -> any ClipEffect {
        let target: UpscaleTarget
        switch (values["scale"], values["size"]) {
        case (let scale?, nil): target = try .factor(scale, of: "scale")
        case (nil, let size?): target = try .size(size, of: "size")
        default:
            throw CallError(
                VFX_ERROR_ARGUMENT, "'upscale' needs either the option scale, such as 2, or size, such as 1920x1080")
        }
        if try flag("low_latency") {
            return LowLatencySuperResolutionScalerPass(target: target, threads: options.threads)
        }
        let type: SuperResolutionScalerConfiguration.InputType? =
            try values["input_type"] == nil ? nil : choice("input_type", ["video": .video, "image": .image], .video)
        return SuperResolutionScalerPass(target: target, inputType: type, options: options)
    }

    private func choice<Value>(_ key: String, _ choices: [String: Value], _ fallback: Value) throws -> Value {
        guard let text = values[key] else { return fallback }
        guard let value = choices[text] else {
            throw CallError(
                VFX_ERROR_ARGUMENT,
                "\(key) '\(text)' is not allowed; it is \(choices.keys.sorted().joined(separator: " or "))")
        }
        return value
    }

    private func flag(_ key: String, _ fallback: Bool = false) throws -> Bool {
        try choice(key, ["true": true, "false": false], fallback)
    }

    private func whole(_ key: String, _ range: ClosedRange<Int>) throws -> Int? {
        guard let text = values[key] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw CallError(
                VFX_ERROR_ARGUMENT,
                "\(key) '\(text)' is not a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
