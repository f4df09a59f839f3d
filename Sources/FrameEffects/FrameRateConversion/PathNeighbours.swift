package import FrameCore
package import Motion

/// The neighbouring pairs of frames that tell how paths bend between the two frames of a pair.
package struct PathNeighbours: Sendable, Hashable {
    /// Whether the pair that ends with the first frame is used.
    package var before: Bool
    /// Whether the pair that begins with the second frame is used.
    package var after: Bool

    package init(before: Bool, after: Bool) {
        self.before = before
        self.after = after
    }

    /// Paths are straight.
    package static let none = PathNeighbours(before: false, after: false)
}

/// The frame after a pair.
package struct UpcomingFrame: Sendable {
    package var next: PixelBuffer
    /// How the pair that it forms with the frame before it relates to the present pair.
    package var relation: PairRelation
    /// The motion of that pair; nil to estimate it.
    package var flow: OpticalFlow?

    package init(_ next: PixelBuffer, _ relation: PairRelation, flow: OpticalFlow? = nil) {
        self.next = next
        self.relation = relation
        self.flow = flow
    }
}
