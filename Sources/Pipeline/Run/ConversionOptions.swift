public import FrameEffects

/// How the frames of a conversion are made.
public struct ConversionOptions: Sendable, Hashable {
    /// Whether to favour speed or image quality.
    public var quality: QualityPrioritization
    /// The number of threads that work on one frame, at least 1. The result does not depend on it.
    public var threads: Int
    /// What is shown between two frames separated by a cut.
    public var atCut: CutTreatment

    /// The settings on which made frames depend, except for the treatment of cuts.
    var summary: String { quality == .quality ? "at high quality" : "at normal quality" }

    /// Creates options; values of `threads` below 1 are treated as 1.
    public init(quality: QualityPrioritization = .normal, threads: Int = 1, atCut: CutTreatment = .hold) {
        self.quality = quality
        self.threads = max(1, threads)
        self.atCut = atCut
    }
}

/// What is shown between two frames separated by a cut.
public enum CutTreatment: String, Sendable, Hashable, Codable, CaseIterable {
    /// The frame before the cut, until the time of the frame after it.
    case hold
    /// A linear cross-fade between the two frames.
    case blend
}
