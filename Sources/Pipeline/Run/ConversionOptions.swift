public import FrameEffects

/// How frames are made in a conversion.
public struct ConversionOptions: Sendable, Hashable {
    public var quality: QualityPrioritization
    /// Threads that work on one picture, at least 1. The result does not depend on it.
    public var threads: Int
    public var atCut: CutTreatment

    public init(quality: QualityPrioritization = .normal, threads: Int = 1, atCut: CutTreatment = .hold) {
        self.quality = quality
        self.threads = max(1, threads)
        self.atCut = atCut
    }
}
