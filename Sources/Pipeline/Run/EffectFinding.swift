/// A figure that an effect found out about a clip.
public struct EffectFinding: Sendable, Hashable {
    /// In lower-case words, e.g. `noise sigma`.
    public var name: String
    public var value: Double

    public init(name: String, value: Double) {
        self.name = name
        self.value = value
    }
}
