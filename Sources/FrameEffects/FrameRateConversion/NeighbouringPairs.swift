/// Which pairs of frames beside a pair tell about the content between its two frames: how its path bends, and how content
/// moves that one of the two frames hides.
package struct NeighbouringPairs: Sendable, Hashable {
    /// Whether the pair that ends with the first frame is used.
    package var before: Bool
    /// Whether the pair that begins with the second frame is used.
    package var after: Bool

    package init(before: Bool, after: Bool) {
        self.before = before
        self.after = after
    }

    /// Frames are made from the two frames of the pair alone, and paths are straight.
    package static let none = NeighbouringPairs(before: false, after: false)
}
