public import FrameCore
internal import FrameEffects

/// How strongly the source of a clip was compressed, as far as its pictures or its codec show it.
public struct SourceCompression: Sendable, Hashable {
    /// 0 for sources without visible compression, 1 for strongly compressed ones.
    public let strength: Float
    /// The mean step with which the lowest frequencies of luma were quantized, in 8-bit code values of an orthonormal
    /// transform: 0 where nothing is known of it, otherwise a multiple of 1/16.
    public let step: Float
    /// Whether the codec filters the edges of its blocks, as H.264, HEVC, VP9 and AV1 do, and JPEG and MPEG-2 do not.
    public let isLoopFiltered: Bool

    /// The number of keyframes that are looked at.
    private static let keyFrameCount = 6
    /// Strengths and quantizer steps are multiples of 1 / `steps`.
    private static let steps: Float = 16

    /// The compression of a source that shows none.
    public static let none = SourceCompression(strength: 0)

    /// Takes the median, because a single keyframe, such as a black one, may be quantized far more finely or coarsely than
    /// the others.
    private init(_ pictures: [PictureCompression]) {
        // A picture that shows no strength counts for the step only.
        strength = Self.median(pictures.compactMap(\.strength))
        // A step between a known one and none would be nobody's.
        let steps = pictures.map(\.step).sorted()
        step = steps.isEmpty ? 0 : (steps[(steps.count - 1) / 2] * Self.steps).rounded() / Self.steps
        isLoopFiltered = step > 0 && 2 * pictures.count(where: \.isLoopFiltered) > pictures.count
    }

    private static func median(_ values: [Float]) -> Float {
        let sorted = values.sorted(), count = sorted.count
        let median = sorted.isEmpty ? 0 : (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
        return (median * steps).rounded() / steps
    }

    /// Takes what was measured otherwise or earlier.
    ///
    /// - Parameters:
    ///   - strength: the strength, limited to 0…1.
    ///   - step: the quantizer step; nil for the one that goes with the strength.
    ///   - isLoopFiltered: whether the codec filters the edges of its blocks.
    package init(strength: Float, step: Float? = nil, isLoopFiltered: Bool = true) {
        self.strength = min(max(strength, 0), 1)
        let known = step.map { max($0, 0) } ?? QuantizationTrace.step(ofStrength: self.strength)
        self.step = (known * Self.steps).rounded() / Self.steps
        self.isLoopFiltered = isLoopFiltered && known > 0
    }

    /// Measures a single picture.
    ///
    /// - Throws: `FrameError` if memory cannot be allocated.
    public init(of picture: PixelBuffer, context: ExecutionContext) throws(FrameError) {
        let trace = try QuantizationTrace(of: picture, context: context)
        self.init([PictureCompression(trace, stated: nil)])
    }

    /// Measures keyframes that are spread over a clip, and takes their quantizer steps into account where they are
    /// known. Only pictures coded on their own show reliably how they were quantized.
    ///
    /// Interlaced frames are not measured, since the rows of a frame are not neighbours; nor are keyframes that cannot be
    /// read. A keyframe counts as often as it is the nearest, so its share is that of its time.
    ///
    /// - Parameters:
    ///   - clip: the keyframes of the clip.
    ///   - start: the time of the clip's first frame.
    ///   - context: the threads and kernels to use.
    /// - Throws: `FrameError` if memory cannot be allocated.
    public init(of clip: some KeyFrameSource, from start: MediaTime, context: ExecutionContext) throws {
        let count = clip.stream.duration == nil ? 1 : Self.keyFrameCount
        var pictures: [PictureCompression] = []
        /// The compression of the latest keyframe; nil if it could not be read.
        var latest: PictureCompression?
        for index in 0..<count {
            let place = Rational(Int32(2 * index + 1), Int32(2 * count))
            let time = clip.stream.duration.map { start + $0.multiplied(by: place) } ?? start
            do {
                // Nil stands for the latest keyframe.
                if let frame = try clip.keyFrame(at: time) {
                    latest =
                        frame.isInterlaced
                        ? nil
                        : PictureCompression(
                            try QuantizationTrace(of: frame.buffer, context: context), stated: clip.quantizerStep)
                }
            } catch let error as FrameError where error.code != .allocation {
                latest = nil
            }
            if let latest { pictures.append(latest) }
        }
        self.init(pictures)
    }

    /// The strength as a figure for reports; nil if there is no compression.
    public var measurement: EffectMeasurement? {
        strength > 0 ? EffectMeasurement(name: "compression", value: Double(strength)) : nil
    }
}

/// What a picture and its codec tell of its compression.
private struct PictureCompression {
    /// 0…1; nil if neither tells.
    let strength: Float?
    /// The mean quantizer step; 0 if it is not known.
    let step: Float
    let isLoopFiltered: Bool

    /// - Parameters:
    ///   - trace: what the picture shows.
    ///   - stated: the mean quantizer step that the codec states; those that do filter edges.
    init(_ trace: QuantizationTrace, stated: Float?) {
        // What was compressed more than once may show a coarser step than the latest codec's.
        strength = [trace.strength, stated.map(QuantizationTrace.strength(ofStep:))].compactMap(\.self).max()
        let step = RestorationCondition.step(stated: stated.map(Double.init), shown: trace.quantizerStep)
        self.step = step.map { Float($0) } ?? 0
        // Of a source that was compressed before, the picture shows the step and the edges.
        isLoopFiltered = stated != nil && step == stated.map(Double.init) || trace.showsLoopFilter
    }
}
