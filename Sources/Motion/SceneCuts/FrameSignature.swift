package import FrameCore
import Imaging

/// Parameters of a frame's signature. The values were chosen by hand, November 2026.
private enum SignatureParameters {
    /// Mean distance of chroma from grey up to which a frame is black and white, in 1/4 of an 8-bit level.
    static let neutralDistance = 8
    /// Largest width of a cell, in pixels, at which the luma grid is smoothed: small cells keep the frame's noise.
    static let smoothedCell = 2
    /// The approximate number of sample rows read per cell; reading more does not change the mean of a tall cell.
    static let rowsPerCell = 16
    /// The minimum number of cells along a side of the frame, unless the side has fewer pixels.
    static let fewestCells = 16
    /// The maximum number of points along a side of the lattice of single samples.
    static let latticeSide = 64
    /// Samples by which each row of the lattice is shifted against the row above, so that no regular pattern falls
    /// between the points.
    static let latticeShift = 5
    /// Weight of a chroma deviation against a luma deviation.
    static let chromaWeight: Int32 = 2
    /// Half of the chroma range that the histogram resolves, in 1/4 of an 8-bit level; the outermost bins hold the
    /// rest.
    static let histogramReach = 192
    /// Width of a chroma bin, in 1/4 of an 8-bit level.
    static let histogramBin = 48
}

/// The data of a frame that cut and duplicate detection needs; under 100 kB for any frame size.
package struct FrameSignature: Sendable {
    /// Width of the frame in pixels.
    package let width: Int
    /// Height of the frame in pixels.
    package let height: Int
    /// Mean luma of each cell, in 1/4 of an 8-bit level, 0…1020.
    let luma: DownscaledPlane
    /// Mean chroma of cells twice as wide and high, in 1/4 of an 8-bit level; nil for monochrome formats.
    let chroma: (u: DownscaledPlane, v: DownscaledPlane)?
    /// Means of 4×4 cells of ``luma``, used to find a motion of the whole frame.
    let coarse: DownscaledPlane
    /// Mean luma of each cell in 1/16 of an 8-bit level, fine enough to detect duplicates.
    let fineLuma: [UInt16]
    /// Single luma samples on a lattice, in 1/16 of an 8-bit level. Unlike means, they show noise.
    let samples: [UInt16]
    /// Share of cells in each of 16 luma bins, then in each of 8×8 joint chroma bins; each part adds up to about 4096.
    let histogram: [UInt16]
    /// The positions of the blocks that are searched for.
    let blocks: BlockLayout
    /// The structure of each block (see `blockActivity(luma:chroma:layout:)`).
    let activity: [Int32]
    /// Statistics of ``luma``.
    let statistics: LumaStatistics
    /// Whether the frame is black and white, with or without chroma planes.
    let isColorless: Bool

    /// Creates the signature of a frame. The buffer is not retained.
    package init(_ frame: PixelBuffer) {
        // Without memory for another picture, the first plane has to do.
        let buffer = (try? frame.analysisPicture(context: .serial)) ?? frame.plane(0)
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
        self.init(
            Grids(width: buffer.width, height: buffer.height, luma: fine, samples: points, chroma: chromaGrids))
    }

    /// The grids read from a frame, from which everything else is computed.
    struct Grids {
        var width: Int
        var height: Int
        var luma: (width: Int, height: Int, values: [UInt16])
        var samples: [UInt16]
        var chroma: (u: DownscaledPlane, v: DownscaledPlane)?
    }

    init(_ grids: Grids) {
        (width, height) = (grids.width, grids.height)
        let reduction = BoxDownscaler(width: grids.width, height: grids.height)
        let fine = grids.luma, points = grids.samples, chromaGrids = grids.chroma
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
    /// Whether the values of a chroma grid are within two 8-bit levels of grey on average.
    fileprivate var isNeutral: Bool {
        var sum = 0
        for value in values { sum &+= abs(Int(value) &- 512) }
        return sum <= SignatureParameters.neutralDistance * values.count
    }
}

/// Downscales planes to grids of cell means, with at most 128 cells along the longer side of the frame.
struct BoxDownscaler: Sendable {
    /// The maximum number of cells along the longer side. Chosen by hand, November 2026.
    static let longSide = 128

    /// Width of a luma cell in pixels. Cells are square unless the frame is a narrow strip.
    let cellWidth: Int
    /// Height of a luma cell in pixels.
    let cellHeight: Int
    /// Cells in a row of the luma grid, at least ``blockSide``.
    let columns: Int
    /// Cells in a column of the luma grid, at least ``blockSide``.
    let rows: Int

    init(width: Int, height: Int) {
        let side = max(1, (max(width, height) + Self.longSide - 1) / Self.longSide)
        cellWidth = max(1, min(side, width / SignatureParameters.fewestCells))
        cellHeight = max(1, min(side, height / SignatureParameters.fewestCells))
        columns = max(blockSide, (width + cellWidth - 1) / cellWidth)
        rows = max(blockSide, (height + cellHeight - 1) / cellHeight)
    }

    /// Returns the cell means of a plane in 1/16 of an 8-bit level.
    ///
    /// - Parameters:
    ///   - scale: side of a cell of the result, in luma cells.
    ///   - shiftX: log2 of the plane's horizontal subsampling.
    ///   - shiftY: log2 of the plane's vertical subsampling.
    func cells(
        of plane: Plane, format: PixelFormat, scale: Int, shiftX: Int, shiftY: Int
    ) -> (width: Int, height: Int, values: [UInt16]) {
        let (outWidth, outHeight) = (
            max(blockSide / scale, (columns + scale - 1) / scale), max(blockSide / scale, (rows + scale - 1) / scale)
        )
        let (cellWidth, cellHeight) = (cellWidth * scale, cellHeight * scale)
        let values = [UInt16](unsafeUninitializedCapacity: outWidth * outHeight) { out, count in
            let sums = Scratch<UInt32>(plane.width)
            for row in 0..<outHeight {
                let span = Self.span(row, cell: cellHeight, shift: shiftY, length: plane.height)
                let step = max(1, span.count / SignatureParameters.rowsPerCell)
                sums.base.update(repeating: 0, count: plane.width)
                var taken = 0
                for line in stride(from: span.lowerBound, to: span.upperBound, by: step) {
                    taken += 1
                    Self.add(format.sampleType, plane.row(line), to: sums.base, count: plane.width)
                }
                for column in 0..<outWidth {
                    let span = Self.span(column, cell: cellWidth, shift: shiftX, length: plane.width)
                    var sum: UInt64 = 0
                    for i in span { sum &+= UInt64(sums[i]) }
                    let samples = UInt64(max(1, taken * span.count))
                    let scaled = (sum << UInt64(20 - format.bitDepth)) / samples
                    // Samples from decoders may exceed the stated bit depth.
                    out[row * outWidth + column] = UInt16(min(4095, (scaled + 128) >> 8))
                }
            }
            count = outWidth * outHeight
        }
        return (outWidth, outHeight, values)
    }

    /// Returns the samples of a row, or the rows of a plane, that belong to a cell. A cell beyond the end gets the last
    /// sample or row.
    private static func span(_ index: Int, cell: Int, shift: Int, length: Int) -> Range<Int> {
        let start = min((index * cell) >> shift, length - 1)
        return start..<max(start + 1, min(((index + 1) * cell) >> shift, length))
    }

    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    private static func add<Sample: PixelSample>(
        _: Sample.Type, _ row: UnsafeRawPointer, to sums: UnsafeMutablePointer<UInt32>, count: Int
    ) {
        let samples = row.assumingMemoryBound(to: Sample.self)
        for i in 0..<count { sums[i] &+= UInt32(samples[i]) }
    }
}

/// Side of the blocks that are searched for, in cells. Chosen by hand, November 2026.
let blockSide = 8

/// Cells of the luma grid in a row of one cell of the coarse grid. Chosen by hand, November 2026.
let coarseFactor = 4

/// The positions of the blocks: side by side, with the last of each row and column moved back inside the grid.
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

/// Returns single samples on a lattice of at most 64×64 points, in 1/16 of an 8-bit level.
private func sampleLattice(_ plane: Plane, format: PixelFormat) -> [UInt16] {
    let side = SignatureParameters.latticeSide
    let (columns, rows) = (min(side, plane.width), min(side, plane.height))
    let up = 16 - format.bitDepth
    return [UInt16](unsafeUninitializedCapacity: columns * rows) { out, count in
        for j in 0..<rows {
            let y = (2 * j + 1) * plane.height / (2 * rows)
            for i in 0..<columns {
                let shift = j * SignatureParameters.latticeShift
                let x = ((2 * i + 1) * plane.width / (2 * columns) + shift) % plane.width
                let value = UInt32(plane.sample(x, y, bytes: format.bytesPerSample))
                out[j * columns + i] = UInt16(truncatingIfNeeded: (value << UInt32(up)) >> 4)
            }
        }
        count = columns * rows
    }
}

/// Returns the sum of absolute deviations from the mean of each block: luma plus weighted chroma, in 1/4 of an 8-bit
/// level.
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

/// Returns the counts of 16 luma bins and 64 joint chroma bins, each part scaled to 4096 in total.
private func colorHistogram(luma: DownscaledPlane, chroma: (u: DownscaledPlane, v: DownscaledPlane)?) -> [UInt16] {
    var counts = [Int](repeating: 0, count: lumaBins + 64)
    for value in luma.values { counts[min(15, Int(value) >> 6)] += 1 }
    if let chroma {
        for (u, v) in zip(chroma.u.values, chroma.v.values) {
            // Most chroma is near grey, so the bins resolve the middle of the range and the outermost ones take the
            // rest.
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
