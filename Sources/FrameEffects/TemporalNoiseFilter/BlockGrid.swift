import FrameCore
import Kernels
import Motion

/// The reference blocks of one plane: `step` samples apart, with the last row and column moved to touch the edge.
struct BlockGrid: Sendable {
    static let side = 8
    let width: Int
    let height: Int
    let step: Int

    /// The number of blocks in a row.
    var columns: Int { (width - Self.side + step - 1) / step + 1 }
    var rows: Int { (height - Self.side + step - 1) / step + 1 }

    func x(_ column: Int) -> Int { min(column * step, width - Self.side) }
    func y(_ row: Int) -> Int { min(row * step, height - Self.side) }
}

/// The motion of one plane's blocks to one other frame.
struct BlockMotion: Sendable {
    /// The motion vectors; nil for the frame itself.
    private let field: MotionVectorField?
    private let blocks: BlockGrid
    /// The pyramid level of the field.
    private let level: Int
    /// Base-2 logarithms of the number of luma samples per sample of the plane.
    private let shift: (x: Int, y: Int)
    /// The horizontal position of each column of blocks.
    private let places: [Place]

    init(field: MotionVectorField?, level: Int, blocks: BlockGrid, horizontalShift: Int, verticalShift: Int) {
        self.field = field
        self.blocks = blocks
        self.level = level
        shift = (horizontalShift, verticalShift)
        places =
            field.map { field in
                (0..<blocks.columns).map {
                    Place(blocks.x($0), horizontalShift, level, cells: field.columns, side: blocks.width)
                }
            } ?? []
    }

    /// Writes the motion of a row of blocks in whole samples, limited to positions that can be read.
    func write(_ row: Int, to vectors: UnsafeMutablePointer<Int16>) {
        guard let field else {
            vectors.update(repeating: 0, count: 2 * blocks.columns)
            return
        }
        let place = Place(blocks.y(row), shift.y, level, cells: field.rows, side: blocks.height)
        let last = field.columns - 1
        // One more than there are columns, so that the last cell has a right neighbour.
        let between = Scratch<Int32>(2 * field.columns + 2)
        // Interpolate between the rows of cells first, in 1/128.
        let above = field.vectors.base + Int(place.first) * field.columns
        let below = field.vectors.base + min(Int(place.first) + 1, field.rows - 1) * field.columns
        for x in 0...last + 1 {
            let a = above[min(x, last)], b = below[min(x, last)]
            between[2 * x] = Int32(a.x) &* (128 &- place.part) &+ Int32(b.x) &* place.part
            between[2 * x + 1] = Int32(a.y) &* (128 &- place.part) &+ Int32(b.y) &* place.part
        }
        let bitsX = Int32(MotionVector.fractionBits + shift.x + 14 - level)
        let bitsY = Int32(MotionVector.fractionBits + shift.y + 14 - level)
        let halfX: Int32 = 1 &<< (bitsX &- 1), halfY: Int32 = 1 &<< (bitsY &- 1)
        places.withUnsafeBufferPointer { places in
            for column in 0..<places.count {
                let at = places[column], first = Int(at.first) &* 2
                let x = between[first] &* (128 &- at.part) &+ between[first &+ 2] &* at.part
                let y = between[first &+ 1] &* (128 &- at.part) &+ between[first &+ 3] &* at.part
                let dx = (x &+ halfX) &>> bitsX, dy = (y &+ halfY) &>> bitsY
                vectors[2 &* column] = Int16(truncatingIfNeeded: min(max(dx, at.lowest), at.highest))
                vectors[2 &* column &+ 1] = Int16(truncatingIfNeeded: min(max(dy, place.lowest), place.highest))
            }
        }
    }

    /// The position of a block on one axis, relative to the cells of the motion field.
    private struct Place {
        /// The cell whose centre is at or before the block's, and the fraction of the way to the next cell in 1/128.
        let first: Int32
        let part: Int32
        /// The limits of the block's motion, in samples.
        let lowest: Int32
        let highest: Int32

        init(_ sample: Int, _ shift: Int, _ level: Int, cells: Int, side: Int) {
            let sideLog2 = level + MotionVectorField.cellSize.trailingZeroBitCount
            let position = ((2 * ((sample + BlockGrid.side / 2) << shift) - (1 << sideLog2)) << 6) >> sideLog2
            let inside = min(max(position, 0), (cells - 1) << 7), reach = NoisyPicture.margin - 1
            first = Int32(inside >> 7)
            part = Int32(inside & 127)
            lowest = Int32(-reach - sample)
            highest = Int32(side + reach - BlockGrid.side - sample)
        }
    }
}
