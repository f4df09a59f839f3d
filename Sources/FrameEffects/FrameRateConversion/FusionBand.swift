import FrameCore
import Kernels
import Motion

/// Parameters of the choice of what the fusion network computes. The values were chosen by hand, November 2026.
enum FusionParameters {
    /// Difference between predictions 0 and 1, in 8-bit grey levels, above which a luma sample counts.
    static let difference = 12
    /// Samples of a tile, of 1024, from which the network computes it.
    static let samples = 8
    /// Side of a tile in positions.
    static let tile = 16
    /// Positions that a region may extend to, with its halo: a multiple of the kernels' step.
    static let regionColumns = 2 * Int(VFX_SUPERRES_STEP)
}

/// The fusion of one band of tiles: decides where the network is run, and runs it.
struct FusionBand {
    typealias Predictions = (a: PaddedPlane, b: PaddedPlane)
    let network: FusionNetwork
    let motion: IntermediateFlow
    let second: MotionLayer
    let references: (a: ReferenceFrame, b: ReferenceFrame)
    /// Predictions 0 and 1, in luma.
    let predictions: Predictions
    let format: PixelFormat
    let phase: Float
    /// The rows of positions.
    let rows: Range<Int>

    private var width: Int { predictions.a.width / 2 }
    private var height: Int { predictions.a.height / 2 }
    private var halo: Int { network.halo }

    /// Returns the regions in which predictions 0 and 1 differ visibly, from left to right.
    func regions() -> [FusedRegion] {
        let tile = FusionParameters.tile, tiles = (width + tile - 1) / tile
        let differs = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: tiles) { row in
            guard let row = row.baseAddress else { return [Bool]() }
            var counts = [Int](repeating: 0, count: tiles)
            let count = format.bytesPerSample == 2 ? kernels.fusion_count_row_16 : kernels.fusion_count_row_8
            let limit = Int32(FusionParameters.difference << (format.bitDepth - 8))
            for y in 2 * rows.lowerBound..<2 * rows.upperBound {
                count(row, predictions.a.row(y), predictions.b.row(y), Int32(2 * width), Int32(2 * tile), limit)
                for i in 0..<tiles { counts[i] += Int(row[i]) }
            }
            return counts.map { $0 >= FusionParameters.samples }
        }
        var ranges: [Range<Int>] = [], x = 0
        let widest = (FusionParameters.regionColumns - 2 * (halo - 1)) / tile
        while x < tiles {
            guard differs[x] else {
                x += 1
                continue
            }
            let end = min(x + widest, tiles), last = (x..<end).last { differs[$0] } ?? x
            ranges.append(x * tile..<min(width, (last + 1) * tile))
            x = last + 1
        }
        guard !ranges.isEmpty else { return [] }
        let cells = FusionCells(
            motion, second, rows: max(0, rows.lowerBound - halo)..<min(height, rows.upperBound + halo), luma: rows,
            width: width)
        return ranges.map { fused($0, cells) }
    }

    private func fused(_ columns: Range<Int>, _ cells: FusionCells) -> FusedRegion {
        let region = FusedRegion(
            columns: columns, rows: rows, halo: halo, size: (width, height), bytesPerSample: format.bytesPerSample)
        predict(region)
        FusionInference(
            network: network, region: region, cells: cells, predictions: predictions, size: (width, height),
            phase: Int32((phase * 1024).rounded()), format: format
        ).run()
        return region
    }

    /// Computes predictions 2 and 3.
    func predict(_ region: FusedRegion) {
        let columns = region.secondColumns
        let warp = format.bytesPerSample == 2 ? kernels.warp_row_16 : kernels.warp_row_8
        let a = references.a.planes[0].warpSource, b = references.b.planes[0].warpSource
        let scaleA = -Int32((phase * 16384).rounded()), scaleB = scaleA + 16384
        withUnsafeTemporaryAllocation(of: Int16.self, capacity: 2 * (columns.count + 64)) { vectors in
            guard let vx = vectors.baseAddress else { return }
            let vy = vx + columns.count + 64
            withUnsafePointer(to: a) { a in
                withUnsafePointer(to: b) { b in
                    for y in region.secondRows {
                        second.nearestRow(
                            y, columns: columns, sideLog2: motion.sideLog2, level: motion.level, shift: (0, 0),
                            outX: vx,
                            outY: vy)
                        let row = region.secondRow(y), x = Int32(columns.lowerBound), count = Int32(columns.count)
                        warp(row.a, a, x, Int32(y), count, vx, vy, scaleA, Int32(format.maximumValue))
                        warp(row.b, b, x, Int32(y), count, vx, vy, scaleB, Int32(format.maximumValue))
                    }
                }
            }
        }
    }
}

/// What the network reads of the cells, upsampled to some rows of positions, and the shares in their luma rows.
struct FusionCells {
    private let rows: Range<Int>
    private let lumaRows: Range<Int>
    private let pitch: Int
    private let values: Buffer2D<Int16>
    private let shares: Buffer2D<Int16>

    /// - Parameters:
    ///   - rows: the rows of positions.
    ///   - luma: the rows of positions whose luma rows' shares are needed.
    ///   - width: positions in a row.
    init(_ motion: IntermediateFlow, _ second: MotionLayer, rows: Range<Int>, luma: Range<Int>, width: Int) {
        self.rows = rows
        lumaRows = 2 * luma.lowerBound..<2 * luma.upperBound
        pitch = width + 64
        let values = Buffer2D<Int16>(columns: pitch, rows: 5 * rows.count, filledWith: 0)
        let shares = Buffer2D<Int16>(columns: 2 * pitch, rows: 2 * lumaRows.count, filledWith: 0)
        (self.values, self.shares) = (values, shares)
        let side = motion.sideLog2
        let grids = [motion.first.share, motion.first.trust, second.share, second.trust, motion.distance]
        withUnsafeTemporaryAllocation(of: Int16.self, capacity: motion.columns) { scratch in
            guard let scratch = scratch.baseAddress else { return }
            for y in rows {
                for (k, grid) in grids.enumerated() {
                    grid.upsampleRow(
                        y, sideLog2: (side - 1, side - 1), gainLog2: 0, count: width,
                        into: values.base + (5 * (y - rows.lowerBound) + k) * pitch, scratch: scratch)
                }
            }
            for y in lumaRows {
                for (k, grid) in [motion.first.share, second.share].enumerated() {
                    grid.upsampleRow(
                        y, sideLog2: (side, side), gainLog2: 0, count: 2 * width,
                        into: shares.base + (2 * (y - lumaRows.lowerBound) + k) * 2 * pitch, scratch: scratch)
                }
            }
        }
    }

    /// What is known about the motions in a row of positions, from `column`.
    func row(_ y: Int, from column: Int, phase: Int32) -> vfx_fusion_cells {
        func value(_ k: Int) -> UnsafePointer<Int16> {
            UnsafePointer(values.base + (5 * (y - rows.lowerBound) + k) * pitch + column)
        }
        return vfx_fusion_cells(
            share: (value(0), value(2)), trust: (value(1), value(3)), distance: value(4), phase: phase)
    }

    /// The shares of the second neighbour in a luma row along both motions, from `column`.
    func shares(_ y: Int, from column: Int) -> [UnsafePointer<Int16>] {
        (0..<2).map { UnsafePointer(shares.base + (2 * (y - lumaRows.lowerBound) + $0) * 2 * pitch + column) }
    }
}
