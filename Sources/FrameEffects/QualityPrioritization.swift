/// The trade-off between an effect's speed and its quality.
public enum QualityPrioritization: Int, Sendable, Hashable, Codable, CaseIterable {
    /// Fast: for real time and long jobs.
    case normal = 1
    /// The best quality.
    case quality = 2
}
