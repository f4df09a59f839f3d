/// Trade between speed and picture quality of an effect.
public enum QualityPrioritization: Int, Sendable, Hashable, Codable, CaseIterable {
    /// For real time and long jobs.
    case normal = 1
    /// The best picture.
    case quality = 2
}
