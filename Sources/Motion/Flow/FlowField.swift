public import FrameCore

/// The motion from one frame to another, with its confidence and occlusion.
///
/// Motion is stored for square cells of ``cellSide`` luma samples. Between cell centres it is interpolated linearly,
/// except where neighbouring cells move apart: there the nearest cell's vector is used. A field is a value: copies
/// share memory, and nothing changes it after it has been created.
public struct FlowField: Sendable {
    /// The frame widths and heights that a field supports, in luma samples.
    public static let sizeRange = WorkingSize.sides

    /// Width of the frames in luma samples.
    public let width: Int
    /// Height of the frames in luma samples.
    public let height: Int
    /// The pyramid level of the cells; 0 is full size.
    package let level: Int
    package let cells: MotionVectorField
    /// Forward–backward consistency errors (see ``MotionVectorField/consistencyError(with:context:)``) of the motion as
    /// matched, before occluded cells were filled.
    package let consistencyErrors: Buffer2D<UInt16>
    /// The confidence and occlusion, computed when one of the maps is first read.
    let lazyConfidence: LazyFlowConfidence

    /// Whether confidence and occlusion have been computed.
    package var isConfidenceComputed: Bool { lazyConfidence.isComputed }
    /// Confidence of each cell, 0…255.
    package var confidenceMap: Buffer2D<UInt8> { lazyConfidence.value.confidence }
    /// Occlusion of each cell, 0…255.
    package var occlusionMap: Buffer2D<UInt8> { lazyConfidence.value.occlusion }

    /// Creates a field without motion, to be the destination of an optical flow.
    ///
    /// - Parameters:
    ///   - width: 16…8192 luma samples.
    ///   - height: 16…8192 luma samples.
    /// - Throws: `FrameError` when the size is out of range.
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

    /// Creates a field of motion that was not found by matching. Its confidence depends only on its forward–backward
    /// consistency.
    init(
        width: Int, height: Int, level: Int, cells: MotionVectorField, back: MotionVectorField,
        context: ExecutionContext
    ) {
        let errors = cells.consistencyError(with: back, context: context)
        self.init(
            width: width, height: height, level: level, cells: cells, consistencyErrors: errors,
            confidence: LazyFlowConfidence(
                .init(cells, consistencyErrors: errors, back: back, level: level, context: context)))
    }

    static func checkSize(_ width: Int, _ height: Int) throws(FrameError) {
        try WorkingSize.check(width, height, of: "flows")
    }

    /// Side of a cell in luma samples: a power of two, at least 4.
    public var cellSide: Int { MotionVectorField.cellSize << level }
    /// The number of cells in a row.
    public var columns: Int { cells.columns }
    /// The number of rows of cells.
    public var rows: Int { cells.rows }

    /// Returns the motion of the cell at a column and row, in luma samples to the right and down; zero outside the
    /// field.
    public func vector(column: Int, row: Int) -> SIMD2<Float> {
        guard (0..<columns).contains(column), (0..<rows).contains(row) else { return .zero }
        return pixels(SIMD2<Int32>(truncatingIfNeeded: cells.vectors[column, row]))
    }

    /// Returns the motion of the luma sample at `x`, `y`, in luma samples to the right and down; outside the frame, the
    /// motion of the nearest edge sample.
    public func vector(x: Int, y: Int) -> SIMD2<Float> {
        let x = min(max(x, 0), width - 1), y = min(max(y, 0), height - 1)
        return pixels(cells.sampleKeepingEdges(x: position(x), y: position(y)))
    }

    /// Returns the confidence of a cell: 0 for motion that is a guess, 1 for motion that is consistent forward and
    /// backward and whose two ends look alike; 0 outside the field.
    public func confidence(column: Int, row: Int) -> Float {
        guard (0..<columns).contains(column), (0..<rows).contains(row) else { return 0 }
        return Float(confidenceMap[column, row]) / 255
    }

    /// Returns the occlusion of a cell: 0 where the other frame shows it, 1 where it is covered there or has left the
    /// frame; 0 outside the field.
    public func occlusion(column: Int, row: Int) -> Float {
        guard (0..<columns).contains(column), (0..<rows).contains(row) else { return 0 }
        return Float(occlusionMap[column, row]) / 255
    }

    /// Returns the motion of every luma sample.
    public func dense() -> DenseFlow {
        var vectors = [SIMD2<Float>](repeating: .zero, count: width * height)
        for y in 0..<height {
            let py = position(y)
            for x in 0..<width { vectors[y * width + x] = pixels(cells.sampleKeepingEdges(x: position(x), y: py)) }
        }
        return DenseFlow(width: width, height: height, checked: vectors)
    }

    /// Returns ``confidence(column:row:)`` of every luma sample, row by row from the top, 0…255.
    public func denseConfidence() -> [UInt8] { spread(confidenceMap) }

    /// Returns ``occlusion(column:row:)`` of every luma sample, row by row from the top, 0…255.
    public func denseOcclusion() -> [UInt8] { spread(occlusionMap) }

    private func spread(_ grid: Buffer2D<UInt8>) -> [UInt8] {
        let side = cellSide
        var samples = [UInt8](repeating: 0, count: width * height)
        for y in 0..<height {
            for x in 0..<width { samples[y * width + x] = grid.clamped(x / side, y / side) }
        }
        return samples
    }

    /// Returns the position of a sample's centre in 1/128 cells from the centre of the first cell.
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
    /// Whether size, motion, block differences, consistency errors, confidence and occlusion are all equal.
    public static func == (a: FlowField, b: FlowField) -> Bool {
        a.width == b.width && a.height == b.height && a.level == b.level
            && a.cells.vectors.hasSameElements(as: b.cells.vectors)
            && a.cells.costs.hasSameElements(as: b.cells.costs)
            && a.consistencyErrors.hasSameElements(as: b.consistencyErrors)
            && a.confidenceMap.hasSameElements(as: b.confidenceMap)
            && a.occlusionMap.hasSameElements(as: b.occlusionMap)
    }
}
