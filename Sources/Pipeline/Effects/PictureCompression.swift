internal import FrameEffects

/// How strongly pictures were compressed, as far as they or their codec show it.
public struct PictureCompression: Sendable, Hashable, Codable {
    /// 0 for pictures without visible compression, 1 for strongly compressed ones.
    public let strength: Float
    /// The mean step with which the lowest frequencies of luma were quantized, in 8-bit code values of an orthonormal
    /// transform: 0 where nothing is known of it, otherwise a multiple of 1/16.
    public let step: Float
    /// Whether the codec filters the edges of its blocks, as H.264, HEVC, VP9 and AV1 do, and JPEG and MPEG-2 do not.
    public let isLoopFiltered: Bool

    /// Strengths and quantizer steps are multiples of 1 / `resolution`.
    private static let resolution: Float = 16

    /// The compression of pictures that show none.
    public static let none = PictureCompression(strength: 0, step: 0, isLoopFiltered: false)

    /// - Parameters:
    ///   - strength: the strength, limited to 0…1.
    ///   - step: the quantizer step; negative ones count as 0.
    ///   - isLoopFiltered: whether the codec filters the edges of its blocks, if the step is known.
    package init(strength: Float, step: Float, isLoopFiltered: Bool) {
        self.strength = Self.rounded(min(max(strength, 0), 1))
        self.step = Self.rounded(max(step, 0))
        self.isLoopFiltered = isLoopFiltered && step > 0
    }

    private static func rounded(_ value: Float) -> Float { (value * resolution).rounded() / resolution }

    /// What a network that cleans the pictures depends on.
    var condition: RestorationCondition { RestorationCondition(step: Double(step), isLoopFiltered: isLoopFiltered) }

    /// Whether the values are possible.
    package var isPlausible: Bool { (0...1).contains(strength) && (0...1024).contains(step) }

    /// How much pictures with this and with the other compression differ: the ratio of their steps, which is at least 1, and
    /// the difference of their strengths.
    func distance(from other: PictureCompression) -> Float {
        max(step, other.step, 1) / max(min(step, other.step), 1) + abs(strength - other.strength)
    }

    /// Whether pictures with this and with the other compression can be treated alike.
    func isLike(_ other: PictureCompression) -> Bool {
        let (less, more) = (min(step, other.step), max(step, other.step))
        return abs(strength - other.strength) <= 0.5 && (more <= 1 || more <= 1.4 * less)
            && (isLoopFiltered == other.isLoopFiltered || less == 0)
    }
}
