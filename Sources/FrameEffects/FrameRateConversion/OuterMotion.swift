import FrameCore
import Motion

/// The motion from the two frames of a pair outwards, as far as it is known.
struct OuterMotion {
    /// From the first frame to the frame before it.
    let first: FlowField?
    /// From the second frame to the frame after it.
    let second: FlowField?

    /// - Parameters:
    ///   - flow: the motion between the two frames.
    ///   - before: the motion of the pair that ends with the first frame; nil if it is not known.
    ///   - after: the motion of the pair that begins with the second frame; nil if it is not known.
    /// - Returns: nil if nothing is known.
    init?(of flow: OpticalFlow, before: OpticalFlow?, after: OpticalFlow?) {
        func usable(_ outer: FlowField?, beside inner: FlowField) -> FlowField? {
            guard let outer, outer.level == inner.level, outer.columns == inner.columns, outer.rows == inner.rows,
                !outer.standsStill(beside: inner), !inner.standsStill(beside: outer)
            else { return nil }
            return outer
        }
        first = usable(before?.backward, beside: flow.forward)
        second = usable(after?.forward, beside: flow.backward)
        if first == nil, second == nil { return nil }
    }

    /// Returns the flow with the motion of content that one frame of the pair hides as it shows beside the pair.
    func occlusionsTracked(in flow: OpticalFlow, context: ExecutionContext) throws(FrameError) -> OpticalFlow {
        func tracked(_ field: FlowField, _ outer: FlowField?) -> FlowField {
            outer.map { field.occlusionsTracked(by: $0, context: context) } ?? field
        }
        return try OpticalFlow(forward: tracked(flow.forward, first), backward: tracked(flow.backward, second))
    }
}

extension FlowField {
    /// A pair is a repeat if it has less than one moving cell for so many of a neighbouring pair.
    private static let movingCellsOfRepeat = 8
    /// Of so many rows of cells, one is looked at.
    private static let rowStep = 4

    /// Whether hardly anything moves in this field compared with that of a neighbouring pair. A repeated frame tells
    /// nothing about motion, nor does anything move between two equal frames.
    fileprivate func standsStill(beside other: FlowField) -> Bool {
        func moving(_ field: FlowField) -> Int {
            var count = 0
            for y in stride(from: 0, to: rows, by: Self.rowStep) {
                for i in y * columns..<(y + 1) * columns where field.cells.vectors.base[i] != .zero { count += 1 }
            }
            return count
        }
        return moving(self) * Self.movingCellsOfRepeat < moving(other)
    }
}
