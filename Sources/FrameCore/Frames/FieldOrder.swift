/// Which field of an interlaced picture is shown first.
public enum FieldOrder: String, Sendable, Hashable, Codable, CaseIterable {
    /// The field of the even rows, counted from 0.
    case topFirst
    /// The field of the odd rows.
    case bottomFirst
}
