/// What is shown between two frames that a cut separates.
public enum CutTreatment: String, Sendable, Hashable, Codable, CaseIterable {
    /// The frame before the cut, until the frame after it is due.
    case hold
    /// A linear cross-fade from one to the other.
    case blend
}
