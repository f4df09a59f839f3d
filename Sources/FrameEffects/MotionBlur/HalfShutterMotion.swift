import FrameCore
import Motion

/// Parameters of the motion of half of the shutter interval. The values were chosen by hand, November 2026.
private enum HalfShutterParameters {
    /// Weight of the other half's motion, mirrored, where this half has its own.
    static let otherHalf: Float = 0.05
    /// Trust in motion without confidence, so that the weights never divide by 0.
    static let leastTrust: Float = 0.0001
    /// How far outside the picture a place still counts as inside, in 1/128 cells: half a sample of the level.
    static let overhang: Int32 = 16
    /// Side of a tile, as a power of two in cells of level 0: 16 luma samples.
    static let tileLog2 = 2
    /// The most tiles in each direction that a motion is spread over.
    static let maximumTiles = 32
    /// Cell rows that are fused as one unit.
    static let bandRows = 16
}

/// Motion during half of the shutter interval: from a picture towards one of its neighbours.
struct HalfShutterMotion: Sendable {
    /// Motion of the picture; where it is hidden in this neighbour, that towards the other one, mirrored.
    private let motion: MotionVectorField
    /// Motion of the neighbour back to the picture; nil where the clip ends.
    private let back: MotionVectorField?
    private let passing: TileMaxMotion
    private let field: FlowField

    /// - Parameters:
    ///   - mine: from the picture to the neighbour of this half, and back; nil where the clip ends.
    ///   - other: the same of the other half.
    ///   - reach: length of this half in frames.
    init?(mine: (ahead: FlowField, back: FlowField)?, other: FlowField?, reach: Float, threads: Int) {
        guard let field = mine?.ahead ?? other else { return nil }
        self.field = field
        motion = Self.fused(mine?.ahead, other, like: field, threads: threads)
        back = mine?.back.cells
        passing = TileMaxMotion(motion, level: field.level, reach: reach)
    }

    /// Gives what the blocks look up for the duration of `body`.
    func withLookup<R, E: Error>(_ body: (MotionLookup) throws(E) -> R) throws(E) -> R {
        defer { withExtendedLifetime(self) {} }
        let pixel = Float(1 << field.level) / Float(1 << MotionVector.fractionBits)
        // Places are relative to the first cell's centre, which is half a cell, 64 units, from the picture's corner.
        func limit(_ side: Int) -> Int32 {
            Int32((side + (1 << field.level) - 1) >> field.level) &* 32 &- 64 &+ HalfShutterParameters.overhang
        }
        return try body(
            MotionLookup(
                motion: UnsafePointer(motion.vectors.base), back: back.map { UnsafePointer($0.vectors.base) },
                passing: UnsafePointer(passing.vectors.base), columns: Int32(motion.columns),
                rows: Int32(motion.rows), passingColumns: Int32(passing.vectors.columns),
                passingRows: Int32(passing.vectors.rows), passingShift: Int32(passing.tileLog2 + 7), pixel: pixel,
                limitX: limit(field.width), limitY: limit(field.height)))
    }

    /// Each cell's motion, or the other half's mirrored, by how far either is to be trusted.
    private static func fused(_ mine: FlowField?, _ other: FlowField?, like field: FlowField, threads: Int)
        -> MotionVectorField
    {
        let result = MotionVectorField(width: field.columns * 4, height: field.rows * 4)
        let a = mine.map(WeightedMotion.init), b = other.map(WeightedMotion.init)
        defer { withExtendedLifetime((mine, other)) {} }
        let bandRows = HalfShutterParameters.bandRows
        parallelFor((field.rows + bandRows - 1) / bandRows, threads: threads) { band in
            let first = band * bandRows, last = min(field.rows, first + bandRows)
            for index in first * field.columns..<last * field.columns {
                let trustA = a?.trust(index) ?? 0
                let trustB = (b?.trust(index) ?? 0) * (a == nil ? 1 : HalfShutterParameters.otherHalf)
                let va = a?.vector(index) ?? .zero, vb = b?.vector(index) ?? .zero
                let v = (va * trustA - vb * trustB) / (trustA + trustB)
                // To nearest, halves away from 0; within the range of either.
                result.vectors.base[index] = MotionVector(
                    Int16(v.x + (v.x < 0 ? -0.5 : 0.5)), Int16(v.y + (v.y < 0 ? -0.5 : 0.5)))
            }
        }
        return result
    }
}

/// Motion and its weight by confidence and occlusion, read without counting references.
///
/// `@unchecked Sendable`: only read, while the field that it was made from is held.
private struct WeightedMotion: @unchecked Sendable {
    private let vectors: UnsafePointer<MotionVector>
    private let confidence: UnsafePointer<UInt8>
    private let occlusion: UnsafePointer<UInt8>

    init(_ field: FlowField) {
        vectors = UnsafePointer(field.cells.vectors.base)
        confidence = UnsafePointer(field.confidenceMap.base)
        occlusion = UnsafePointer(field.occlusionMap.base)
    }

    @inline(__always)
    func vector(_ index: Int) -> SIMD2<Float> { SIMD2(Float(vectors[index].x), Float(vectors[index].y)) }

    @inline(__always)
    func trust(_ index: Int) -> Float {
        let c = Float(confidence[index]) * (1 / 255) * (1 - Float(occlusion[index]) * (1 / 255))
        return c * c + HalfShutterParameters.leastTrust
    }
}

/// The longest motion whose way may lead over each tile of a picture: tile and neighbour maxima as in M. McGuire et al., A
/// Reconstruction Filter for Plausible Motion Blur (I3D 2012).
private struct TileMaxMotion {
    let vectors: Buffer2D<MotionVector>
    /// Cells in a row of a tile, as a power of two.
    let tileLog2: Int

    init(_ motion: MotionVectorField, level: Int, reach: Float) {
        // Tiles are no smaller than cells.
        tileLog2 = max(0, HalfShutterParameters.tileLog2 - level)
        let columns = (motion.columns - 1) >> tileLog2 + 1, rows = (motion.rows - 1) >> tileLog2 + 1
        let most = Buffer2D<MotionVector>(columns: columns, rows: rows, filledWith: .zero)
        vectors = Buffer2D<MotionVector>(columns: columns, rows: rows, filledWith: .zero)
        for y in 0..<motion.rows {
            for x in 0..<motion.columns {
                let v = motion.vectors[x, y]
                if Self.length(v) > Self.length(most[x >> tileLog2, y >> tileLog2]) {
                    most[x >> tileLog2, y >> tileLog2] = v
                }
            }
        }
        // From each tile to all that its motion may reach; 128 units of a vector are a cell.
        let perTile = Float(128 << tileLog2)
        for y in 0..<rows {
            for x in 0..<columns {
                let v = most[x, y], size = Self.length(v)
                guard size > 0 else { continue }
                let radius = min(HalfShutterParameters.maximumTiles, Int((Float(size) * reach / perTile).rounded(.up)))
                for ny in max(0, y - radius)...min(rows - 1, y + radius) {
                    for nx in max(0, x - radius)...min(columns - 1, x + radius)
                    where size > Self.length(vectors[nx, ny]) { vectors[nx, ny] = v }
                }
            }
        }
    }

    @inline(__always)
    private static func length(_ v: MotionVector) -> Int32 { max(abs(Int32(v.x)), abs(Int32(v.y))) }
}

/// What the blocks look up of one half, read without counting references.
///
/// `@unchecked Sendable`: only read, inside the closure that received it. Places are in 1/128 cells from the centre of the
/// first one; vectors in the units of the field, 128 of which are a cell too.
struct MotionLookup: @unchecked Sendable {
    fileprivate let motion: UnsafePointer<MotionVector>
    fileprivate let back: UnsafePointer<MotionVector>?
    fileprivate let passing: UnsafePointer<MotionVector>
    fileprivate let columns: Int32
    fileprivate let rows: Int32
    fileprivate let passingColumns: Int32
    fileprivate let passingRows: Int32
    fileprivate let passingShift: Int32
    /// Luma samples in a unit of a vector.
    let pixel: Float
    fileprivate let limitX: Int32
    fileprivate let limitY: Int32

    /// Whether there is a neighbour on this side.
    var hasNeighbour: Bool { back != nil }

    /// The longest motion whose way may lead over a place.
    @inline(__always)
    func passing(_ p: SIMD2<Int32>) -> SIMD2<Int32> {
        let x = min(max((p.x &+ 64) >> passingShift, 0), passingColumns &- 1)
        let y = min(max((p.y &+ 64) >> passingShift, 0), passingRows &- 1)
        return SIMD2<Int32>(truncatingIfNeeded: passing[Int(y &* passingColumns &+ x)])
    }

    /// Motion of the picture at a place, as by ``MotionVectorField/sample(x:y:)``.
    @inline(__always)
    func motion(_ p: SIMD2<Int32>) -> SIMD2<Int32> { sample(motion, p) }

    /// How far to believe, 0…1, that what the picture shows at a place moves by `v` towards the neighbour.
    @inline(__always)
    func trust(_ p: SIMD2<Int32>, movesBy v: SIMD2<Int32>) -> Float {
        isInside(p) ? likeness(sample(motion, p) &- v) : 0
    }

    /// How far to believe, 0…1, that what the neighbour shows at a place came there by `v`.
    @inline(__always)
    func trustBack(_ p: SIMD2<Int32>, cameBy v: SIMD2<Int32>) -> Float {
        guard let back, isInside(p) else { return 0 }
        return likeness(sample(back, p) &+ v)
    }

    @inline(__always)
    private func likeness(_ e: SIMD2<Int32>) -> Float {
        let x = Float(e.x) * pixel, y = Float(e.y) * pixel, q = 1 + x * x + y * y
        return 1 / (q * q)
    }

    @inline(__always)
    private func isInside(_ p: SIMD2<Int32>) -> Bool {
        let lowest = -64 &- HalfShutterParameters.overhang
        return p.x > lowest && p.y > lowest && p.x < limitX && p.y < limitY
    }

    @inline(__always)
    private func sample(_ vectors: UnsafePointer<MotionVector>, _ p: SIMD2<Int32>) -> SIMD2<Int32> {
        let cx = min(max(p.x, 0), (columns &- 1) &<< 7), cy = min(max(p.y, 0), (rows &- 1) &<< 7)
        let ix = cx &>> 7, iy = cy &>> 7, fx = cx & 127, fy = cy & 127
        let right = ix &+ 1 < columns ? 1 : 0, down = iy &+ 1 < rows ? Int(columns) : 0
        let p = vectors + Int(iy &* columns &+ ix)
        let p00 = SIMD2<Int32>(truncatingIfNeeded: p[0]), p10 = SIMD2<Int32>(truncatingIfNeeded: p[right])
        let p01 = SIMD2<Int32>(truncatingIfNeeded: p[down]), p11 = SIMD2<Int32>(truncatingIfNeeded: p[down &+ right])
        let top = p00 &* (128 &- fx) &+ p10 &* fx, bottom = p01 &* (128 &- fx) &+ p11 &* fx
        return (top &* (128 &- fy) &+ bottom &* fy &+ 8192) &>> 14
    }
}
