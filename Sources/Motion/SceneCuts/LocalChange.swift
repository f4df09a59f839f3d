/// Where a frame differs from both of its neighbours: what moves there was elsewhere before and is elsewhere afterwards.
package struct LocalChange: Sendable {
    /// Cells in a row.
    package let width: Int
    /// Cells in a column.
    package let height: Int
    /// The smaller of the two differences in luma of each cell, in 1/4 of an 8-bit level, row by row. The change of the
    /// mean of the whole frame is left out, so that a flash or a fade is no motion.
    package let values: [Int16]

    /// Compares a frame with those before and after it; with one of them near an end of its scene.
    package init(before: FrameSignature?, _ frame: FrameSignature, after: FrameSignature?) {
        (width, height) = (frame.luma.width, frame.luma.height)
        let cells = frame.luma.values.count
        var values = [Int16](repeating: .max, count: cells)
        var isCompared = false
        for other in [before, after] {
            guard let other, other.luma.values.count == cells else { continue }
            isCompared = true
            let shift = frame.statistics.mean - other.statistics.mean
            for index in values.indices {
                let change = abs(Int32(frame.luma.values[index]) - Int32(other.luma.values[index]) - shift)
                values[index] = min(values[index], Int16(truncatingIfNeeded: change))
            }
        }
        self.values = isCompared ? values : [Int16](repeating: 0, count: cells)
    }
}
