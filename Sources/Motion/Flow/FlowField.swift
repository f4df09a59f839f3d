public import FrameCore

/// Motion of one frame towards another, with how far to trust it.
///
/// Motion is kept for square cells of ``cellSide`` luma samples; between their centres it is linear, but for edges where
/// neighbouring cells move apart: there the nearest cell counts. A field is a value:
/// copies share memory and nothing writes to it after it has been made.
public struct FlowField: Sendable {
    /// Sizes of the pictures that a field can belong to, per side in luma samples.
    public static let sizeRange = WorkingSize.sides

    /// Width of the pictures in luma samples.
    public let width: Int
    /// Height of the pictures in luma samples.
    public let height: Int
    /// Pyramid level of the cells; 0 is full size.
    package let level: Int
    package let cells: MotionVectorField
    /// Forward–backward consistency errors (see ``MotionVectorField/consistencyError(with:threads:)``) of the motion as matched,
    /// before that of occluded cells was filled in.
    package let consistencyErrors: Buffer2D<UInt16>
    /// Computed when one of the maps is first read.
    let lazyConfidence: LazyFlowConfidence

    package var isConfidenceComputed: Bool { lazyConfidence.isComputed }
    /// Confidence of each cell, 0…255.
    package var confidenceMap: Buffer2D<UInt8> { lazyConfidence.value.confidence }
    /// Occlusion of each cell, 0…255.
    package var occlusionMap: Buffer2D<UInt8> { lazyConfidence.value.occlusion }

    /// A field without motion; what a caller allocates as the destination of an optical flow.
    ///
    /// - Parameters:
    ///   - width: 16…8192 luma samples.
    ///   - height: 16…8192 luma samples.
    /// - Throws: `FrameError` for another size.
    public init(width: Int, height: Int) throws(FrameError) {
        try Self.checkSize(width, height)
        let cells = MotionVectorField(width: width, height: height)
        self.init(
            width: width, height: height, level: 0, cells: cells,
            consistencyErrors: Buffer2D(columns: cells.columns, rows: cells.rows, filledWith: 0),
            confidence: LazyFlowConfidence(FlowConfidence(columns: cells.columns, rows: cells.rows)))
    }

    package init(
        width: Int, height: Int, level: Int, cells: MotionVectorField, consistencyErrors: Buffer2D<UInt16>,
        confidence: LazyFlowConfidence
    ) {
        self.width = width
        self.height = height
        self.level = level
        self.cells = cells
        self.consistencyErrors = consistencyErrors
        lazyConfidence = confidence
    }

    /// Motion that was not matched: its consistency alone says how far to trust it.
    init(width: Int, height: Int, level: Int, cells: MotionVectorField, back: MotionVectorField, threads: Int) {
        let errors = cells.consistencyError(with: back, threads: threads)
        self.init(
            width: width, height: height, level: level, cells: cells, consistencyErrors: errors,
            confidence: LazyFlowConfidence(
                .init(cells, consistencyErrors: errors, back: back, level: level, threads: threads)))
    }

    static func checkSize(_ width: Int, _ height: Int) throws(FrameError) {
        try WorkingSize.check(width, height, of: "flows")
    }

    /// Side of a cell in luma samples: a power of two from 4.
    public var cellSide: Int { MotionVectorField.cellSize << level }
    /// Number of cells in a row.
    public var columns: Int { cells.columns }
    /// Number of rows of cells.
    public var rows: Int { cells.rows }

    /// Where the cell at a column and row goes, in luma samples to the right and down; zero outside the field.
    public func vector(column: Int, row: Int) -> SIMD2<Float> {
        guard (0..<columns).contains(column), (0..<rows).contains(row) else { return .zero }
        return pixels(SIMD2<Int32>(truncatingIfNeeded: cells.vectors[column, row]))
    }

    /// Where the sample at `x`, `y` goes, in luma samples to the right and down; outside the picture that of its edge.
    public func vector(x: Int, y: Int) -> SIMD2<Float> {
        let x = min(max(x, 0), width - 1), y = min(max(y, 0), height - 1)
        return pixels(cells.sampleKeepingEdges(x: position(x), y: position(y)))
    }

    /// 0 for a cell whose motion is a guess to 1 for one that is consistent forward and backward and looks alike at both ends.
    public func confidence(column: Int, row: Int) -> Float {
        guard (0..<columns).contains(column), (0..<rows).contains(row) else { return 0 }
        return Float(confidenceMap[column, row]) / 255
    }

    /// 0 for a cell that the other frame shows to 1 for one that is covered there or has left the picture.
    public func occlusion(column: Int, row: Int) -> Float {
        guard (0..<columns).contains(column), (0..<rows).contains(row) else { return 0 }
        return Float(occlusionMap[column, row]) / 255
    }

    /// Motion of every luma sample.
    public func dense() -> DenseFlow {
        var vectors = [SIMD2<Float>](repeating: .zero, count: width * height)
        for y in 0..<height {
            let py = position(y)
            for x in 0..<width { vectors[y * width + x] = pixels(cells.sampleKeepingEdges(x: position(x), y: py)) }
        }
        return DenseFlow(width: width, height: height, checked: vectors)
    }

    /// ``confidence(column:row:)`` of every luma sample, rows from the top, 0…255.
    public func denseConfidence() -> [UInt8] { spread(confidenceMap) }

    /// ``occlusion(column:row:)`` of every luma sample, rows from the top, 0…255.
    public func denseOcclusion() -> [UInt8] { spread(occlusionMap) }

    private func spread(_ grid: Buffer2D<UInt8>) -> [UInt8] {
        let side = cellSide
        var samples = [UInt8](repeating: 0, count: width * height)
        for y in 0..<height {
            for x in 0..<width { samples[y * width + x] = grid.clamped(x / side, y / side) }
        }
        return samples
    }

    /// Place of a sample's centre in 1/128 cells from the centre of the first cell.
    private func position(_ sample: Int) -> Int32 {
        let side = cellSide
        return Int32((2 * sample + 1 - side) * 64 / side)
    }

    private func pixels(_ v: SIMD2<Int32>) -> SIMD2<Float> {
        let unit = Float(1 << level) / Float(1 << MotionVector.fractionBits)
        return SIMD2(Float(v.x) * unit, Float(v.y) * unit)
    }
}

extension FlowField: Equatable {
    /// Whether size, motion, confidence and occlusion are all the same.
    public static func == (a: FlowField, b: FlowField) -> Bool {
        a.width == b.width && a.height == b.height && a.level == b.level
            && a.cells.vectors.hasSameElements(as: b.cells.vectors)
            && a.cells.costs.hasSameElements(as: b.cells.costs)
            && a.consistencyErrors.hasSameElements(as: b.consistencyErrors)
            && a.confidenceMap.hasSameElements(as: b.confidenceMap)
            && a.occlusionMap.hasSameElements(as: b.occlusionMap)
    }
}
