public import FrameEffects

/// How frames are made in a conversion.
public struct ConversionOptions: Sendable, Hashable {
    /// Speed or the best pictures.
    public var quality: QualityPrioritization
    /// Threads that work on one picture, at least 1. The result does not depend on it.
    public var threads: Int
    /// What is shown between two frames that a cut separates.
    public var atCut: CutTreatment

    /// What pictures depend on, but for cuts.
    var summary: String { quality == .quality ? "at high quality" : "at normal quality" }

    /// Options; `threads` below 1 are taken as 1.
    public init(quality: QualityPrioritization = .normal, threads: Int = 1, atCut: CutTreatment = .hold) {
        self.quality = quality
        self.threads = max(1, threads)
        self.atCut = atCut
    }
}

/// What is shown between two frames that a cut separates.
public enum CutTreatment: String, Sendable, Hashable, Codable, CaseIterable {
    /// The frame before the cut, until the frame after it is due.
    case hold
    /// A linear cross-fade from one to the other.
    case blend
}
