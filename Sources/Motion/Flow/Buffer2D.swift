/// Two-dimensional array of plain values, without bounds checks in release builds.
///
/// `@unchecked Sendable`: written by the stage that fills it, by rows that no two threads share, and only read after.
@usableFromInline package final class Buffer2D<Element: BitwiseCopyable>: @unchecked Sendable {
    @usableFromInline package let columns: Int
    @usableFromInline package let rows: Int
    @usableFromInline package let base: UnsafeMutablePointer<Element>

    @inlinable package init(columns: Int, rows: Int, filledWith value: Element) {
        self.columns = columns
        self.rows = rows
        base = .allocate(capacity: columns * rows)
        base.initialize(repeating: value, count: columns * rows)
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

    /// The element at the nearest position inside.
    @inlinable package func clamped(_ x: Int, _ y: Int) -> Element {
        base[min(max(y, 0), rows - 1) * columns + min(max(x, 0), columns - 1)]
    }
}

extension Buffer2D where Element: Equatable {
    package func hasSameElements(as other: Buffer2D) -> Bool {
        columns == other.columns && rows == other.rows && (0..<columns * rows).allSatisfy { base[$0] == other.base[$0] }
    }
}
