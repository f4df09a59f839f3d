public import FrameCore
public import FrameEffects

/// How the frames of a conversion are made.
public struct ConversionOptions: Sendable, Hashable {
    /// Whether to favour speed or image quality.
    public var quality: QualityPrioritization
    /// The threads and kernels to use, by default one thread. The result does not depend on them.
    public var context: ExecutionContext
    /// What is shown between two frames separated by a cut.
    public var atCut: CutTreatment
    /// What is shown while a frame stands still for much longer than the frames round it.
    public var longHolds: LongHoldTreatment
    /// Where the pixels of the source are kept, for effects that can do so.
    public var kept = KeptAreas()

    /// The settings on which made frames depend, except for the treatment of cuts and
    /// holds.
    var summary: String { (quality == .quality ? "at high quality" : "at normal quality") + kept.summary }

    /// Returns the same options for an effect that keeps areas of the source.
    func keeping(_ areas: KeptAreas) -> ConversionOptions {
        var options = self
        options.kept = areas
        return options
    }

    /// Creates options.
    public init(
        quality: QualityPrioritization = .normal, context: ExecutionContext = .serial, atCut: CutTreatment = .hold,
        longHolds: LongHoldTreatment = .hold
    ) {
        self.quality = quality
        self.context = context
        self.atCut = atCut
        self.longHolds = longHolds
    }
}

/// What is shown while a frame stands still, as in screen recordings and slides: for more than 0.25 s, and for more than
/// four times the median interval round it (up to six intervals on each side; live, before it only). Six similar
/// intervals in a row are a low frame rate and no holds.
public enum LongHoldTreatment: String, Sendable, Hashable, Codable, CaseIterable {
    /// The frame, until one usual interval before the next one; frames are interpolated in that interval only.
    case hold
    /// Frames interpolated all the time.
    case interpolate
}

/// What is shown between two frames separated by a cut.
public enum CutTreatment: String, Sendable, Hashable, Codable, CaseIterable {
    /// The frame before the cut, until the time of the frame after it.
    case hold
    /// A linear cross-fade between the two frames.
    case blend
}
