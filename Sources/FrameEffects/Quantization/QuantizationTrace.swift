package import FrameCore
import Imaging
import Motion

/// How coarsely a block codec has quantized a picture, as far as the picture shows it.
package struct QuantizationTrace: Sendable, Hashable {
    /// Up to this, coefficients are missing, in 8-bit code values of an orthonormal DCT; a third of the quantizer step or
    /// more.
    package var deadZone: Float = 0
    /// How far the result stands out from chance; pictures that have never been compressed stay below 0.6.
    package var evidence: Float = 0
    /// The evidence that 3600 blocks would give.
    package var excess: Float = 0
    /// Whether blocks end abruptly, 0…1: 0 after a codec that filters block edges (H.264, HEVC, VP9, AV1), 1 after one
    /// that does not (MPEG-2, MPEG-4, JPEG).
    package var hardness: Float = 0

    package init() {}

    /// With this much evidence, later frames are not measured.
    static let enough: Float = 2.5

    /// Returns what this trace and that of another frame say together: of similar evidence, the finer quantization,
    /// since codecs quantize some frames more coarsely; otherwise the one with more evidence.
    func joined(_ other: QuantizationTrace) -> QuantizationTrace {
        if other.evidence < Self.similar * evidence { return self }
        if evidence < Self.similar * other.evidence { return other }
        var joined = other.deadZone < deadZone ? other : self
        joined.evidence = max(evidence, other.evidence)
        return joined
    }

    private static let similar: Float = 0.5

    /// Dead zones from `first` to `full` call for more and more treatment, and so does the evidence.
    private static let coarse: (first: Float, full: Float) = (4.5, 7.5)
    private static let certain: (first: Float, full: Float) = (0.7, 1)

    /// How strongly the picture was compressed: 0 where a trained upscaler for clean pictures does best, 1 where one for
    /// compressed pictures does; nil if the picture does not show it.
    package var strength: Float? {
        guard evidence > Self.certain.first else { return nil }
        return Self.ramp(deadZone, Self.coarse) * Self.ramp(evidence, Self.certain)
    }

    /// The quantizer steps of codecs that go with ``coarse``.
    private static let coarseSteps: (first: Float, full: Float) = (10, 16.5)

    /// Returns how strongly a picture was compressed with a quantizer step, in 8-bit code values of an orthonormal DCT.
    package static func strength(ofStep step: Float) -> Float { ramp(step, coarseSteps) }

    /// Returns the quantizer step that goes with a strength, in 8-bit code values; 0 for none.
    package static func step(ofStrength strength: Float) -> Float {
        strength > 0 ? coarseSteps.first + strength * (coarseSteps.full - coarseSteps.first) : 0
    }

    /// The mean step with which the lowest frequencies were quantized, in 8-bit code values; nil if the picture does not show
    /// it.
    package var quantizerStep: Double? {
        // A line through the dead zones that JPEG leaves, whose steps grow with the frequency.
        evidence >= Self.certain.full ? max(1, 1.25 * (Double(deadZone) - 1.1)) : nil
    }

    /// Below this hardness, block edges count as filtered.
    private static let hard: Float = 0.5

    /// Whether block edges look filtered, as by a codec's loop filter; also true if the picture shows no quantization.
    package var showsLoopFilter: Bool { hardness < Self.hard }

    /// Returns 0 up to `range.first`, 1 from `range.full` on, and a line between.
    static func ramp(_ value: Float, _ range: (first: Float, full: Float)) -> Float {
        min(max((value - range.first) / (range.full - range.first), 0), 1)
    }
}

extension QuantizationTrace {
    /// Creates the trace of a picture.
    ///
    /// - Throws: `FrameError` if memory cannot be allocated.
    package init(of frame: PixelBuffer, context: ExecutionContext) throws(FrameError) {
        let picture = try frame.analysisPicture(context: context)
        let luma = try picture.withPlanes { planes throws(FrameError) in
            try PaddedPlane(
                copying: planes[0], bytesPerSample: picture.format.bytesPerSample, margin: 8, context: context)
        }
        self = QuantizationEstimator.trace(luma, scale: Float(1 << (picture.format.bitDepth - 8)), context: context)
    }
}
