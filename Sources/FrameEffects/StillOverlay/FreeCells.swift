import Motion

/// Parameters of the ground that shows beside an overlay. The values were chosen by hand, November 2026.
private enum FreeCellParameters {
    /// Distance in cells from an overlay at which the ground is on its own.
    static let clearance = 3
    /// Contrast within a cell from which its stillness says something.
    static let texture: UInt8 = 10
    /// Still cells of the ground round a block that do not matter, and the percentage of all of them that may be still.
    static let stillCells = 8
    static let stillPercent = 7
}

/// The cells that show only the ground, and whether it moves in them.
///
/// Most are never asked for, so each is looked at when it first is; not from several threads.
struct FreeCells {
    /// What is known of a cell.
    private enum State {
        static let unknown: UInt8 = 0
        /// Too close to the overlay, without texture, or beside the picture.
        static let silent: UInt8 = 1
        static let still: UInt8 = 2
        static let moving: UInt8 = 3
        /// Moving, but it may be without texture.
        static let perhapsMoving: UInt8 = 4
    }

    private typealias P = FreeCellParameters
    private let luma: PaddedPlane
    private let field: FlowField
    private let states: Buffer2D<UInt8>
    private let area: PictureArea
    /// log2 of the side of a cell in luma samples.
    private let sideLog2: Int

    /// - Parameters:
    ///   - luma: luma of the first frame at 8 bits.
    ///   - field: the motion from the first frame to the second.
    ///   - covered: other than 0 for the cells of the overlay.
    ///   - area: the part of the frames that is not covered by bars.
    init(_ luma: PaddedPlane, _ field: FlowField, covered: Buffer2D<UInt8>, area: PictureArea) {
        (self.luma, self.field, self.area, sideLog2) = (luma, field, area, field.level + 2)
        // A cell near the overlay is silent: both are 1.
        states = covered.dilated(by: P.clearance)
    }

    /// Whether the ground round a block moves. Where much of it is still, the edges belong to a still ground, before which
    /// something else moves.
    func isMoving(round block: (x: Int, y: Int)) -> Bool {
        let side = GroundMotion.side, radius = GroundParameters.radius
        let columns = max(0, (block.x - radius) * side)..<min(states.columns, (block.x + radius + 1) * side)
        let rows = max(0, (block.y - radius) * side)..<min(states.rows, (block.y + radius + 1) * side)
        func isTooMuch(_ still: Int, of all: Int) -> Bool {
            still > P.stillCells && still * 100 > P.stillPercent * all
        }
        var still = 0, moving = 0
        for y in rows {
            for x in columns {
                let state = state(x, y)
                if state == State.still { still += 1 }
                if state >= State.moving { moving += 1 }
            }
            if isTooMuch(still, of: columns.count * rows.count) { return false }
        }
        if still <= P.stillCells { return true }
        if isTooMuch(still, of: still + moving) { return false }
        moving = 0
        for y in rows {
            for x in columns {
                if states[x, y] == State.perhapsMoving {
                    states[x, y] = hasTexture(x, y) ? State.moving : State.silent
                }
                if states[x, y] == State.moving { moving += 1 }
            }
        }
        return !isTooMuch(still, of: still + moving)
    }

    @inline(__always)
    private func state(_ x: Int, _ y: Int) -> UInt8 {
        let known = states[x, y]
        if known != State.unknown { return known }
        let last = (1 << sideLog2) - 1
        guard area.contains(x << sideLog2, y << sideLog2),
            area.contains(min((x << sideLog2) + last, luma.width - 1), min((y << sideLog2) + last, luma.height - 1))
        else {
            states[x, y] = State.silent
            return State.silent
        }
        let v = SIMD2<Int32>(truncatingIfNeeded: field.cells.vectors[x, y]) &<< Int32(field.level)
        let state =
            GroundMotion.length(v) > GroundParameters.still
            ? State.perhapsMoving : hasTexture(x, y) ? State.still : State.silent
        states[x, y] = state
        return state
    }

    private func hasTexture(_ x: Int, _ y: Int) -> Bool {
        var low = UInt8.max, high = UInt8.min
        let left = x << sideLog2, right = min((x + 1) << sideLog2, luma.width), stride = luma.stride
        var row = UnsafePointer(luma.bytes) + (y << sideLog2) * stride
        for _ in y << sideLog2..<min((y + 1) << sideLog2, luma.height) {
            for i in left..<right {
                low = min(low, row[i])
                high = max(high, row[i])
            }
            if high >= low, high - low >= P.texture { return true }
            row += stride
        }
        return false
    }
}
