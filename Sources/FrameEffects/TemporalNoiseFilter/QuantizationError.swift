import Glibc

extension QuantizationTrace {
    /// Dead zones up to `first` are left alone, from `full` on the error is removed in full.
    private static let onset: (first: Float, full: Float) = (2.6, 5.5)
    /// Likewise for the evidence.
    private static let certainty: (first: Float, full: Float) = (0.6, 0.8)
    /// The standard deviation of the removed error: `base` at a dead zone of `usual`, growing with this power of
    /// it up to `coarsest`; more by `hard` where blocks end abruptly, by `quality` in two rounds.
    private static let error:
        (
            base: Float, usual: Float, power: Float, coarsest: Float, hard: Float, quality: Float
        ) = (1.5, 7.5, 0.4, 30, 0.6, 1.4)
    /// The part of it that is removed where little `excess` is seen, as after codecs with large transforms.
    private static let faint: (part: Float, excess: Float) = (0.6, 2)
    /// The part of it in chroma, which codecs quantize less.
    private static let chroma: Float = 0.3

    /// The standard deviation of the error to remove, in 8-bit code values.
    func deviation(isLuma: Bool, _ quality: QualityPrioritization) -> Float {
        var size = Self.ramp(deadZone, Self.onset) * Self.ramp(evidence, Self.certainty)
        guard size > 0 else { return 0 }
        size *= Self.faint.part + (1 - Self.faint.part) * min(excess / Self.faint.excess, 1)
        size *= Self.error.base * powf(min(deadZone, Self.error.coarsest) / Self.error.usual, Self.error.power)
        size *= 1 + Self.error.hard * hardness
        return size * (isLuma ? 1 : Self.chroma) * (quality == .quality ? Self.error.quality : 1)
    }
}
