internal import FrameCore
public import FrameEffects

/// The settings of upscaling; see ``SuperResolutionScalerPass``, ``LowLatencySuperResolutionScalerPass`` and
/// ``RestorationPass``.
public struct UpscaleStep: EffectSettings {
    /// The size that frames get.
    public var target: UpscaleTarget
    /// Whether what strong compression leaves is reduced, if the chain is adapted to the source (see
    /// ``EffectChain/adapted(to:)``).
    public var deblocking: Deblocking
    /// Whether frames take detail from their neighbours; nil does so at high quality.
    public var inputType: SuperResolutionScalerConfiguration.InputType?
    /// Whether each frame is processed on its own as it arrives. Artifacts of compression are then always reduced.
    public var isLowLatency: Bool

    /// Creates settings.
    public init(
        target: UpscaleTarget, deblocking: Deblocking = .automatic,
        inputType: SuperResolutionScalerConfiguration.InputType? = nil, isLowLatency: Bool = false
    ) {
        self.target = target
        self.deblocking = deblocking
        self.inputType = inputType
        self.isLowLatency = isLowLatency
    }

    /// `upscale`.
    public static let effectName = "upscale"
    private static let inputTypes = ["video", "image"]
    /// The size, and where detail comes from.
    public static let table = [
        EffectSetting(
            "scale", .fraction, placeholder: "factor",
            "Scale factor, 1 to 16, e.g. 2, 1.5 or 4/3. With 1, only blocking and ringing are reduced."),
        EffectSetting(
            "size", .text, placeholder: "WxH",
            "Size of the output, not smaller than the source, at most 8192x8192; for single images, 65535 per side."
        ),
        EffectSetting(
            "deblock", .choice(Deblocking.allCases.map(\.rawValue)), defaultValue: "auto",
            placeholder: "deblock",
            "Reduce blocking and ringing where the file was compressed strongly. Default: auto."),
        EffectSetting(
            "low_latency", .flag, defaultValue: "false",
            "Process each frame independently as it arrives; also cleans up compression artifacts."),
        EffectSetting(
            "input_type", .choice(inputTypes), placeholder: "input-type",
            "Take detail from neighbouring frames (video) or process each frame independently (image). Default: video with --quality high, otherwise image."
        ),
    ]

    /// Reads the settings.
    public init(_ values: SettingValues) throws { try self.init(values, limits: .session) }

    /// Reads the settings.
    ///
    /// - Parameter limits: which sizes are allowed.
    package init(_ values: SettingValues, limits: UpscalingGeometry.Limits) throws {
        isLowLatency = try values.flag("low_latency") ?? false
        inputType = try values.choice("input_type", Self.inputTypes).map { $0 == "video" ? .video : .image }
        let (alone, type, blocks) = (
            values.name(of: "low_latency"), values.name(of: "input_type"), values.name(of: "deblock")
        )
        if isLowLatency, inputType == .video {
            throw FrameError(
                .invalidArgument,
                "\(alone) processes each frame independently; leave out \(type) video or \(alone)")
        }
        if isLowLatency, values["deblock"] != nil {
            throw FrameError(
                .invalidArgument,
                "\(alone) always reduces blocking and ringing; leave out \(blocks) or \(alone)")
        }
        deblocking = try values.choice("deblock", Deblocking.self) ?? .automatic
        try values.exclude("scale", "size")
        if let scale = values["scale"] {
            target = try .factor(scale, of: values.name(of: "scale"))
        } else if let size = values["size"] {
            target = try .size(size, of: values.name(of: "size"), limits: limits)
        } else {
            throw FrameError(
                .invalidArgument,
                "no output size is given; use \(values.name(of: "scale")) or \(values.name(of: "size")), such as \(values.name(of: "scale")) 2 or \(values.name(of: "size")) 1920x1080"
            )
        }
        try checkCleaning(values)
    }

    /// Checks that nothing is asked for that only enlarging has.
    private func checkCleaning(_ values: SettingValues) throws(FrameError) {
        guard target.keepsSize else { return }
        let foreign = [
            ("low_latency", isLowLatency, "enlarges frames"),
            ("input_type", inputType == .video, "takes detail from neighbouring frames, which enlarging needs"),
            ("deblock", deblocking == .off, "leaves nothing to do"),
        ]
        for (key, isGiven, reason) in foreign where isGiven {
            throw FrameError(
                .invalidArgument,
                "\(values.name(of: "scale")) 1 only reduces blocking and ringing, and \(values.name(of: key)) \(reason); leave it out or use a larger scale"
            )
        }
    }

    /// The settings.
    public var values: SettingValues {
        var values = SettingValues()
        switch target {
        case .factor(let factor): values["scale"] = factor.description
        case .size(let width, let height): values["size"] = "\(width)x\(height)"
        }
        if deblocking == .off { values["deblock"] = deblocking.rawValue }
        values["input_type"] = inputType.map { $0 == .video ? "video" : "image" }
        if isLowLatency { values["low_latency"] = "true" }
        return values
    }

    /// Returns the effect.
    public func effect(_ options: ConversionOptions) throws -> any ClipEffect {
        try checkCleaning(values)
        if target.keepsSize { return RestorationPass(options: options) }
        guard isLowLatency else {
            return SuperResolutionScalerPass(
                target: target, inputType: inputType, deblocking: deblocking, options: options)
        }
        return LowLatencySuperResolutionScalerPass(target: target, context: options.context)
    }
}
