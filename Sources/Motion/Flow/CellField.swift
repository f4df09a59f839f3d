/// Motion of square cells of one pyramid level towards another frame.
package struct CellField: Sendable {
    /// Side of a cell in samples of its level.
    package static let cellSize = 4
    /// Side of the block matched for each cell, centred on it.
    package static let blockSize = 8

    package let vectors: CellGrid<MotionVector>
    /// Sum of absolute differences of the matched block.
    package let costs: CellGrid<UInt32>

    package var columns: Int { vectors.columns }
    package var rows: Int { vectors.rows }

    /// Cells that stand still over a plane of a level.
    package init(width: Int, height: Int) {
        let columns = (width + Self.cellSize - 1) / Self.cellSize, rows = (height + Self.cellSize - 1) / Self.cellSize
        vectors = CellGrid(columns: columns, rows: rows, filledWith: .zero)
        costs = CellGrid(columns: columns, rows: rows, filledWith: 0)
    }

    /// Motion that was not matched: all costs are zero.
    init(vectors: CellGrid<MotionVector>) {
        self.vectors = vectors
        costs = CellGrid(columns: vectors.columns, rows: vectors.rows, filledWith: 0)
    }

    /// The same cells with vectors of their own, which may be changed; costs are shared.
    init(copyingVectorsOf other: CellField) {
        vectors = CellGrid(copying: other.vectors)
        costs = other.costs
    }
}
