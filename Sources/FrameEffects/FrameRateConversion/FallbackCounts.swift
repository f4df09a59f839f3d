/// How many 8×8 cells of the made frames were filled in which way.
public struct FallbackCounts: Sendable, Hashable {
    /// Motion compensated from both neighbours.
    public var bothSides = 0
    /// Motion compensated from one neighbour, where the other does not show the place.
    public var oneSide = 0
    /// Cross-faded without motion, where no motion could be trusted.
    public var blended = 0
    /// Taken unchanged from the nearer neighbour.
    public var repeated = 0

    /// All zero.
    public init() {}

    /// Adds each count of `b` to that of `a`.
    public static func += (a: inout FallbackCounts, b: FallbackCounts) {
        a.bothSides += b.bothSides
        a.oneSide += b.oneSide
        a.blended += b.blended
        a.repeated += b.repeated
    }
}
