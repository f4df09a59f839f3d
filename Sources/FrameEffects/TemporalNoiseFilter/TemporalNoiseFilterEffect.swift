public import FrameCore

/// Sets a session up to take noise out of frames with the help of their neighbours.
public struct TemporalNoiseFilterConfiguration: RevisedFrameProcessorConfiguration, Hashable {
    /// Version of the algorithm. Pin one to get the same pictures from later versions of the package.
    public enum Revision: Int, FrameProcessorRevision {
        /// The first.
        case revision1 = 1
    }

    /// The newest, ``Revision/revision1``.
    public static let defaultRevision: Revision = .revision1

    /// Pixel formats that source frames may have: all planar YCbCr of 8 to 16 bits.
    public static var supportedSourcePixelFormats: [PixelFormat] { PixelBufferAttributes.allFormats }

    /// Width of the frames in pixels, 16…8192.
    public let frameWidth: Int
    /// Height of the frames in pixels, 16…8192.
    public let frameHeight: Int
    /// Of source, reference and destination frames.
    public let sourcePixelFormat: PixelFormat
    /// Trade between speed and picture quality.
    public let qualityPrioritization: QualityPrioritization
    /// The version that a session runs.
    public let revision: Revision

    /// Checks size and format and keeps the rest.
    ///
    /// - Parameters:
    ///   - frameWidth: 16…8192 pixels, odd widths included.
    ///   - frameHeight: 16…8192 pixels, odd heights included.
    ///   - sourcePixelFormat: one of ``supportedSourcePixelFormats``; source, reference and destination frames have it.
    ///   - qualityPrioritization: `quality` filters twice and uses more neighbours.
    ///   - revision: of the algorithm.
    /// - Throws: ``FrameProcessorError`` that says why.
    public init(
        frameWidth: Int, frameHeight: Int, sourcePixelFormat: PixelFormat,
        qualityPrioritization: QualityPrioritization = .normal, revision: Revision = defaultRevision
    ) throws(FrameProcessorError) {
        try Self.checkSize(frameWidth: frameWidth, frameHeight: frameHeight)
        guard Self.supportedSourcePixelFormats.contains(sourcePixelFormat) else {
            throw FrameProcessorError(
                .unsupportedInput,
                "pixel format \(sourcePixelFormat) is not supported; allowed is planar YCbCr of 8 to 16 bits")
        }
        self.frameWidth = frameWidth
        self.frameHeight = frameHeight
        self.sourcePixelFormat = sourcePixelFormat
        self.qualityPrioritization = qualityPrioritization
        self.revision = revision
    }

    /// ``sourcePixelFormat`` alone.
    public var supportedPixelFormats: [PixelFormat] { [sourcePixelFormat] }

    /// The most references on each side of the source frame that are of use: 3, at `quality` 8; to ask before making a
    /// configuration.
    public static func maximumReferenceCount(_ quality: QualityPrioritization) -> Int {
        TemporalNoiseFilterEngine.maximumReferences(quality)
    }

    /// The most references after the source frame that are of use: 3, at `quality` 8. Fewer do as well.
    public var nextFrameCount: Int? { Self.maximumReferenceCount(qualityPrioritization) }
    /// The most references before the source frame that are of use: 3, at `quality` 8. Fewer do as well.
    public var previousFrameCount: Int? { Self.maximumReferenceCount(qualityPrioritization) }
}

extension TemporalNoiseFilterConfiguration: EffectConfiguration {
    package func makeEffect(format: PixelFormat, threads: Int) throws(FrameError) -> TemporalNoiseFilterEngine {
        try TemporalNoiseFilterEngine(
            format: format, width: frameWidth, height: frameHeight, quality: qualityPrioritization, threads: threads)
    }
}

/// Asks for one frame without its noise.
public struct TemporalNoiseFilterParameters: FrameProcessorParameters {
    /// The frame to filter.
    public let sourceFrame: FrameProcessorFrame
    /// In presentation order.
    public let nextFrames: [FrameProcessorFrame]
    /// In presentation order.
    public let previousFrames: [FrameProcessorFrame]
    /// The frame that receives the picture.
    public let destinationFrames: [FrameProcessorFrame]
    /// How much noise is taken out. Values out of range are refused when the parameters are processed.
    public var noiseLevel: NoiseLevel
    /// Whether the source frame does not continue the frames before it: ``previousFrames`` are left out.
    public var hasDiscontinuity: Bool

    /// The strength of ``noiseLevel``; nil when that is none. Setting nil takes out as much as is found.
    public var filterStrength: Float? {
        get { if case .strength(let strength) = noiseLevel { strength } else { nil } }
        set { noiseLevel = newValue.map { .strength($0) } ?? .automatic }
    }

    /// Checks what can be checked without a session.
    ///
    /// - Parameters:
    ///   - sourceFrame: the frame to filter.
    ///   - nextFrames: frames after it in presentation order, of its format and size; the nearest
    ///     ``TemporalNoiseFilterConfiguration/nextFrameCount`` are used.
    ///   - previousFrames: frames before it in presentation order, alike; one reference in all is needed.
    ///   - destinationFrame: of the source frame's format and size.
    ///   - noiseLevel: how much noise is taken out; by default as much as is found.
    ///   - hasDiscontinuity: whether the source frame does not continue the frames before it.
    /// - Throws: ``FrameProcessorError`` that says why.
    public init(
        sourceFrame: FrameProcessorFrame, nextFrames: [FrameProcessorFrame], previousFrames: [FrameProcessorFrame],
        destinationFrame: FrameProcessorFrame, noiseLevel: NoiseLevel = .automatic, hasDiscontinuity: Bool = false
    ) throws(FrameProcessorError) {
        self.sourceFrame = sourceFrame
        self.nextFrames = nextFrames
        self.previousFrames = previousFrames
        destinationFrames = [destinationFrame]
        self.noiseLevel = noiseLevel
        self.hasDiscontinuity = hasDiscontinuity
        try checkNoiseLevel()
        guard !(nextFrames.isEmpty && previousFrames.isEmpty) else {
            throw FrameProcessorError(
                .invalidParameterError,
                "there is neither a previous nor a next frame; one reference is needed (pass a lone frame through as it is)"
            )
        }
        try frames.check()
    }

    /// The same with a strength, in the form of the system that this API is modelled on.
    ///
    /// - Parameters:
    ///   - sourceFrame: the frame to filter.
    ///   - nextFrames: frames after it in presentation order, of its format and size.
    ///   - previousFrames: frames before it in presentation order, alike; one reference in all is needed.
    ///   - destinationFrame: of the source frame's format and size.
    ///   - filterStrength: 0…1.
    ///   - hasDiscontinuity: whether the source frame does not continue the frames before it.
    /// - Throws: ``FrameProcessorError`` that says why.
    public init(
        sourceFrame: FrameProcessorFrame, nextFrames: [FrameProcessorFrame], previousFrames: [FrameProcessorFrame],
        destinationFrame: FrameProcessorFrame, filterStrength: Float, hasDiscontinuity: Bool = false
    ) throws(FrameProcessorError) {
        try self.init(
            sourceFrame: sourceFrame, nextFrames: nextFrames, previousFrames: previousFrames,
            destinationFrame: destinationFrame, noiseLevel: .strength(filterStrength),
            hasDiscontinuity: hasDiscontinuity)
    }

    /// - Throws: ``FrameProcessorError`` when a value is out of range.
    func checkNoiseLevel() throws(FrameProcessorError) {
        do {
            try noiseLevel.check()
        } catch {
            throw FrameProcessorError(.invalidParameterError, error.message, cause: error)
        }
    }
}

extension TemporalNoiseFilterParameters: EffectParameters {
    package var frames: CallFrames {
        CallFrames(
            source: sourceFrame, previous: previousFrames, next: nextFrames, destinations: destinationFrames)
    }
    /// Each call stands for itself.
    package var submissionMode: SubmissionMode { .random }
}

/// How much noise is to be taken out.
public enum NoiseLevel: Sendable, Hashable {
    /// As much as is found.
    case automatic
    /// 0…1: noise with a standard deviation of ``strongest`` times this, in 8-bit code values; 0 leaves all as it is.
    case strength(Float)
    /// Noise with this standard deviation, 0…255 8-bit code values.
    case sigma(Float)

    /// Strengths that are allowed.
    public static let strengthRange: ClosedRange<Float> = 0...1
    /// Standard deviations that are allowed, in 8-bit code values.
    public static let sigmaRange: ClosedRange<Float> = 0...255
    /// The standard deviation that strength 1 stands for, in 8-bit code values.
    public static let strongest: Float = 25

    /// The standard deviation in 8-bit code values; nil when it is to be found.
    var fixedSigma: Float? {
        switch self {
        case .automatic: nil
        case .strength(let strength): strength * Self.strongest
        case .sigma(let sigma): sigma
        }
    }

    /// - Throws: `FrameError` with `invalidArgument` for a number out of range.
    package func check() throws(FrameError) {
        switch self {
        case .strength(let strength) where !Self.strengthRange.contains(strength):
            throw FrameError(.invalidArgument, "strength \(strength) is not allowed; it is a number from 0 to 1")
        case .sigma(let sigma) where !Self.sigmaRange.contains(sigma):
            throw FrameError(.invalidArgument, "sigma \(sigma) is not allowed; it is a number from 0 to 255")
        case .automatic, .strength, .sigma: break
        }
    }
}
