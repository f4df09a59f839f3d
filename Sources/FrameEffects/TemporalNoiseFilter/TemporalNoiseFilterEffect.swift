public import FrameCore

/// Configures a session that removes noise from frames with the help of neighbouring frames.
public struct TemporalNoiseFilterConfiguration: RevisedFrameProcessorConfiguration, Hashable {
    /// The revision of the algorithm. Specify one to get the same frames from later versions of the package.
    public enum Revision: Int, FrameProcessorRevision {
        /// The first revision.
        case revision1 = 1
    }

    /// The newest revision, ``Revision/revision1``.
    public static let defaultRevision: Revision = .revision1

    /// The allowed pixel formats of source frames: all of YCbCr and RGB, with and without alpha, of 8 to 16
    /// bits.
    public static var supportedSourcePixelFormats: [PixelFormat] { PixelBufferAttributes.allFormats }

    /// The width of the frames in pixels, 16…8192.
    public let frameWidth: Int
    /// The height of the frames in pixels, 16…8192.
    public let frameHeight: Int
    /// The pixel format of source, reference and destination frames.
    public let sourcePixelFormat: PixelFormat
    /// The trade-off between speed and quality.
    public let qualityPrioritization: QualityPrioritization
    /// Whether what strong compression leaves in the frames is removed as well.
    public let deblocking: Deblocking
    /// The revision that a session uses.
    public let revision: Revision

    /// Creates a configuration after checking size and format.
    ///
    /// - Parameters:
    ///   - frameWidth: 16…8192 pixels, odd widths included.
    ///   - frameHeight: 16…8192 pixels, odd heights included.
    ///   - sourcePixelFormat: one of ``supportedSourcePixelFormats``, for source, reference and destination frames.
    ///   - qualityPrioritization: `quality` filters twice and uses more reference frames.
    ///   - deblocking: whether blocking and ringing are removed as well; `off` by default, which gives the same frames
    ///     as earlier versions of the package.
    ///   - revision: revision of the algorithm; the newest by default.
    /// - Throws: ``FrameProcessorError`` if a value is not allowed; the message gives the reason.
    public init(
        frameWidth: Int, frameHeight: Int, sourcePixelFormat: PixelFormat,
        qualityPrioritization: QualityPrioritization = .normal, deblocking: Deblocking = .off,
        revision: Revision = defaultRevision
    ) throws(FrameProcessorError) {
        try Self.checkSize(frameWidth: frameWidth, frameHeight: frameHeight)
        guard Self.supportedSourcePixelFormats.contains(sourcePixelFormat) else {
            throw FrameProcessorError(
                .unsupportedInput,
                "pixel format \(sourcePixelFormat) is not supported; allowed are \(PixelFormat.list(Self.supportedSourcePixelFormats))"
            )
        }
        self.frameWidth = frameWidth
        self.frameHeight = frameHeight
        self.sourcePixelFormat = sourcePixelFormat
        self.qualityPrioritization = qualityPrioritization
        self.deblocking = deblocking
        self.revision = revision
    }

    /// Creates a configuration for frames like `picture`, which the engine checks.
    package init(unchecked picture: PixelBuffer, qualityPrioritization: QualityPrioritization) {
        frameWidth = picture.width
        frameHeight = picture.height
        sourcePixelFormat = picture.format
        self.qualityPrioritization = qualityPrioritization
        deblocking = .off
        revision = Self.defaultRevision
    }

    /// Only ``sourcePixelFormat``.
    public var supportedPixelFormats: [PixelFormat] { [sourcePixelFormat] }

    /// Returns the maximum number of reference frames used on each side of the source frame: 3, or 8 at `quality`. It
    /// is available before a configuration is created.
    public static func maximumReferenceCount(_ quality: QualityPrioritization) -> Int {
        TemporalNoiseFilterEngine.maximumReferences(quality)
    }

    /// The maximum number of reference frames used after the source frame: 3, or 8 at `quality`. Fewer can be passed.
    public var nextFrameCount: Int? { Self.maximumReferenceCount(qualityPrioritization) }
    /// The maximum number of reference frames used before the source frame: 3, or 8 at `quality`. Fewer can be passed.
    public var previousFrameCount: Int? { Self.maximumReferenceCount(qualityPrioritization) }
}

extension TemporalNoiseFilterConfiguration: EffectConfiguration {
    package func makeEffect(format: PixelFormat, context: ExecutionContext) throws(FrameError)
        -> TemporalNoiseFilterEngine
    {
        try TemporalNoiseFilterEngine(
            format: format, width: frameWidth, height: frameHeight, quality: qualityPrioritization,
            deblocking: deblocking, context: context)
    }
}

/// Requests one frame with its noise removed.
public struct TemporalNoiseFilterParameters: FrameProcessorParameters {
    /// The frame to filter.
    public let sourceFrame: FrameProcessorFrame
    /// Reference frames after the source frame, in presentation order.
    public let nextFrames: [FrameProcessorFrame]
    /// Reference frames before the source frame, in presentation order.
    public let previousFrames: [FrameProcessorFrame]
    /// The frame that receives the result.
    public let destinationFrames: [FrameProcessorFrame]
    /// How much noise to remove. Values out of range are rejected when the parameters are processed.
    public var noiseLevel: NoiseLevel
    /// Whether the source frame does not continue the frames before it; if so, ``previousFrames`` are ignored.
    public var hasDiscontinuity: Bool

    /// The strength in ``noiseLevel``, as a part of the measured noise; nil if that has none. Setting nil selects
    /// ``NoiseLevel/automatic``.
    public var filterStrength: Float? {
        get { if case .strength(let strength) = noiseLevel { strength } else { nil } }
        set { noiseLevel = newValue.map { .strength($0) } ?? .automatic }
    }

    /// Creates parameters after checking everything that does not depend on the session.
    ///
    /// - Parameters:
    ///   - sourceFrame: the frame to filter.
    ///   - nextFrames: frames after it in presentation order, of its format and size; the nearest
    ///     ``TemporalNoiseFilterConfiguration/nextFrameCount`` are used.
    ///   - previousFrames: frames before it in presentation order, likewise; at least one reference in total is needed.
    ///   - destinationFrame: a frame of the source frame's format and size.
    ///   - noiseLevel: how much noise to remove; by default, as much as is estimated.
    ///   - hasDiscontinuity: whether the source frame does not continue the frames before it.
    /// - Throws: ``FrameProcessorError`` if a value is not allowed; the message gives the reason.
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
                "there is neither a previous nor a next frame; at least one reference is needed (pass a single frame on unfiltered)"
            )
        }
        try frames.check()
    }

    /// Creates parameters with a filter strength, like the system that this API is modelled on.
    ///
    /// - Parameters:
    ///   - sourceFrame: the frame to filter.
    ///   - nextFrames: frames after it in presentation order, of its format and size.
    ///   - previousFrames: frames before it in presentation order, likewise; at least one reference in total is needed.
    ///   - destinationFrame: a frame of the source frame's format and size.
    ///   - filterStrength: 0…1; see ``NoiseLevel/strength(_:)``.
    ///   - hasDiscontinuity: whether the source frame does not continue the frames before it.
    /// - Throws: ``FrameProcessorError`` if a value is not allowed; the message gives the reason.
    public init(
        sourceFrame: FrameProcessorFrame, nextFrames: [FrameProcessorFrame], previousFrames: [FrameProcessorFrame],
        destinationFrame: FrameProcessorFrame, filterStrength: Float, hasDiscontinuity: Bool = false
    ) throws(FrameProcessorError) {
        try self.init(
            sourceFrame: sourceFrame, nextFrames: nextFrames, previousFrames: previousFrames,
            destinationFrame: destinationFrame, noiseLevel: .strength(filterStrength),
            hasDiscontinuity: hasDiscontinuity)
    }

    /// - Throws: ``FrameProcessorError`` if a value is out of range.
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
    /// `random`: calls are independent of one another.
    package var submissionMode: SubmissionMode { .random }
}

/// How much noise to remove.
public enum NoiseLevel: Sendable, Hashable {
    /// As much as is measured in the frames; the same as a ``strength(_:)`` of 1.
    case automatic
    /// This part, 0…1, of the amplitude of the noise that is measured in the frames: 0.5 leaves half of it, and 0
    /// changes nothing.
    case strength(Float)
    /// White noise with this standard deviation, 0…255 in 8-bit code values; `strength`, 0…1, is the part of its
    /// amplitude to remove.
    case sigma(Float, strength: Float = 1)
    /// Noise that was measured beforehand; `strength`, 0…1, is the part of its amplitude to remove.
    case model(NoiseModel, strength: Float = 1)

    /// The allowed strengths.
    public static let strengthRange: ClosedRange<Float> = 0...1
    /// The allowed standard deviations, in 8-bit code values.
    public static let sigmaRange: ClosedRange<Float> = 0...255

    /// The specified standard deviation in 8-bit code values; nil if it is to be estimated.
    var fixedSigma: Float? {
        if case .sigma(let sigma, _) = self { sigma } else { nil }
    }

    /// The part of the noise's amplitude to remove, 0…1.
    package var amount: Float {
        switch self {
        case .automatic: 1
        case .strength(let strength), .sigma(_, let strength), .model(_, let strength): strength
        }
    }

    /// The noise that was measured beforehand; nil for all others.
    package var model: NoiseModel? {
        if case .model(let model, _) = self { model } else { nil }
    }

    /// Whether the noise is measured, in the frames or beforehand.
    package var isMeasured: Bool { fixedSigma == nil }

    /// Whether frames stay as they are.
    package var isNothing: Bool { amount <= 0 || (fixedSigma ?? model?.most).map { $0 <= 0 } ?? false }

    /// - Throws: `FrameError` with `invalidArgument` if a value is out of range.
    package func check() throws(FrameError) {
        if let sigma = fixedSigma, !Self.sigmaRange.contains(sigma) {
            throw FrameError(.invalidArgument, "sigma \(sigma) is not allowed; it must be a number from 0 to 255")
        }
        guard Self.strengthRange.contains(amount) else {
            throw FrameError(.invalidArgument, "strength \(amount) is not allowed; it must be a number from 0 to 1")
        }
    }
}

/// The standard deviation of the noise that was found in a frame, in 8-bit code values.
package struct EstimatedNoise: Sendable, Hashable {
    /// Over the whole of each plane, in the order of the planes.
    package var planes: [Double]
    /// Of luma, for each of 16 ranges of brightness of equal width from black to white.
    package var byBrightness: [Double]

    package init(_ noise: NoiseModel, scale: Float = 1) {
        planes = noise.planes.map { Double($0.overall / scale) }
        byBrightness = noise.planes.first.map { $0.deviations.map { Double($0 / scale) } } ?? []
    }
}
