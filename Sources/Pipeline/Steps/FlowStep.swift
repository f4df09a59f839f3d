public import FrameCore
internal import FrameEffects

/// The settings of a clip of motion; see ``OpticalFlowPass``.
public struct FlowStep: EffectSettings {
    /// What is drawn.
    public enum Output: String, Sendable, Hashable, CaseIterable {
        /// The direction as a hue, the length as saturation.
        case colors
        /// Arrows over the frame.
        case arrows
        /// How far the motion is to be trusted, from black to white.
        case confidence
        /// What the other frame does not show, in white.
        case occlusion
        /// Nothing: the frames stay blank, and only the speed is measured.
        case blank
        /// The motion itself as numbers: three planes of 32-bit floating-point numbers. Not for files.
        case vectors
    }

    /// What is drawn.
    public var output: Output
    /// Whether each frame comes with its motion to the next frame or to the previous one.
    public var direction: OpticalFlowPass.Neighbour
    /// The motion in pixels that is drawn at full scale; nil fits the scale to the motion.
    public var maximum: Float?
    /// Whether the color wheel and its scale are drawn in a corner.
    public var hasLegend: Bool
    /// The range of the drawn samples: limited for video, full for images.
    public var range: ColorDescription.Range

    /// Creates settings.
    public init(
        output: Output = .colors, direction: OpticalFlowPass.Neighbour = .next, maximum: Float? = nil,
        hasLegend: Bool = true, range: ColorDescription.Range = .limited
    ) {
        self.output = output
        self.direction = direction
        self.maximum = maximum
        self.hasLegend = hasLegend
        self.range = range
    }

    /// `flow`.
    public static let effectName = "flow"
    private static let maxima: ClosedRange<Float> = 0.01...10_000
    /// What is drawn, and how.
    public static let table = [
        EffectSetting(
            "output", .choice(Output.allCases.map(\.rawValue)), defaultValue: "colors", placeholder: "output",
            "What is drawn of the motion."),
        EffectSetting(
            "direction", .choice(["next", "previous"]), defaultValue: "next", placeholder: "direction",
            "The neighbor to which each frame's motion leads."),
        EffectSetting(
            "maximum", .number(maxima), option: "max-motion", placeholder: "px",
            "Motion in pixels drawn in full color or as the longest arrow. Default: fitted to the motion; within a clip it changes rarely."
        ),
        EffectSetting(
            "legend", .flag, defaultValue: "true",
            "Draw the color wheel and its scale in a corner. Default: on."),
        EffectSetting(
            "range", .choice(["limited", "full"]), defaultValue: "limited", placeholder: "range",
            "Range of the drawn samples: limited for video, full for images."),
    ]

    /// Reads the settings.
    public init(_ values: SettingValues) throws {
        output = try values.choice("output", Output.self) ?? .colors
        direction =
            try values.choice("direction", ["next", "previous"]) == "previous" ? .previous : .next
        maximum = try values.number("maximum", Self.maxima)
        hasLegend = try values.flag("legend") ?? true
        range = try values.choice("range", ["limited", "full"]) == "full" ? .full : .limited
    }

    /// The settings.
    public var values: SettingValues {
        var values: SettingValues = ["output": output.rawValue]
        if direction == .previous { values["direction"] = "previous" }
        values["maximum"] = maximum.map { "\($0)" }
        if !hasLegend { values["legend"] = "false" }
        if range == .full { values["range"] = "full" }
        return values
    }

    /// True: what is drawn is new, and nothing of it is lost if a player gets fewer chroma samples.
    public var isDrawing: Bool { true }

    /// False for vectors.
    public var makesPictures: Bool { output != .vectors }

    /// Returns the effect.
    public func effect(_ options: ConversionOptions) throws -> any ClipEffect {
        let view: FlowView
        switch output {
        case .colors, .blank: view = .wheel
        case .arrows: view = .arrows
        case .confidence: view = .confidence
        case .occlusion: view = .occlusion
        case .vectors: return vectors(options)
        }
        let settings = self
        return OpticalFlowPass(options: options, neighbour: direction) {
            FlowPainter(
                view: view, isBackward: settings.direction == .previous, maximum: settings.maximum,
                hasLegend: settings.hasLegend, context: options.context,
                isVideo: settings.range == .limited,
                isBlank: settings.output == .blank)
        }
    }

    private func vectors(_ options: ConversionOptions) -> OpticalFlowPass {
        let vectors = FlowVectors(), isBackward = direction == .previous
        return OpticalFlowPass(
            options: options, neighbour: direction, output: { try FlowVectors.stream(over: $0) },
            makeFrame: { try vectors.frame($0.frame, $0.flow.map { isBackward ? $0.backward : $0.forward }) })
    }
}
