/// A figure that an effect measured of a clip.
public struct EffectMeasurement: Sendable, Hashable {
    /// In lower-case words, e.g. `noise sigma`.
    public var name: String
    /// The figure, in the unit that the name implies.
    public var value: Double

    /// - Parameters:
    ///   - name: in lower-case words.
    ///   - value: the figure.
    public init(name: String, value: Double) {
        self.name = name
        self.value = value
    }
}
