package import FrameCore
import Kernels

/// A two-dimensional array of plain values, without bounds checks in release builds.
///
/// `@unchecked Sendable`: one stage fills it, with each row written by one thread, and later stages only read it.
@usableFromInline package final class Buffer2D<Element: BitwiseCopyable>: @unchecked Sendable {
    @usableFromInline package let columns: Int
    @usableFromInline package let rows: Int
    @usableFromInline package let base: UnsafeMutablePointer<Element>
    package var count: Int { columns * rows }

    @inlinable package init(columns: Int, rows: Int, filledWith value: Element) {
        self.columns = columns
        self.rows = rows
        base = .allocate(capacity: columns * rows)
        base.initialize(repeating: value, count: columns * rows)
    }

    /// Creates an array whose elements are not initialised.
    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        base = .allocate(capacity: columns * rows)
    }

    package init(copying other: Buffer2D) {
        columns = other.columns
        rows = other.rows
        base = .allocate(capacity: columns * rows)
        base.initialize(from: other.base, count: columns * rows)
    }

    deinit { base.deallocate() }

    @inlinable package subscript(x: Int, y: Int) -> Element {
        get {
            assert(x >= 0 && x < columns && y >= 0 && y < rows)
            return base[y * columns + x]
        }
        set {
            assert(x >= 0 && x < columns && y >= 0 && y < rows)
            base[y * columns + x] = newValue
        }
    }

    /// The element at the position in the array that is nearest to `x`, `y`.
    @inlinable package func clamped(_ x: Int, _ y: Int) -> Element {
        base[min(max(y, 0), rows - 1) * columns + min(max(x, 0), columns - 1)]
    }
}

extension Buffer2D where Element: Equatable {
    /// Whether both arrays have the same size and elements.
    package func hasSameElements(as other: Buffer2D) -> Bool {
        columns == other.columns && rows == other.rows && (0..<columns * rows).allSatisfy { base[$0] == other.base[$0] }
    }
}

extension Buffer2D<Int16> {
    /// Upsamples one row from cells to samples, with linear interpolation between cell centres.
    ///
    /// - Parameters:
    ///   - y: the row of samples.
    ///   - sideLog2: log2 of the width and height of a cell in samples.
    ///   - gainLog2: log2 of the factor by which values are multiplied.
    ///   - count: the number of samples.
    ///   - out: receives `count` values; has room for `count` rounded up to whole vectors, since kernels write those.
    ///   - scratch: room for one row of cells.
    ///   - context: the threads and kernels to use.
    package func upsampleRow(
        _ y: Int, sideLog2: (x: Int, y: Int), gainLog2: Int, count: Int, into out: UnsafeMutablePointer<Int16>,
        scratch: UnsafeMutablePointer<Int16>, context: ExecutionContext
    ) {
        var above = min(y, rows - 1), below = above, weight: Int32 = 0
        if sideLog2.y > 0 {
            let side = 1 << sideLog2.y, k = (y + side / 2) & (side - 1)
            below = (y + side / 2) >> sideLog2.y
            above = min(max(below - 1, 0), rows - 1)
            below = min(below, rows - 1)
            weight = Int32(((2 * k + 1) << 8) >> (sideLog2.y + 1))
        }
        context.kernels.pointee.upsample_row(
            out, Int32(count), base + above * columns, base + below * columns, weight, Int32(columns),
            Int32(sideLog2.x), Int32(-gainLog2), scratch)
    }
}
