package import FrameCore
package import FrameEffects

/// What super resolution over a clip is to do.
package struct SuperResolutionSettings: Sendable, Hashable {
    package let geometry: UpscalingGeometry
    /// Whether frames stand alone.
    package let inputType: SuperResolutionScalerConfiguration.InputType
    package let options: ConversionOptions

    package init(
        geometry: UpscalingGeometry, inputType: SuperResolutionScalerConfiguration.InputType,
        options: ConversionOptions
    ) {
        self.geometry = geometry
        self.inputType = inputType
        self.options = options
    }
}

/// Super resolution over a clip.
package struct SuperResolutionPass: NeighbourhoodEffect {
    private let settings: SuperResolutionSettings
    private var engine: SuperResolutionEngine?
    private var latest: SuperResolutionEngine.Reference?

    package init(_ settings: SuperResolutionSettings) { self.settings = settings }

    package var previousCount: Int { settings.inputType == .video ? 1 : 0 }
    package var nextCount: Int { 0 }
    package var needsUnbrokenNeighbours: Bool { true }
    package var outputSize: FrameDimensions? { settings.geometry.output }
    package func sampleAspectRatio(_ source: Rational?) -> Rational? { settings.geometry.sampleAspectRatio(source) }

    package func color(_ source: ColorDescription) -> ColorDescription { settings.geometry.color(source) }

    package mutating func process(_ neighbourhood: Neighbourhood) throws -> PixelBuffer {
        let current = neighbourhood.current.buffer
        let engine =
            try self.engine
            ?? SuperResolutionEngine(
                format: current.format, size: settings.geometry.source, outputSize: settings.geometry.output,
                model: UpscalingModel(settings.options.quality), quality: settings.options.quality,
                threads: settings.options.threads)
        self.engine = engine
        // Frames on the other side of a restart or of other light say nothing about this one.
        let continues = !neighbourhood.restarts && !neighbourhood.previous.isEmpty
        let picture = try engine.upscale(
            current, color: neighbourhood.current.color, reference: continues ? latest : nil,
            relation: continues ? .follows : .none)
        latest =
            settings.inputType == .video ? SuperResolutionEngine.Reference(source: current, output: picture) : nil
        return picture
    }
}
