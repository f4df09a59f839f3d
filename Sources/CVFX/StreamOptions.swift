internal import CVFXInterface
internal import FrameCore
internal import FrameEffects
internal import Pipeline

/// The options of a stream as text, and the effect that they describe.
///
/// The settings of an effect are those of its ``EffectSettings/table``.
struct StreamOptions {
    /// The maximum number of options.
    private static let maximumCount = 64
    /// The options besides the settings of the effect.
    private static let common = [
        "at_cut", "compression", "cut_threshold", "first_frame", "long_holds", "loop_filter", "quality",
        "quantizer_step", "segment", "threads",
    ]

    /// The effect.
    let effect: any ClipEffect
    /// How its cuts are detected.
    let cuts: CutSearch
    /// The number of the reset point from which results are made.
    let segment: Int
    /// The number of the first frame that is submitted.
    let firstFrame: Int
    /// Whether results are motion vectors instead of pictures.
    let makesVectors: Bool

    /// - Throws: ``CallError`` or `FrameError` for an unknown effect, key or value, or for a pointer that is null.
    init(effect name: UnsafePointer<CChar>?, _ options: UnsafePointer<vfx_option>?, count: Int) throws {
        let name = try Self.text(name, "the effect")
        guard let type = EffectStep.known.first(where: { $0.effectName == name }) else {
            throw EffectStep.unknown(name)
        }
        var (settings, common) = (SettingValues(), SettingValues())
        for (key, value) in try Self.pairs(options, count) {
            let isCommon = Self.common.contains(key)
            guard isCommon || type.table.contains(where: { $0.key == key && !$0.readsMedia }) else {
                let known = (type.table.filter { !$0.readsMedia }.map(\.key) + Self.common).sorted().joined(
                    separator: ", ")
                throw CallError(
                    VFX_ERROR_ARGUMENT, "'\(key)' is not an option of '\(name)'; the options are \(known)")
            }
            guard (isCommon ? common : settings)[key] == nil else {
                throw CallError(VFX_ERROR_ARGUMENT, "the option '\(key)' is given twice")
            }
            if isCommon { common[key] = value } else { settings[key] = value }
        }
        if name == FlowStep.effectName { try Self.completeFlow(&settings) }
        let step = try EffectStep(name, settings)
        makesVectors = !step.settings.makesPictures
        segment = try common.whole("segment", 0...Int(Int32.max)) ?? 0
        firstFrame = try common.whole("first_frame", 0...Int(Int32.max)) ?? 0
        let chain = try Self.chain(step, common)
        effect = chain.effects[0]
        cuts = try Self.cuts(of: chain, common)
    }

    /// Returns the effect, made as the common options say.
    private static func chain(_ step: EffectStep, _ common: SettingValues) throws -> EffectChain {
        let effect = try step.effect(
            ConversionOptions(
                quality: try common.choice("quality", ["normal", "high"]) == "high" ? .quality : .normal,
                context: ExecutionContext(threads: try common.whole("threads", 1...1024)),
                atCut: try common.choice("at_cut", CutTreatment.self) ?? .hold,
                longHolds: try common.choice("long_holds", LongHoldTreatment.self) ?? .hold))
        for key in ["at_cut", "long_holds"] where common[key] != nil && effect.timing == nil {
            throw CallError(
                VFX_ERROR_ARGUMENT,
                "'\(key)' is for effects that make frames between others; '\(step.name)' does not")
        }
        let chain = EffectChain(effect)
        guard let compression = try Self.compression(common) else {
            guard effect is RestorationPass else { return chain }
            throw CallError(
                VFX_ERROR_ARGUMENT,
                "with a scale of 1, 'quantizer_step' or 'compression' is needed; it says how much is to be cleaned"
            )
        }
        guard chain.adaptsToCompression else {
            throw CallError(
                VFX_ERROR_ARGUMENT,
                "'\(compression.key)' is for 'upscale' with deblock=auto at full latency")
        }
        return chain.adapted(to: compression.value)
    }

    /// Returns how the source was compressed, and the key of the option that says so; nil if none does.
    private static func compression(_ common: SettingValues) throws -> (key: String, value: SourceCompression)? {
        let strength = try common.number("compression", 0...1), step = try common.number("quantizer_step", 0...1024)
        let isFiltered = try common.flag("loop_filter")
        guard let known = strength ?? step else {
            guard isFiltered == nil else {
                throw CallError(VFX_ERROR_ARGUMENT, "'loop_filter' needs 'quantizer_step' or 'compression'")
            }
            return nil
        }
        let compression = SourceCompression(
            strength: strength ?? QuantizationTrace.strength(ofStep: known), step: step,
            isLoopFiltered: isFiltered ?? true)
        return (strength == nil ? "quantizer_step" : "compression", compression)
    }

    private static func cuts(of chain: EffectChain, _ common: SettingValues) throws -> CutSearch {
        guard let threshold = try common.number("cut_threshold", 0...1) else { return chain.cuts }
        guard chain.cuts.detectsCuts else {
            throw CallError(
                VFX_ERROR_ARGUMENT,
                "'cut_threshold' is not allowed: '\(chain.effects[0].name)' at low latency detects no cuts")
        }
        return try chain.cuts.withThreshold(threshold)
    }

    /// Makes vectors unless another output is given.
    ///
    /// - Throws: ``CallError`` for options that would change nothing.
    private static func completeFlow(_ settings: inout SettingValues) throws {
        let output = settings["output"] ?? FlowStep.Output.vectors.rawValue
        settings["output"] = output
        let hasScale = [FlowStep.Output.colors, .arrows].map(\.rawValue).contains(output)
        if !hasScale, let key = ["legend", "maximum"].first(where: { settings[$0] != nil }) {
            throw CallError(VFX_ERROR_ARGUMENT, "'\(key)' needs the option output to be colors or arrows")
        }
    }

    private static func pairs(
        _ options: UnsafePointer<vfx_option>?, _ count: Int
    ) throws -> [(key: String, value: String)] {
        guard (0...maximumCount).contains(count) else {
            throw CallError(VFX_ERROR_ARGUMENT, "\(count) options were given; at most \(maximumCount) are allowed")
        }
        guard count == 0 || options != nil else {
            throw CallError(VFX_ERROR_ARGUMENT, "the options are a null pointer, but their count is \(count)")
        }
        return try UnsafeBufferPointer(start: options, count: count).map { option in
            let key = try text(option.key, "the key of an option")
            return (key, try text(option.value, "the value of '\(key)'"))
        }
    }

    private static func text(_ pointer: UnsafePointer<CChar>?, _ what: String) throws -> String {
        guard let pointer else { throw CallError(VFX_ERROR_ARGUMENT, "\(what) is a null pointer") }
        guard let text = String(validatingCString: pointer) else {
            throw CallError(VFX_ERROR_ARGUMENT, "\(what) is not valid UTF-8")
        }
        return text
    }
}
