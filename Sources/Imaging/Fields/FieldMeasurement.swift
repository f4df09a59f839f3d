public import FrameCore
internal import Kernels

/// What a frame and the one before it show of their fields, in numbers of blocks of 16x16 luma samples.
///
/// Where a scene moves, rows that were captured at different times zigzag at its edges: the frame is combed. The amount
/// itself tells little, since text and fine lines zigzag too. So each block is compared with two others: its top field
/// woven with the previous bottom field, and its bottom field woven with the previous top field. Whichever rows were
/// captured closest in time zigzag least:
///
/// | fields in order of time | zigzag of frame, with earlier bottom, with earlier top |
/// |---|---|
/// | top and bottom at once | little, much, much |
/// | top, then bottom | some, some, much |
/// | bottom, then top | some, much, some |
///
/// Blocks in which nothing moves zigzag alike in all three and count for nothing, whatever is in them.
public struct FieldMeasurement: Sendable, Hashable, Codable {
    /// The number of blocks; those cut off by the right or bottom edge are not measured.
    public var blocks = 0
    /// The blocks in which a field differs from the same field of the previous frame.
    public var moving = 0
    /// The blocks whose fields were captured at once.
    public var progressive = 0
    /// The blocks whose top field was captured between the previous bottom field and the bottom field.
    public var topFirst = 0
    /// The blocks whose bottom field was captured between the previous top field and the top field.
    public var bottomFirst = 0
    /// The blocks among ``topFirst`` whose top field was captured together with the previous bottom field.
    public var topWithEarlier = 0
    /// The blocks among ``bottomFirst`` whose bottom field was captured together with the previous top field.
    public var bottomWithEarlier = 0
    /// The moving blocks whose top field repeats the previous one.
    public var repeatedTop = 0
    /// The moving blocks whose bottom field repeats the previous one.
    public var repeatedBottom = 0

    /// A measurement of nothing.
    public init() {}

    /// Compares a frame with the one before it.
    ///
    /// - Parameters:
    ///   - frame: the frame. If it is smaller than a block or is not like `previous`, nothing is measured.
    ///   - previous: the frame before it.
    ///   - context: the threads and kernels to use.
    public init(of frame: PixelBuffer, after previous: PixelBuffer, context: ExecutionContext) {
        let columns = frame.width / Self.side, rows = frame.height / Self.side
        guard frame.format == previous.format, frame.width == previous.width, frame.height == previous.height,
            columns > 0, rows > 0
        else { return }
        let parts = Lock([FieldMeasurement](repeating: FieldMeasurement(), count: rows))
        parallelFor(rows, threads: context.threads) { row in
            let part = Self.row(row, of: frame, after: previous, columns, context)
            parts.withLock { $0[row] = part }
        }
        self = parts.withLock { $0.reduce(FieldMeasurement(), +) }
    }

    /// Adds two measurements.
    static func + (a: FieldMeasurement, b: FieldMeasurement) -> FieldMeasurement {
        var sum = a
        sum.blocks += b.blocks
        sum.moving += b.moving
        sum.progressive += b.progressive
        sum.topFirst += b.topFirst
        sum.bottomFirst += b.bottomFirst
        sum.topWithEarlier += b.topWithEarlier
        sum.bottomWithEarlier += b.bottomWithEarlier
        sum.repeatedTop += b.repeatedTop
        sum.repeatedBottom += b.repeatedBottom
        return sum
    }
}

extension FieldMeasurement {
    /// Whether the frame shows that both of its fields were captured at once.
    package var isProgressive: Bool { FieldGroup.kind(self) == .progressive }
    /// Whether most blocks show that one of the fields belongs with a field of the other frame.
    package var isSplit: Bool {
        let split = topWithEarlier + bottomWithEarlier
        return split >= FieldSurvey.leastBlocks && 2 * split > progressive + topFirst + bottomFirst
    }
    /// Whether nearly all blocks show that both fields were captured at once.
    package var isClearlyProgressive: Bool {
        let total = progressive + topFirst + bottomFirst
        return total >= FieldSurvey.leastBlocks && 10 * progressive >= 9 * total
    }
}

extension FieldMeasurement {
    /// The width and height of a block.
    private static let side = 16
    /// Differences up to this are noise, in 8-bit code values.
    private static let noise = 2
    /// The sum over a block from which a zigzag shows anything, in 8-bit code values: six samples of an edge of 16. The
    /// noise of a still picture stays below it up to a standard deviation of 4; stronger noise favours no order.
    private static let leastZigzag: UInt32 = 96
    /// The sum from which a zigzag is long enough to be combing, in 8-bit code values, and the largest ratio of short
    /// zigzags to long ones. Scrolling lines of small letters zigzag at ends of strokes, but over few rows.
    private static let leastLongZigzag: UInt32 = 32, longRatio: UInt32 = 8
    /// The change of a block from which it moves, in 8-bit code values.
    private static let leastChange: UInt32 = 64
    /// A field repeats the previous one if the other field changes this many times as much.
    private static let repeatRatio: UInt32 = 3

    private static func row(
        _ row: Int, of frame: PixelBuffer, after previous: PixelBuffer, _ columns: Int, _ context: ExecutionContext
    ) -> FieldMeasurement {
        let depth = frame.format.bitDepth, size = frame.format.bytesPerSample
        let kernels = context.kernels.pointee
        let measure = KernelPair(kernels.combing_row_8, kernels.combing_row_16)[bitDepth: depth]
        // A zigzag takes two rows above and three below.
        let first = max(2, row * side), end = min((row + 1) * side, frame.height - 3)
        let sums = [vfx_combing](unsafeUninitializedCapacity: columns) { sums, count in
            guard let base = sums.baseAddress else { return }
            frame.withPlanes { frame in
                previous.withPlanes { previous in
                    let (a, b) = (frame[0], previous[0])
                    measure(
                        base, a.row(first), a.stride / size, b.row(first), b.stride / size, Int32(columns),
                        Int32(end - first), Int32(first & 1), Int32(noise << (depth - 8)))
                }
            }
            count = columns
        }
        var measurement = FieldMeasurement()
        for sum in sums { measurement.add(sum, shift: UInt32(depth - 8)) }
        return measurement
    }

    private mutating func add(_ sum: vfx_combing, shift: UInt32) {
        blocks += 1
        let least = Self.leastZigzag << shift
        let frame = sum.frame, bottom = sum.earlier_bottom, top = sum.earlier_top
        if 2 * frame <= min(bottom, top), min(bottom, top) >= least {
            progressive += 1
        } else if Self.longRatio * sum.frame_long >= frame, sum.frame_long >= Self.leastLongZigzag << shift {
            if Self.isBetween(frame, with: bottom, without: top, least) {
                topFirst += 1
                if 2 * bottom <= frame { topWithEarlier += 1 }
            } else if Self.isBetween(frame, with: top, without: bottom, least) {
                bottomFirst += 1
                if 2 * top <= frame { bottomWithEarlier += 1 }
            }
        }
        let change = max(sum.top_change, sum.bottom_change)
        guard change >= Self.leastChange << shift else { return }
        moving += 1
        if Self.repeatRatio * sum.top_change < sum.bottom_change { repeatedTop += 1 }
        if Self.repeatRatio * sum.bottom_change < sum.top_change { repeatedBottom += 1 }
    }

    /// Whether a field was captured between the fields of the other parity in this and the previous frame: closer to both,
    /// or as close to the earlier one as repeated fields are.
    ///
    /// - Parameters:
    ///   - frame: the zigzag of the frame.
    ///   - match: the zigzag of the field with the earlier field of the other parity.
    ///   - other: the zigzag of the other field with the earlier field of this parity.
    private static func isBetween(_ frame: UInt32, with match: UInt32, without other: UInt32, _ least: UInt32) -> Bool {
        guard frame >= least, max(frame, match, other) - min(frame, match, other) >= least else { return false }
        if 2 * match <= min(frame, other) { return true }
        return 2 * frame >= match && 2 * match >= frame && 3 * max(frame, match) <= 2 * other
    }
}
