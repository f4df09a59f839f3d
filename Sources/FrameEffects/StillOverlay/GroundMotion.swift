import Motion

/// Parameters of the motion of the ground round still things. Motion is in 1/32 luma sample. The values were chosen by
/// hand, November 2026.
enum GroundParameters {
    /// Motion up to which a cell is still: one sample.
    static let still: Int32 = 32
    /// Minimum motion of the ground: one and a half samples.
    static let least: Int32 = 48
    /// Blocks in each direction round a block that tell how the ground moves there.
    static let radius = 3
    /// Percentage of the cells round a block that must move.
    static let movingPercent = 40
    /// Moving cells from which a block has a say in the motion of the ground.
    static let movingCells: Int32 = 4
    /// Percentage of those blocks that must agree with their median.
    static let agreeingPercent = 70
    /// Distance from the median up to which a motion agrees with it: one sample and an eighth of its length.
    static let agreement: Int32 = 32
}

/// The motion of the ground round still things: in each block of 4×4 cells, the motion of most of the moving cells of a
/// wider window. Still cells have no say, since they belong to what stands on the ground.
struct GroundMotion {
    /// Cells to a side of a block.
    static let side = 4

    private struct Block: BitwiseCopyable {
        var still: Int32 = 0
        var moving: Int32 = 0
        var cells: Int32 = 0
        /// The sum of the motion of the moving cells; their mean once all cells have been added.
        var motion: SIMD2<Int32> = .zero
    }

    let columns: Int
    let rows: Int
    /// log2 of the side of a block in luma samples.
    let blockLog2: Int
    private let blocks: Buffer2D<Block>

    init(_ field: FlowField) {
        let side = Self.side, level = Int32(field.level)
        (columns, rows) = ((field.columns + side - 1) / side, (field.rows + side - 1) / side)
        blockLog2 = field.level + 4
        blocks = Buffer2D(columns: columns, rows: rows, filledWith: Block())
        let vectors = field.cells.vectors
        for y in 0..<field.rows {
            let row = blocks.base + y / side * columns
            for x in 0..<field.columns {
                let v = SIMD2<Int32>(truncatingIfNeeded: vectors.base[y &* vectors.columns &+ x]) &<< level
                row[x / side].cells &+= 1
                if Self.length(v) <= GroundParameters.still {
                    row[x / side].still &+= 1
                } else {
                    row[x / side].moving &+= 1
                    row[x / side].motion &+= v
                }
            }
        }
        for index in 0..<blocks.count where blocks.base[index].moving > 0 {
            blocks.base[index].motion /= SIMD2(repeating: blocks.base[index].moving)
        }
    }

    @inline(__always)
    static func length(_ v: SIMD2<Int32>) -> Int32 { abs(v.x) &+ abs(v.y) }

    private func window(_ x: Int, _ y: Int) -> (columns: Range<Int>, rows: Range<Int>) {
        let radius = GroundParameters.radius
        return (max(0, x - radius)..<min(columns, x + radius + 1), max(0, y - radius)..<min(rows, y + radius + 1))
    }

    /// Whether a block has still cells while much round it moves.
    func isStillAmidMotion(_ x: Int, _ y: Int) -> Bool {
        guard blocks[x, y].still > 0 else { return false }
        let window = window(x, y)
        var moving = 0, cells = 0
        for j in window.rows {
            for i in window.columns {
                moving += Int(blocks[i, j].moving)
                cells += Int(blocks[i, j].cells)
            }
        }
        return moving * 100 >= GroundParameters.movingPercent * cells
    }

    /// Returns the motion of the ground round a block in 1/32 luma sample; nil if there is no common motion.
    func motion(_ x: Int, _ y: Int) -> SIMD2<Int32>? {
        typealias P = GroundParameters
        let window = window(x, y)
        var horizontal: [Int32] = [], vertical: [Int32] = []
        for j in window.rows {
            for i in window.columns where blocks[i, j].moving >= P.movingCells {
                horizontal.append(blocks[i, j].motion.x)
                vertical.append(blocks[i, j].motion.y)
            }
        }
        guard !horizontal.isEmpty else { return nil }
        let middle = horizontal.count / 2
        let median = SIMD2(horizontal.sorted()[middle], vertical.sorted()[middle])
        guard Self.length(median) >= P.least else { return nil }
        let tolerance = P.agreement + Self.length(median) / 8
        let agreeing = zip(horizontal, vertical).count { Self.length(SIMD2($0, $1) &- median) <= tolerance }
        return agreeing * 100 >= P.agreeingPercent * horizontal.count ? median : nil
    }
}
