public import FrameCore
internal import FrameEffects

/// How strongly the source of a clip was compressed, as far as its pictures or its codec show it.
public struct SourceCompression: Sendable, Hashable {
    /// 0 for sources without visible compression, 1 for strongly compressed ones.
    public let strength: Float

    /// The number of keyframes that are looked at.
    private static let keyFrameCount = 6
    /// Strengths are multiples of 1 / `steps`.
    private static let steps: Float = 16

    /// The compression of a source that shows none.
    public static let none = SourceCompression(strengths: [])

    /// Takes the median, because a single keyframe, such as a black one, may be quantized far more finely or coarsely than
    /// the others.
    private init(strengths: [Float]) {
        let sorted = strengths.sorted(), count = sorted.count
        let median = sorted.isEmpty ? 0 : (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
        strength = (median * Self.steps).rounded() / Self.steps
    }

    /// Takes what was measured otherwise or earlier.
    ///
    /// - Parameter strength: the strength, limited to 0…1.
    package init(strength: Float) { self.strength = min(max(strength, 0), 1) }

    /// Measures a single picture.
    ///
    /// - Throws: `FrameError` if memory cannot be allocated.
    public init(of picture: PixelBuffer, context: ExecutionContext) throws(FrameError) {
        let trace = try QuantizationTrace(of: picture, context: context)
        self.init(strengths: [trace.strength].compactMap(\.self))
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
        var strengths: [Float] = []
        /// The strength of the latest keyframe; nil if it shows none or could not be read.
        var latest: Float?
        for index in 0..<count {
            let place = Rational(Int32(2 * index + 1), Int32(2 * count))
            let time = clip.stream.duration.map { start + $0.multiplied(by: place) } ?? start
            do {
                // Nil stands for the latest keyframe.
                if let frame = try clip.keyFrame(at: time) {
                    latest = frame.isInterlaced ? nil : try Self.strength(of: frame, clip.quantizerStep, context)
                }
            } catch let error as FrameError where error.code != .allocation {
                latest = nil
            }
            if let latest { strengths.append(latest) }
        }
        self.init(strengths: strengths)
    }

    /// Returns the strength that a keyframe and its mean quantizer step tell; nil if neither does.
    private static func strength(
        of frame: Frame, _ quantizerStep: Float?, _ context: ExecutionContext
    ) throws(FrameError) -> Float? {
        // What was compressed more than once may show a coarser step than the latest codec's.
        let shown = try QuantizationTrace(of: frame.buffer, context: context).strength
        let stated = quantizerStep.map(QuantizationTrace.strength(ofStep:))
        return [shown, stated].compactMap(\.self).max()
    }

    /// The strength as a figure for reports; nil if there is no compression.
    public var measurement: EffectMeasurement? {
        strength > 0 ? EffectMeasurement(name: "compression", value: Double(strength)) : nil
    }
}
