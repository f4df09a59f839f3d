import FrameCore
import Kernels
import Motion

/// The blocks of one plane: rows and columns `step` samples apart, the last ones at the edge.
struct BlockRows: Sendable {
    static let side = 8
    let width: Int
    let height: Int
    let step: Int

    /// Blocks in a row.
    var columns: Int { (width - Self.side + step - 1) / step + 1 }
    var rows: Int { (height - Self.side + step - 1) / step + 1 }

    func x(_ column: Int) -> Int { min(column * step, width - Self.side) }
    func y(_ row: Int) -> Int { min(row * step, height - Self.side) }
}

/// Where the blocks of one plane go in one other picture.
struct BlockMotion: Sendable {
    /// Nil for the picture itself.
    let field: CellField?
    /// Pyramid level of the field.
    let level: Int
    /// Luma samples per sample of the plane, as powers of two.
    let horizontalShift: Int
    let verticalShift: Int

    /// Writes the whole-sample motion of a row of blocks, limited to what can be read.
    func write(_ row: Int, of blocks: BlockRows, to vectors: UnsafeMutablePointer<Int16>) {
        guard let field else {
            vectors.update(repeating: 0, count: 2 * blocks.columns)
            return
        }
        let y = blocks.y(row), reach = NoisyPicture.margin - 1
        let lowest = -reach - y, highest = blocks.height + reach - BlockRows.side - y
        let place = Place(y, verticalShift, level, cells: field.rows)
        let last = field.columns - 1
        withUnsafeTemporaryAllocation(of: SIMD2<Int32>.self, capacity: field.columns) { between in
            // Between the rows of cells first, in 1/128.
            let above = field.vectors.base + place.first * field.columns
            let below = field.vectors.base + place.second * field.columns
            for x in 0...last {
                between[x] =
                    SIMD2<Int32>(truncatingIfNeeded: above[x]) &* (128 &- place.part)
                    &+ SIMD2<Int32>(truncatingIfNeeded: below[x]) &* place.part
            }
            let bitsX = Int32(MotionVector.fractionBits + horizontalShift + 14 - level)
            let bitsY = Int32(MotionVector.fractionBits + verticalShift + 14 - level)
            let halfX: Int32 = 1 &<< (bitsX &- 1), halfY: Int32 = 1 &<< (bitsY &- 1)
            for column in 0..<blocks.columns {
                let x = blocks.x(column), place = Place(x, horizontalShift, level, cells: last + 1)
                let v = between[place.first] &* (128 &- place.part) &+ between[place.second] &* place.part
                let dx = Int((v.x &+ halfX) &>> bitsX), dy = Int((v.y &+ halfY) &>> bitsY)
                vectors[2 * column] = Int16(
                    truncatingIfNeeded: min(max(dx, -reach - x), blocks.width + reach - BlockRows.side - x))
                vectors[2 * column + 1] = Int16(truncatingIfNeeded: min(max(dy, lowest), highest))
            }
        }
    }

    /// The two cells on one axis between whose centres a block's centre lies, and its part of the way in 1/128.
    private struct Place {
        let first: Int
        let second: Int
        let part: Int32

        init(_ sample: Int, _ shift: Int, _ level: Int, cells: Int) {
            let sideLog2 = level + CellField.cellSize.trailingZeroBitCount
            let position = ((2 * ((sample + BlockRows.side / 2) << shift) - (1 << sideLog2)) << 6) >> sideLog2
            let inside = min(max(position, 0), (cells - 1) << 7)
            first = inside >> 7
            second = min(first + 1, cells - 1)
            part = Int32(inside & 127)
        }
    }
}
