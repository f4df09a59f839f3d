/// What was done to find the motion of a clip's pairs of neighbours.
public struct FlowStatistics: Sendable, Hashable {
    /// Pairs whose motion was found.
    public var pairs: Int
    /// Wall-clock milliseconds that both directions of a pair took; nil without a pair, as is the next.
    public var medianMilliseconds: Double?
    /// What 19 of 20 pairs stayed below.
    public var slowMilliseconds: Double?

    /// - Parameters:
    ///   - pairs: whose motion was found.
    ///   - medianMilliseconds: of both directions of a pair.
    ///   - slowMilliseconds: what 19 of 20 pairs stayed below.
    public init(pairs: Int = 0, medianMilliseconds: Double? = nil, slowMilliseconds: Double? = nil) {
        self.pairs = pairs
        self.medianMilliseconds = medianMilliseconds
        self.slowMilliseconds = slowMilliseconds
    }
}
