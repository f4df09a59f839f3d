import FrameCore
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

    /// The common motion round a block, once it is known.
    private struct Common: BitwiseCopyable {
        var isUnknown = true
        var value: SIMD2<Int32>?

        init() {}

        init(motion: SIMD2<Int32>?) { (isUnknown, value) = (false, motion) }
    }

    let columns: Int
    let rows: Int
    /// log2 of the side of a block in luma samples.
    let blockLog2: Int
    private let blocks: Buffer2D<Block>
    private let common: Buffer2D<Common>

    /// - Parameters:
    ///   - field: the motion from the first frame to the second.
    ///   - area: the part of the frames that is not covered by bars; cells beside it do not count.
    init(_ field: FlowField, area: PictureArea) {
        let side = Self.side, level = Int32(field.level)
        (columns, rows) = ((field.columns + side - 1) / side, (field.rows + side - 1) / side)
        blockLog2 = field.level + 4
        blocks = Buffer2D(columns: columns, rows: rows, filledWith: Block())
        common = Buffer2D(columns: columns, rows: rows, filledWith: Common())
        let vectors = field.cells.vectors
        let log2 = field.level + 2
        /// The cells wholly inside; the last cell of a frame may be cut by its edge.
        func cells(_ samples: Range<Int>, of size: Int, _ count: Int) -> Range<Int> {
            let first = (samples.lowerBound + (1 << log2) - 1) >> log2
            return first..<max(first, samples.upperBound >= size ? count : samples.upperBound >> log2)
        }
        let inside = (
            columns: cells(area.columns, of: field.width, field.columns),
            rows: cells(area.rows, of: field.height, field.rows)
        )
        for y in inside.rows {
            let row = blocks.base + y / side * columns
            for x in inside.columns {
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

    /// Returns the motion of the ground round a block in 1/32 luma sample; nil if there is no common motion. It is computed
    /// when it is first asked for, not from several threads.
    func motion(_ x: Int, _ y: Int) -> SIMD2<Int32>? {
        let index = y * columns + x
        if common.base[index].isUnknown { common.base[index] = Common(motion: computedMotion(x, y)) }
        return common.base[index].value
    }

    private func computedMotion(_ x: Int, _ y: Int) -> SIMD2<Int32>? {
        typealias P = GroundParameters
        let window = window(x, y), capacity = window.columns.count * window.rows.count
        let memory = Scratch<Int32>(3 * capacity)
        let horizontal = memory.base, vertical = horizontal + capacity, scratch = vertical + capacity
        var count = 0
        for j in window.rows {
            for i in window.columns {
                let block = blocks.base + (j * columns + i)
                guard block.pointee.moving >= P.movingCells else { continue }
                horizontal[count] = block.pointee.motion.x
                vertical[count] = block.pointee.motion.y
                count += 1
            }
        }
        guard count > 0 else { return nil }
        func median(_ values: UnsafeMutablePointer<Int32>) -> Int32 {
            scratch.update(from: values, count: count)
            return Self.select(count / 2, scratch, count)
        }
        let median = SIMD2(median(horizontal), median(vertical))
        guard Self.length(median) >= P.least else { return nil }
        let tolerance = P.agreement + Self.length(median) / 8
        var agreeing = 0
        for k in 0..<count where Self.length(SIMD2(horizontal[k], vertical[k]) &- median) <= tolerance {
            agreeing += 1
        }
        return agreeing * 100 >= P.agreeingPercent * count ? median : nil
    }

    /// Returns the value that would be at an index if the values were sorted. Changes their order.
    private static func select(_ index: Int, _ values: UnsafeMutablePointer<Int32>, _ count: Int) -> Int32 {
        var low = 0, high = count - 1
        while low < high {
            let pivot = values[(low + high) / 2]
            var i = low, j = high
            while i <= j {
                while values[i] < pivot { i += 1 }
                while values[j] > pivot { j -= 1 }
                if i <= j {
                    (values[i], values[j]) = (values[j], values[i])
                    i += 1
                    j -= 1
                }
            }
            if index <= j { high = j } else if index >= i { low = i } else { return values[index] }
        }
        return values[index]
    }
}
