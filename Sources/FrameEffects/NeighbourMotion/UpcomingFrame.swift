package import FrameCore
package import Motion

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
