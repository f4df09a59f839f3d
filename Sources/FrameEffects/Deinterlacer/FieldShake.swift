import FrameCore
import Kernels
import Motion

/// Parameters of the shake of fields. Displacements are in samples of a pyramid level, differences in grey levels. The values
/// were chosen by hand, November 2026.
private enum ShakeParameters {
    /// The coarsest level that is measured, where a sample is as large as the largest shake that is found.
    static let coarsestLevel = 4
    /// The finest level that is measured, and the most samples in a row of it: wide pictures end at a coarser one.
    static let finestLevel = 1, widest = 640
    /// Rounds on each level.
    static let rounds = 2
    /// Cells in a row and in a column of a tile.
    static let tileCells = 8
    /// Mean difference at which a cell has half its weight.
    static let trust: Float = 8
    /// Weight of the shake of the whole field in that of a tile, in the units of the structure tensor.
    static let stiffness: Float = 2000
    /// Longest step in each component.
    static let longestStep: Float = 1.5
    /// The share of the difference that the shake must explain, on the finest level and on the one before, which saves the
    /// finest for fields that do not shake. Objects that do not move steadily explain up to a tenth.
    static let gain: Float = 0.12, coarseGain: Float = 0.04
}

/// How far a field is off its way: by how much half of the motion between two fields misses the field between them.
///
/// A camera that shakes does not go half of the way from one field to the second next until the next. What is seen then shakes
/// as a whole or almost so. The shake is therefore found for large tiles, and interpolated between their centres: large enough
/// that detail finer than a row of a field, which looks different in fields of different parity, does not count. Only a shake
/// that explains much of the differences between the field and its neighbours is believed.
struct FieldShake {
    /// The shake of each tile, in luma samples.
    private let tiles: Buffer2D<SIMD2<Float>>
    /// The side of a tile in luma samples.
    private let side: Int

    /// Measures the shake of a field; nil if it does not shake.
    ///
    /// - Parameters:
    ///   - field: the luma of the field.
    ///   - neighbours: fields beside it, and the motion that leads there if nothing shakes. All are off by the same shake.
    ///   - context: the threads and kernels to use.
    init?(of field: LumaPyramid, _ neighbours: [ShakeNeighbour], context: ExecutionContext) {
        typealias P = ShakeParameters
        let top = min(P.coarsestLevel, field.levels.count - 1)
        var finest = min(P.finestLevel, top)
        while finest < top, field.levels[finest].width > P.widest { finest += 1 }
        var found = Buffer2D<SIMD2<Float>>(columns: 1, rows: 1, filledWith: .zero), side = 1
        for level in stride(from: top, through: finest, by: -1) {
            let measurement = ShakeMeasurement(field.levels[level], level: level, neighbours, context: context)
            var tiles = measurement.stillTiles(), difference: Float = 0
            for y in 0..<tiles.rows {
                for x in 0..<tiles.columns {
                    let centre = (measurement.centre(x), measurement.centre(y))
                    tiles[x, y] = Self.interpolated(found, side: side, x: centre.0, y: centre.1)
                }
            }
            for _ in 0..<P.rounds { (tiles, difference) = measurement.step(tiles) }
            (found, side) = (tiles, measurement.side)
            guard level <= finest + 1 else { continue }
            let gain = level == finest ? P.gain : P.coarseGain
            guard difference < (1 - gain) * measurement.difference(measurement.stillTiles()) else { return nil }
        }
        (self.tiles, self.side) = (found, side)
    }

    /// Returns the shake of a place in the picture, in luma samples.
    func at(x: Int, y: Int) -> SIMD2<Float> { Self.interpolated(tiles, side: side, x: x, y: y) }

    fileprivate static func interpolated(_ tiles: Buffer2D<SIMD2<Float>>, side: Int, x: Int, y: Int) -> SIMD2<Float> {
        // Twice the distances from the centre of the first tile.
        let left = max(0, 2 * x + 1 - side), top = max(0, 2 * y + 1 - side), step = 2 * side
        let column = left / step, row = top / step
        let right = Float(left - column * step) / Float(step), down = Float(top - row * step) / Float(step)
        let above = tiles.clamped(column, row) * (1 - right) + tiles.clamped(column + 1, row) * right
        let below = tiles.clamped(column, row + 1) * (1 - right) + tiles.clamped(column + 1, row + 1) * right
        return above * (1 - down) + below * down
    }
}

/// A field beside another one, and the motion that leads there.
struct ShakeNeighbour {
    let pyramid: LumaPyramid
    let motion: HalfMotion
    /// The part of the motion that leads there: 1/2, or −1/2 for motion the other way.
    let part: Float
}

/// The equations of a tile for a better shake, and the difference of its cells.
private struct TileSums {
    var xx: Float = 0, xy: Float = 0, yy: Float = 0, x: Float = 0, y: Float = 0
    var difference: Float = 0

    static func += (a: inout TileSums, b: TileSums) {
        a.xx += b.xx
        a.xy += b.xy
        a.yy += b.yy
        a.x += b.x
        a.y += b.y
        a.difference += b.difference
    }

    /// Solves the equations, with a pull towards a displacement.
    func solution(pull: Float, towards goal: SIMD2<Float>) -> SIMD2<Float> {
        let a = xx + pull, b = xy, c = yy + pull, determinant = a * c - b * b
        let right = pull * goal.x - x, down = pull * goal.y - y
        let most = SIMD2<Float>(repeating: ShakeParameters.longestStep)
        return SIMD2((c * right - b * down) / determinant, (a * down - b * right) / determinant).clamped(
            lowerBound: -most, upperBound: most)
    }
}

/// Compares a field with its neighbours on one pyramid level.
private struct ShakeMeasurement {
    private let plane: PaddedPlane
    private let level: Int
    private let neighbours: [ShakeNeighbour]
    private let context: ExecutionContext
    private let cells: (columns: Int, rows: Int)
    /// The side of a tile in luma samples.
    let side: Int

    init(_ plane: PaddedPlane, level: Int, _ neighbours: [ShakeNeighbour], context: ExecutionContext) {
        (self.plane, self.level, self.neighbours, self.context) = (plane, level, neighbours, context)
        let size = MotionVectorField.cellSize
        cells = ((plane.width + size - 1) / size, (plane.height + size - 1) / size)
        side = (size * ShakeParameters.tileCells) << level
    }

    /// Tiles that do not shake.
    func stillTiles() -> Buffer2D<SIMD2<Float>> {
        let count = ShakeParameters.tileCells
        return Buffer2D(
            columns: (cells.columns + count - 1) / count, rows: (cells.rows + count - 1) / count, filledWith: .zero)
    }

    /// The centre of a tile in luma samples.
    func centre(_ tile: Int) -> Int { tile * side + side / 2 }

    /// The sum of the differences from the neighbours.
    func difference(_ tiles: Buffer2D<SIMD2<Float>>) -> Float { sums(tiles).reduce(0) { $0 + $1.difference } }

    /// Returns a better shake of the tiles, and the sum of the differences with the given one.
    func step(_ tiles: Buffer2D<SIMD2<Float>>) -> (tiles: Buffer2D<SIMD2<Float>>, difference: Float) {
        let sums = sums(tiles), better = stillTiles(), scale = Float(1 << level)
        var whole = TileSums(), mean = SIMD2<Float>.zero
        for (index, tile) in sums.enumerated() {
            whole += tile
            mean += tiles.base[index]
        }
        mean /= Float(sums.count)
        let common = mean + whole.solution(pull: 1, towards: .zero) * scale
        for y in 0..<tiles.rows {
            for x in 0..<tiles.columns {
                var near = TileSums()
                for ny in max(0, y - 1)...min(tiles.rows - 1, y + 1) {
                    for nx in max(0, x - 1)...min(tiles.columns - 1, x + 1) { near += sums[ny * tiles.columns + nx] }
                }
                let before = tiles[x, y]
                let step = near.solution(pull: ShakeParameters.stiffness, towards: (common - before) / scale)
                better[x, y] = before + step * scale
            }
        }
        return (better, whole.difference)
    }

    private func sums(_ tiles: Buffer2D<SIMD2<Float>>) -> [TileSums] {
        let sums = Buffer2D<TileSums>(columns: tiles.columns, rows: tiles.rows, filledWith: TileSums())
        parallelFor(tiles.rows, threads: context.threads) { row in measure(row: row, tiles, into: sums) }
        return (0..<sums.count).map { sums.base[$0] }
    }

    /// Measures every second row of the cells of a row of tiles: their patches cover all rows of samples.
    private func measure(row: Int, _ tiles: Buffer2D<SIMD2<Float>>, into sums: Buffer2D<TileSums>) {
        typealias P = ShakeParameters
        let columns = cells.columns, count = 6 * 8 * (columns + 1), table = context.kernels.pointee
        let parts = Scratch<Int16>(2 * count), residuals = Scratch<vfx_flow_residual>(columns)
        let floats = Scratch<Float>(14 * columns), equations = floats.base, sampled = equations + 5 * columns
        let vx = sampled + 3 * columns, vy = vx + columns, shakeX = vy + columns, shakeY = shakeX + columns
        let unused = shakeY + columns, unit = 1 / Float(1 << level)
        for y in stride(from: row * P.tileCells, to: min(cells.rows, (row + 1) * P.tileCells), by: 2) {
            for k in 0..<2 {
                table.flow_tiles_row(
                    plane.bytes + (4 * (y + k) - 2) * plane.stride - 2, plane.stride, Int32(columns + 1),
                    parts.base + k * count)
            }
            var patches = vfx_flow_tiles(upper: parts.base, lower: parts.base + count)
            table.flow_prepare_row(&patches, Int32(columns), equations, unused, unused + columns)
            for x in 0..<columns {
                let shake = FieldShake.interpolated(tiles, side: side, x: middle(x), y: middle(y)) * unit
                (shakeX[x], shakeY[x]) = (shake.x, shake.y)
            }
            for neighbour in neighbours {
                let target = neighbour.pyramid.levels[level]
                var place = vfx_warp_source(
                    origin: target.origin, stride: target.stride, width: Int32(target.width),
                    height: Int32(target.height), margin: Int32(LumaPyramid.blockReach))
                for x in 0..<columns {
                    let v = neighbour.motion.vector(x: middle(x), y: middle(y)) * (neighbour.part * unit)
                    (vx[x], vy[x]) = (v.x + shakeX[x], v.y + shakeY[x])
                }
                table.flow_measure_row(&patches, &place, Int32(y), Int32(columns), vx, vy, residuals.base, sampled)
                for x in 0..<columns {
                    // As the step of the refinement of flow.
                    let residual = residuals.base[x], d = Float(residual.abs) / 1024
                    let inside = sampled[2 * columns + x], trust = inside / (1 + d * d / (P.trust * P.trust))
                    let sum = Float(residual.d) / 64
                    sums[x / P.tileCells, row] += TileSums(
                        xx: equations[x] * trust, xy: equations[columns + x] * trust,
                        yy: equations[2 * columns + x] * trust,
                        x: (Float(residual.dx) - sum * equations[3 * columns + x]) / 32 * trust,
                        y: (Float(residual.dy) - sum * equations[4 * columns + x]) / 32 * trust,
                        difference: d * inside)
                }
            }
        }
    }

    /// The centre of a cell in luma samples.
    private func middle(_ cell: Int) -> Int { (4 * cell + 2) << level }
}
