import FrameCore

/// A rectangle of a plane, in samples.
package struct TileRectangle: Sendable, Hashable {
    package var columns: Range<Int>
    package var rows: Range<Int>

    var count: Int { columns.count * rows.count }
}

/// The tiles of a plane, some of which are marked.
///
/// Networks run over rectangles of marked tiles. A sample's result depends only on the samples around it, so neither the
/// rectangles nor the threads that work on them change it.
package struct TileMarks: Sendable, Equatable {
    /// A row of this many samples with the margins of the later layers fits one kernel step; those of the first do not.
    package static let tileWidth = 48
    package static let tileHeight = 32
    /// The size of the largest rectangle, in tiles. Smaller ones spend more time on their margins; larger ones balance the
    /// threads' load less well.
    private static let widest = 5
    private static let tallest = 4

    let width: Int
    let height: Int
    /// Row by row.
    private var marks: [Bool]

    package var columns: Int { (width + Self.tileWidth - 1) / Self.tileWidth }
    package var rows: Int { (height + Self.tileHeight - 1) / Self.tileHeight }

    /// Creates the tiles of a plane without marks.
    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
        marks = []
        marks = Array(repeating: false, count: columns * rows)
    }

    /// Creates the tiles of a plane and marks some.
    ///
    /// - Parameters:
    ///   - threads: how many threads to use.
    ///   - isMarked: whether to mark the tile with these samples.
    init(width: Int, height: Int, threads: Int, _ isMarked: @Sendable (TileRectangle) -> Bool) {
        self.init(width: width, height: height)
        let all = self, columns = columns
        let found = Scratch<Bool>(marks.count, filledWith: false)
        nonisolated(unsafe) let base = found.base
        parallelFor(rows, threads: threads) { row in
            for column in 0..<columns { base[row * columns + column] = isMarked(all.area(column, row)) }
        }
        for index in marks.indices { marks[index] = found[index] }
    }

    package subscript(_ column: Int, _ row: Int) -> Bool {
        get { marks[row * columns + column] }
        set { marks[row * columns + column] = newValue }
    }

    package var hasMarks: Bool { marks.contains(true) }

    /// The same tiles with the opposite marks.
    var inverted: TileMarks {
        var other = self
        other.marks = marks.map { !$0 }
        return other
    }

    /// The samples of a tile.
    package func area(_ column: Int, _ row: Int) -> TileRectangle {
        TileRectangle(
            columns: column * Self.tileWidth..<min(width, (column + 1) * Self.tileWidth),
            rows: row * Self.tileHeight..<min(height, (row + 1) * Self.tileHeight))
    }

    /// The marked tiles as rectangles: neighbours in a row together, and equal runs below one another.
    package var rectangles: [TileRectangle] {
        var finished: [TileRectangle] = [], open: [TileRectangle] = []
        for row in 0..<rows {
            let lines = row * Self.tileHeight..<min(height, (row + 1) * Self.tileHeight)
            var next: [TileRectangle] = []
            for columns in runs(of: row) {
                let index = open.firstIndex {
                    $0.columns == columns && $0.rows.count < Self.tallest * Self.tileHeight
                }
                if let index {
                    let above = open.remove(at: index)
                    next.append(TileRectangle(columns: columns, rows: above.rows.lowerBound..<lines.upperBound))
                } else {
                    next.append(TileRectangle(columns: columns, rows: lines))
                }
            }
            finished += open
            open = next
        }
        return finished + open
    }

    /// The samples of marked neighbours in a row.
    private func runs(of row: Int) -> [Range<Int>] {
        var runs: [Range<Int>] = [], column = 0
        while column < columns {
            guard self[column, row] else {
                column += 1
                continue
            }
            let first = column
            while column < columns, column - first < Self.widest, self[column, row] { column += 1 }
            runs.append(first * Self.tileWidth..<min(width, column * Self.tileWidth))
        }
        return runs
    }
}
