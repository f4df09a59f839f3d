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
    /// Where the paths of content bend; nil if they are straight.
    let offsets: PathOffsets?
    let references: (a: ReferenceFrame, b: ReferenceFrame)
    /// Predictions 0 and 1, in luma.
    let predictions: Predictions
    let format: PixelFormat
    let phase: Float
    /// The rows of positions.
    let rows: Range<Int>
    let context: ExecutionContext

    private var width: Int { predictions.a.width / 2 }
    private var height: Int { predictions.a.height / 2 }
    private var halo: Int { network.halo }

    /// Returns the regions in which predictions 0 and 1 differ visibly, from left to right.
    func regions() -> [FusedRegion] {
        let tile = FusionParameters.tile, tiles = (width + tile - 1) / tile
        let row = Scratch<UInt8>(tiles)
        var counts = [Int](repeating: 0, count: tiles)
        let count = context.kernels.pointee.fusion_count_row,
            limit = Int32(FusionParameters.difference << (format.predictionDepth - 8))
        for y in 2 * rows.lowerBound..<2 * rows.upperBound {
            count(row.base, predictions.a.row(y), predictions.b.row(y), Int32(2 * width), Int32(2 * tile), limit)
            for i in 0..<tiles { counts[i] += Int(row[i]) }
        }
        let differs = counts.map { $0 >= FusionParameters.samples }
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
            width: width, context: context)
        return ranges.map { fused($0, cells) }
    }

    private func fused(_ columns: Range<Int>, _ cells: FusionCells) -> FusedRegion {
        let region = FusedRegion(
            columns: columns, rows: rows, halo: halo, size: (width, height))
        predict(region)
        for (neighbour, plane) in [predictions.a, predictions.b].enumerated() {
            region.smoothed.fill(
                neighbour, size: (plane.width, plane.height), context: context, source: plane.row)
        }
        FusionInference(
            network: network, region: region, cells: cells, predictions: predictions, size: (width, height),
            phase: Int32((phase * 1024).rounded()), format: format, context: context
        ).run()
        return region
    }

    /// Computes predictions 2 and 3.
    func predict(_ region: FusedRegion) {
        let columns = region.secondColumns
        let warp = NeighbourWarp(
            references.a.planes[0], references.b.planes[0], format: format, phase: phase, context: context)
        let room = columns.count + 64, vectors = Scratch<Int16>((2 + PathOffsets.Row.memoryRows) * room)
        let vx = vectors.base, vy = vx + room, bends = vy + room
        for y in region.secondRows {
            second.nearestRow(
                y, columns: columns, sideLog2: motion.sideLog2, level: motion.level, shift: (0, 0), outX: vx,
                outY: vy)
            let row = region.secondRow(y)
            let offsets = offsets?.nearestRow(y, columns: columns, shift: (0, 0), memory: bends, room: room)
            warp.row(y, columns: columns, into: row.a, row.b, vx: vx, vy: vy, offsets: offsets)
        }
    }
}
