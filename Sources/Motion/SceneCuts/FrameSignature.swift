package import FrameCore

/// Parameters of a frame's signature. The values were chosen by hand, November 2026.
private enum SignatureParameters {
    /// Mean distance of chroma from grey up to which a picture is black and white, in 1/4 of an 8-bit level.
    static let neutralDistance = 8
    /// Largest width of a cell, in pixels, at which the luma grid is smoothed: small cells keep the picture's noise.
    static let smoothedCell = 2
    /// The most rows of samples that are read of a cell; more do not change the mean of a tall cell.
    static let rowsPerCell = 16
    /// The fewest cells along a side of the picture, where it has that many pixels.
    static let fewestCells = 16
    /// The most points along a side of the lattice of single samples.
    static let latticeSide = 64
    /// Samples by which each row of the lattice is shifted against the row above, so that no regular pattern falls between
    /// the points.
    static let latticeShift = 5
    /// Weight of a chroma deviation against a luma deviation.
    static let chromaWeight: Int32 = 2
    /// Half of the chroma range that the histogram resolves, in 1/4 of an 8-bit level; the outermost bins hold the rest.
    static let histogramReach = 192
    /// Width of a chroma bin, in 1/4 of an 8-bit level.
    static let histogramBin = 48
}

/// A picture reduced to what telling cuts and duplicates takes; under 100 kB whatever the picture's size.
package struct FrameSignature: Sendable {
    /// Size of the picture it was made from, in pixels.
    package let width: Int
    package let height: Int
    /// Mean luma of the cells, in 1/4 of an 8-bit level (0…1020).
    let luma: DownscaledPlane
    /// Mean chroma of cells twice as wide and high, in 1/4 of an 8-bit level; nil for monochrome.
    let chroma: (u: DownscaledPlane, v: DownscaledPlane)?
    /// Every fourth cell of ``luma``, averaged: for finding a motion of the whole picture.
    let coarse: DownscaledPlane
    /// Mean luma of the cells in 1/16 of an 8-bit level: the fine scale duplicates are told by.
    let fineLuma: [UInt16]
    /// Single luma samples on a regular lattice, in 1/16 of an 8-bit level; averages would hide noise, these show it.
    let samples: [UInt16]
    /// Cells per 1/16 of the luma range (16 bins), then per joint chroma class (8 × 8 bins); each part adds up to 4096.
    let histogram: [UInt16]
    /// What the search needs to know of each block of ``luma``.
    let blocks: BlockLayout
    let activity: [Int32]
    let statistics: LumaStatistics
    /// Whether the picture is black and white, chroma planes or not.
    let isColorless: Bool

    /// Reads the buffer once; the buffer is not kept.
    package init(_ buffer: PixelBuffer) {
        width = buffer.width
        height = buffer.height
        let format = buffer.format
        let reduction = BoxDownscaler(width: buffer.width, height: buffer.height)
        let (fine, points, chromaGrids) = buffer.withPlanes { planes in
            let luma = planes[0]
            let fine = reduction.cells(of: luma, format: format, scale: 1, shiftX: 0, shiftY: 0)
            let points = sampleLattice(luma, format: format)
            guard planes.count > 1 else { return (fine, points, (u: DownscaledPlane, v: DownscaledPlane)?.none) }
            let (sx, sy) = (format.subsampling.horizontalShift, format.subsampling.verticalShift)
            let u = reduction.cells(of: planes[1], format: format, scale: 2, shiftX: sx, shiftY: sy)
            let v = reduction.cells(of: planes[2], format: format, scale: 2, shiftX: sx, shiftY: sy)
            return (fine, points, (u: DownscaledPlane(sixteenths: u), v: DownscaledPlane(sixteenths: v)))
        }
        var luma = DownscaledPlane(sixteenths: fine)
        if reduction.cellWidth <= SignatureParameters.smoothedCell { luma = luma.smoothed() }
        self.luma = luma
        chroma = chromaGrids
        coarse = luma.reduced(by: coarseFactor)
        fineLuma = fine.values
        samples = points
        histogram = colorHistogram(luma: luma, chroma: chromaGrids)
        blocks = BlockLayout(width: luma.width, height: luma.height)
        activity = blockActivity(luma: luma, chroma: chromaGrids, layout: blocks)
        statistics = LumaStatistics(luma)
        isColorless = chromaGrids.map { $0.u.isNeutral && $0.v.isNeutral } ?? true
    }
}

extension DownscaledPlane {
    /// Whether a chroma grid lies within two levels of grey on average.
    fileprivate var isNeutral: Bool {
        var sum = 0
        for value in values { sum &+= abs(Int(value) &- 512) }
        return sum <= SignatureParameters.neutralDistance * values.count
    }
}

/// Downscales planes to the means of equal cells, at most 128 along the longer side of the picture.
struct BoxDownscaler: Sendable {
    /// The most cells along the longer side. Chosen by hand, November 2026.
    static let longSide = 128

    /// Size of a luma cell in pixels; square unless the picture is a narrow strip.
    let cellWidth: Int
    let cellHeight: Int
    /// Cells per row and column of the luma grid, at least ``blockSide`` each.
    let columns: Int
    let rows: Int

    init(width: Int, height: Int) {
        let side = max(1, (max(width, height) + Self.longSide - 1) / Self.longSide)
        cellWidth = max(1, min(side, width / SignatureParameters.fewestCells))
        cellHeight = max(1, min(side, height / SignatureParameters.fewestCells))
        columns = max(blockSide, (width + cellWidth - 1) / cellWidth)
        rows = max(blockSide, (height + cellHeight - 1) / cellHeight)
    }

    /// Cell means in 1/16 of an 8-bit level.
    ///
    /// - Parameters:
    ///   - scale: luma cells per cell of the result, each way.
    ///   - shiftX: log2 of how much narrower the plane is than luma.
    ///   - shiftY: log2 of how much lower the plane is than luma.
    func cells(
        of plane: Plane, format: PixelFormat, scale: Int, shiftX: Int, shiftY: Int
    ) -> (width: Int, height: Int, values: [UInt16]) {
        let (outWidth, outHeight) = (
            max(blockSide / scale, (columns + scale - 1) / scale), max(blockSide / scale, (rows + scale - 1) / scale)
        )
        let (cellWidth, cellHeight) = (cellWidth * scale, cellHeight * scale)
        let values = [UInt16](unsafeUninitializedCapacity: outWidth * outHeight) { out, count in
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: plane.width) { sums in
                for row in 0..<outHeight {
                    let span = Self.span(row, cell: cellHeight, shift: shiftY, length: plane.height)
                    let step = max(1, span.count / SignatureParameters.rowsPerCell)
                    sums.update(repeating: 0)
                    var taken = 0
                    for line in stride(from: span.lowerBound, to: span.upperBound, by: step) {
                        taken += 1
                        add(plane.row(line), bytesPerSample: format.bytesPerSample, to: sums)
                    }
                    for column in 0..<outWidth {
                        let span = Self.span(column, cell: cellWidth, shift: shiftX, length: plane.width)
                        var sum: UInt64 = 0
                        for i in span { sum &+= UInt64(sums[i]) }
                        let samples = UInt64(max(1, taken * span.count))
                        let scaled = (sum << UInt64(20 - format.bitDepth)) / samples
                        // Words of decoders may exceed the stated depth.
                        out[row * outWidth + column] = UInt16(min(4095, (scaled + 128) >> 8))
                    }
                }
            }
            count = outWidth * outHeight
        }
        return (outWidth, outHeight, values)
    }

    /// Which samples of a row (or rows of a plane) belong to a cell; the last sample fills cells beyond the end.
    private static func span(_ index: Int, cell: Int, shift: Int, length: Int) -> Range<Int> {
        let start = min((index * cell) >> shift, length - 1)
        return start..<max(start + 1, min(((index + 1) * cell) >> shift, length))
    }

    private func add(_ row: UnsafeRawPointer, bytesPerSample: Int, to sums: UnsafeMutableBufferPointer<UInt32>) {
        if bytesPerSample == 1 {
            let samples = row.assumingMemoryBound(to: UInt8.self)
            for i in 0..<sums.count { sums[i] &+= UInt32(samples[i]) }
        } else {
            let samples = row.assumingMemoryBound(to: UInt16.self)
            for i in 0..<sums.count { sums[i] &+= UInt32(samples[i]) }
        }
    }
}

/// Side of the blocks that are searched for, in cells. Chosen by hand, November 2026.
let blockSide = 8

/// Cells of the luma grid in a row of one cell of the coarse grid. Chosen by hand, November 2026.
let coarseFactor = 4

/// Where the blocks lie: side by side, the last of a row or column moved back inside the grid.
struct BlockLayout: Sendable, Equatable {
    let xs: [Int]
    let ys: [Int]
    var count: Int { xs.count * ys.count }

    init(width: Int, height: Int) {
        func starts(_ length: Int) -> [Int] {
            stride(from: 0, to: length, by: blockSide).map { min($0, length - blockSide) }
        }
        xs = starts(width)
        ys = starts(height)
    }
}

/// Single samples on a lattice of at most 64 × 64 points, in 1/16 of an 8-bit level.
private func sampleLattice(_ plane: Plane, format: PixelFormat) -> [UInt16] {
    let side = SignatureParameters.latticeSide
    let (columns, rows) = (min(side, plane.width), min(side, plane.height))
    let up = 16 - format.bitDepth
    return [UInt16](unsafeUninitializedCapacity: columns * rows) { out, count in
        for j in 0..<rows {
            let row = plane.row((2 * j + 1) * plane.height / (2 * rows))
            for i in 0..<columns {
                let shift = j * SignatureParameters.latticeShift
                let x = ((2 * i + 1) * plane.width / (2 * columns) + shift) % plane.width
                let value =
                    format.bytesPerSample == 1
                    ? UInt32(row.load(fromByteOffset: x, as: UInt8.self))
                    : UInt32(row.load(fromByteOffset: 2 * x, as: UInt16.self))
                out[j * columns + i] = UInt16(truncatingIfNeeded: (value << UInt32(up)) >> 4)
            }
        }
        count = columns * rows
    }
}

/// Sum of absolute deviations from the mean, luma and weighted chroma, of each block.
func blockActivity(luma: DownscaledPlane, chroma: (u: DownscaledPlane, v: DownscaledPlane)?, layout: BlockLayout)
    -> [Int32]
{
    var activity: [Int32] = []
    activity.reserveCapacity(layout.count)
    for y in layout.ys {
        for x in layout.xs {
            var sum = luma.deviation(x: x, y: y, width: blockSide, height: blockSide)
            if let chroma {
                let (cx, cy) = (min(x / 2, chroma.u.width - 4), min(y / 2, chroma.u.height - 4))
                sum += SignatureParameters.chromaWeight * chroma.u.deviation(x: cx, y: cy, width: 4, height: 4)
                sum += SignatureParameters.chromaWeight * chroma.v.deviation(x: cx, y: cy, width: 4, height: 4)
            }
            activity.append(sum)
        }
    }
    return activity
}

/// Luma bins of ``FrameSignature/histogram``. Chosen by hand, November 2026.
let lumaBins = 16

/// Counts of 16 luma bins and 64 joint chroma bins, each part scaled to 4096.
private func colorHistogram(luma: DownscaledPlane, chroma: (u: DownscaledPlane, v: DownscaledPlane)?) -> [UInt16] {
    var counts = [Int](repeating: 0, count: lumaBins + 64)
    for value in luma.values { counts[min(15, Int(value) >> 6)] += 1 }
    if let chroma {
        for (u, v) in zip(chroma.u.values, chroma.v.values) {
            // Most chroma lies near the centre, so the inner half of the range gets all bins but the outermost.
            func bin(_ value: Int16) -> Int {
                let offset = Int(value) - 512 + SignatureParameters.histogramReach
                return max(0, min(7, offset / SignatureParameters.histogramBin))
            }
            counts[lumaBins + bin(u) * 8 + bin(v)] += 1
        }
    }
    let chromaCount = max(1, chroma?.u.values.count ?? 1)
    return counts.enumerated().map { index, count in
        UInt16(count * 4096 / (index < lumaBins ? max(1, luma.values.count) : chromaCount))
    }
}
