package import FrameCore

/// A picture reduced to what telling cuts and duplicates takes; under 100 kB whatever the picture's size.
package struct FrameSignature: Sendable {
    /// Size of the picture it was made from, in pixels.
    package let width: Int
    package let height: Int
    /// Mean luma of the cells, in 1/4 of an 8-bit level (0…1020).
    let luma: Grid
    /// Mean chroma of cells twice as wide and high, in 1/4 of an 8-bit level; nil for monochrome.
    let chroma: (u: Grid, v: Grid)?
    /// Every fourth cell of ``luma``, averaged: for finding a motion of the whole picture.
    let coarse: Grid
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
        let reduction = CellReduction(width: buffer.width, height: buffer.height)
        let (fine, points, chromaGrids) = buffer.withPlanes { planes in
            let luma = planes[0]
            let fine = reduction.cells(of: luma, format: format, scale: 1, shiftX: 0, shiftY: 0)
            let points = sampleLattice(luma, format: format)
            guard planes.count > 1 else { return (fine, points, (u: Grid, v: Grid)?.none) }
            let (sx, sy) = (format.subsampling.horizontalShift, format.subsampling.verticalShift)
            let u = reduction.cells(of: planes[1], format: format, scale: 2, shiftX: sx, shiftY: sy)
            let v = reduction.cells(of: planes[2], format: format, scale: 2, shiftX: sx, shiftY: sy)
            return (fine, points, (u: u.quartered(), v: v.quartered()))
        }
        var luma = fine.quartered()
        if reduction.cellWidth <= 2 { luma = luma.smoothed() }
        self.luma = luma
        chroma = chromaGrids
        coarse = luma.reduced(by: 4)
        fineLuma = fine.values
        samples = points
        histogram = colorHistogram(luma: luma, chroma: chromaGrids)
        blocks = BlockLayout(width: luma.width, height: luma.height)
        activity = blockActivity(luma: luma, chroma: chromaGrids, layout: blocks)
        statistics = LumaStatistics(luma)
        isColorless = chromaGrids.map { $0.u.isNeutral && $0.v.isNeutral } ?? true
    }
}

extension Grid {
    /// Whether a chroma grid lies within two levels of grey on average.
    fileprivate var isNeutral: Bool {
        var sum = 0
        for value in values { sum &+= abs(Int(value) &- 512) }
        return sum <= 8 * values.count
    }
}

/// Side of the blocks that are searched for, in cells.
let blockSide = 8

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
    let (columns, rows) = (min(64, plane.width), min(64, plane.height))
    let up = 16 - format.bitDepth
    return [UInt16](unsafeUninitializedCapacity: columns * rows) { out, count in
        for j in 0..<rows {
            let row = plane.row((2 * j + 1) * plane.height / (2 * rows))
            for i in 0..<columns {
                // Every row of points is moved on a little, so that no regular pattern hides between them.
                let x = ((2 * i + 1) * plane.width / (2 * columns) + j * 5) % plane.width
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
func blockActivity(luma: Grid, chroma: (u: Grid, v: Grid)?, layout: BlockLayout) -> [Int32] {
    var activity: [Int32] = []
    activity.reserveCapacity(layout.count)
    for y in layout.ys {
        for x in layout.xs {
            var sum = luma.deviation(x: x, y: y, width: blockSide, height: blockSide)
            if let chroma {
                let (cx, cy) = (min(x / 2, chroma.u.width - 4), min(y / 2, chroma.u.height - 4))
                sum += 2 * chroma.u.deviation(x: cx, y: cy, width: 4, height: 4)
                sum += 2 * chroma.v.deviation(x: cx, y: cy, width: 4, height: 4)
            }
            activity.append(sum)
        }
    }
    return activity
}

let lumaBins = 16

/// Counts of 16 luma bins and 64 joint chroma bins, each part scaled to 4096.
private func colorHistogram(luma: Grid, chroma: (u: Grid, v: Grid)?) -> [UInt16] {
    var counts = [Int](repeating: 0, count: lumaBins + 64)
    for value in luma.values { counts[min(15, Int(value) >> 6)] += 1 }
    if let chroma {
        for (u, v) in zip(chroma.u.values, chroma.v.values) {
            // Most chroma lies near the centre, so the inner half of the range gets all bins but the outermost.
            func bin(_ value: Int16) -> Int { max(0, min(7, (Int(value) - 512 + 192) / 48)) }
            counts[lumaBins + bin(u) * 8 + bin(v)] += 1
        }
    }
    let chromaCount = max(1, chroma?.u.values.count ?? 1)
    return counts.enumerated().map { index, count in
        UInt16(count * 4096 / (index < lumaBins ? max(1, luma.values.count) : chromaCount))
    }
}
