import FrameCore
import Motion

/// Motion from a picture towards one of its neighbours, made ready for one half of the exposure.
struct HalfExposure: Sendable {
    /// Motion of the picture; where it is hidden in this neighbour, that towards the other one, mirrored.
    let motion: CellField
    /// Motion of the neighbour back to the picture; nil where the clip ends.
    let back: CellField?
    /// The longest motion whose way may lead over each tile.
    private let passing: CellGrid<MotionVector>
    private let limitX: Int32
    private let limitY: Int32
    /// Squared pixels in a squared unit of a vector.
    private let unit: Float

    /// Side of a tile in luma samples, as a power of two.
    private static let tileLog2 = 5
    private let tileShift: Int
    private let fast: FastField
    private let fastBack: FastField?
    let pixel: Float

    /// - Parameters:
    ///   - mine: from the picture to the neighbour of this half, and back; nil where the clip ends.
    ///   - other: the same of the other half.
    ///   - reach: length of this half in frames.
    init?(mine: (ahead: FlowField, back: FlowField)?, other: FlowField?, reach: Float, threads: Int) {
        guard let field = mine?.ahead ?? other else { return nil }
        motion = Self.fused(mine?.ahead, other, like: field, threads: threads)
        back = mine?.back.cells
        let scale = Float(1 << field.level) / Float(1 << MotionVector.fractionBits)
        pixel = scale
        fast = FastField(motion)
        fastBack = back.map { FastField($0) }
        unit = scale * scale
        limitX = Int32((field.width + (1 << field.level) - 1) >> field.level) &* 32 &- 64
        limitY = Int32((field.height + (1 << field.level) - 1) >> field.level) &* 32 &- 64
        tileShift = max(0, Self.tileLog2 - 2 - field.level)
        passing = Self.passing(motion, tileShift: tileShift, level: field.level, reach: reach)
    }

    /// Each cell's motion, or the other half's mirrored, by how far either is to be trusted.
    private static func fused(_ mine: FlowField?, _ other: FlowField?, like field: FlowField, threads: Int) -> CellField {
        let result = CellField(width: max(1, field.columns * 4), height: max(1, field.rows * 4))
        @Sendable func trust(_ field: FlowField?, _ index: Int) -> Float {
            guard let judgement = field?.judgement else { return 0 }
            let c =
                Float(judgement.confidence.base[index]) * (1 / 255)
                * (1 - Float(judgement.occlusion.base[index]) * (1 / 255))
            return c * c + 0.0001
        }
        parallelFor((field.rows + 15) / 16, threads: threads) { band in
            for index in band * 16 * field.columns..<min(field.rows, band * 16 + 16) * field.columns {
                let a = trust(mine, index), b = trust(other, index) * (mine == nil ? 1 : 0.05)
                let va = mine.map { SIMD2<Float>($0.cells.vectors.base[index]) } ?? .zero
                let vb = other.map { SIMD2<Float>($0.cells.vectors.base[index]) } ?? .zero
                let v = (va * a - vb * b) / (a + b)
                result.vectors.base[index] = MotionVector(v, rounding: .toNearestOrAwayFromZero)
            }
        }
        return result
    }

    private static func passing(
        _ motion: CellField, tileShift: Int, level: Int, reach: Float
    ) -> CellGrid<MotionVector> {
        let columns = (motion.columns - 1) >> tileShift + 1, rows = (motion.rows - 1) >> tileShift + 1
        let most = CellGrid<MotionVector>(columns: columns, rows: rows, filledWith: .zero)
        let result = CellGrid<MotionVector>(columns: columns, rows: rows, filledWith: .zero)
        for y in 0..<motion.rows {
            for x in 0..<motion.columns where length(motion.vectors[x, y]) > length(most[x >> tileShift, y >> tileShift]) {
                most[x >> tileShift, y >> tileShift] = motion.vectors[x, y]
            }
        }
        // Tiles from the one where a motion is found that it may reach; 128 units of a vector are a cell.
        let perTile = Float(128 << tileShift)
        for y in 0..<rows {
            for x in 0..<columns {
                let v = most[x, y], size = length(v)
                guard size > 0 else { continue }
                let radius = min(16, Int(Float(size) * reach / perTile) + 1)
                for ny in max(0, y - radius)...min(rows - 1, y + radius) {
                    for nx in max(0, x - radius)...min(columns - 1, x + radius) where size > length(result[nx, ny]) {
                        result[nx, ny] = v
                    }
                }
            }
        }
        return result
    }

    @inline(__always)
    private static func length(_ v: MotionVector) -> Int32 { max(abs(Int32(v.x)), abs(Int32(v.y))) }

    /// The longest motion whose way may lead over a place, given as by ``CellField/sample(x:y:)``.
    @inline(__always)
    func passing(x: Int32, y: Int32) -> SIMD2<Int32> {
        let at = SIMD2(Int((x &+ 64) >> 7) >> tileShift, Int((y &+ 64) >> 7) >> tileShift)
        return SIMD2<Int32>(truncatingIfNeeded: passing.clamped(at.x, at.y))
    }

    /// How far to believe, 0…1, that what the picture shows at a place moves by `v` towards the neighbour.
    @inline(__always)
    func trust(_ p: SIMD2<Int32>, movesBy v: SIMD2<Int32>) -> Float {
        isInside(p) ? likeness(fast.sample(p.x, p.y) &- v) : 0
    }

    /// How far to believe, 0…1, that what the neighbour shows at a place came there by `v`.
    @inline(__always)
    func trustBack(_ p: SIMD2<Int32>, cameBy v: SIMD2<Int32>) -> Float {
        guard let fastBack, isInside(p) else { return 0 }
        return likeness(fastBack.sample(p.x, p.y) &+ v)
    }

    @inline(__always)
    private func likeness(_ e: SIMD2<Int32>) -> Float {
        let q = 1 + (Float(e.x) * Float(e.x) + Float(e.y) * Float(e.y)) * unit
        return 1 / (q * q)
    }

    @inline(__always)
    private func isInside(_ p: SIMD2<Int32>) -> Bool { p.x > -80 && p.y > -80 && p.x < limitX &+ 16 && p.y < limitY &+ 16 }

    /// Motion of the picture at a place, as by ``CellField/sample(x:y:)``.
    @inline(__always)
    func motion(_ p: SIMD2<Int32>) -> SIMD2<Int32> { fast.sample(p.x, p.y) }
}

/// A field read without counting references; its owner must outlive it.
///
/// `@unchecked Sendable`: only read, after the field has been filled.
private struct FastField: @unchecked Sendable {
    let base: UnsafePointer<MotionVector>
    let columns: Int32
    let rows: Int32

    init(_ field: CellField) {
        base = UnsafePointer(field.vectors.base)
        columns = Int32(field.columns)
        rows = Int32(field.rows)
    }

    /// As ``CellField/sample(x:y:)``.
    @inline(__always)
    func sample(_ x: Int32, _ y: Int32) -> SIMD2<Int32> {
        let cx = min(max(x, 0), (columns &- 1) &<< 7), cy = min(max(y, 0), (rows &- 1) &<< 7)
        let ix = cx &>> 7, iy = cy &>> 7, fx = cx & 127, fy = cy & 127
        let right = ix &+ 1 < columns ? 1 : 0, down = iy &+ 1 < rows ? Int(columns) : 0
        let p = base + Int(iy &* columns &+ ix)
        let p00 = SIMD2<Int32>(truncatingIfNeeded: p[0]), p10 = SIMD2<Int32>(truncatingIfNeeded: p[right])
        let p01 = SIMD2<Int32>(truncatingIfNeeded: p[down]), p11 = SIMD2<Int32>(truncatingIfNeeded: p[down &+ right])
        let top = p00 &* (128 &- fx) &+ p10 &* fx, bottom = p01 &* (128 &- fx) &+ p11 &* fx
        return (top &* (128 &- fy) &+ bottom &* fy &+ 8192) &>> 14
    }
}
