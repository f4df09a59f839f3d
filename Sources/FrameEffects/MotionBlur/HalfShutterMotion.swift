import FrameCore
import Motion

/// Parameters of the motion during half of the exposure. The values were chosen by hand, November 2026.
private enum HalfShutterParameters {
    /// Weight of the other half's motion, mirrored, where this half has its own.
    static let otherHalf: Float = 0.05
    /// Added to the trust in motion, so that the weights are never divided by 0.
    static let leastTrust: Float = 0.0001
    /// How far outside the frame a position still counts as inside, in 1/128 cells: half a sample of the level.
    static let overhang: Int32 = 16
    /// log2 of the side of a tile in cells of level 0: 16 luma samples.
    static let tileLog2 = 2
    /// The maximum number of tiles in each direction over which a motion is spread.
    static let maximumTiles = 32
    /// Cell rows that are fused as one unit.
    static let bandRows = 16
}

/// The motion during half of the exposure: from a frame towards one of its neighbours.
struct HalfShutterMotion: Sendable {
    /// The motion of the frame. Where content is hidden in this neighbour, the mirrored motion towards the other
    /// neighbour.
    private let motion: MotionVectorField
    /// The motion from the neighbour back to the frame; nil where the clip ends.
    private let back: MotionVectorField?
    private let passing: TileMaxMotion
    private let field: FlowField

    /// Combines the motion of both halves; nil if there is no motion for either.
    ///
    /// - Parameters:
    ///   - mine: the motion from the frame to the neighbour of this half, and back; nil where the clip ends.
    ///   - other: the motion from the frame to the neighbour of the other half; nil where the clip ends.
    ///   - reach: the length of this half in frame intervals.
    ///   - context: the threads and kernels to use.
    init?(mine: (ahead: FlowField, back: FlowField)?, other: FlowField?, reach: Float, context: ExecutionContext) {
        guard let field = mine?.ahead ?? other else { return nil }
        self.field = field
        motion = Self.fused(mine?.ahead, other, like: field, context: context)
        back = mine?.back.cells
        passing = TileMaxMotion(motion, level: field.level, reach: reach)
    }

    /// Calls `body` with a lookup of this motion, which is valid only during the call.
    func withLookup<R, E: Error>(_ body: (MotionLookup) throws(E) -> R) throws(E) -> R {
        defer { withExtendedLifetime(self) {} }
        let pixel = Float(1 << field.level) / Float(1 << MotionVector.fractionBits)
        // Positions are relative to the first cell's centre, which is half a cell, 64 units, from the frame's corner.
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

    /// Returns the mean of each cell's motion and the other half's mirrored motion, weighted by trust.
    private static func fused(_ mine: FlowField?, _ other: FlowField?, like field: FlowField, context: ExecutionContext)
        -> MotionVectorField
    {
        let result = MotionVectorField(width: field.columns * 4, height: field.rows * 4)
        let a = mine.map(WeightedMotion.init), b = other.map(WeightedMotion.init)
        defer { withExtendedLifetime((mine, other)) {} }
        parallelBands(field.rows, height: HalfShutterParameters.bandRows, threads: context.threads) { rows in
            for index in rows.lowerBound * field.columns..<rows.upperBound * field.columns {
                let trustA = a?.trust(index) ?? 0
                let trustB = (b?.trust(index) ?? 0) * (a == nil ? 1 : HalfShutterParameters.otherHalf)
                let va = a?.vector(index) ?? .zero, vb = b?.vector(index) ?? .zero
                let v = (va * trustA - vb * trustB) / (trustA + trustB)
                // Rounded to nearest, halves away from 0. A mean stays within the range of its inputs.
                result.vectors.base[index] = MotionVector(
                    Int16(v.x + (v.x < 0 ? -0.5 : 0.5)), Int16(v.y + (v.y < 0 ? -0.5 : 0.5)))
            }
        }
        return result
    }
}

/// Motion with a weight from confidence and occlusion, in plain pointers to avoid reference counting.
///
/// `@unchecked Sendable`: only read, while the field it was made from is alive.
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

    /// Returns the weight of a cell's motion, above 0 and up to about 1.
    @inline(__always)
    func trust(_ index: Int) -> Float {
        let c = Float(confidence[index]) * (1 / 255) * (1 - Float(occlusion[index]) * (1 / 255))
        return c * c + HalfShutterParameters.leastTrust
    }
}

/// The longest motion whose path may cross each tile of a frame: the tile and neighbour maxima of M. McGuire et al., A
/// Reconstruction Filter for Plausible Motion Blur (I3D 2012).
private struct TileMaxMotion {
    let vectors: Buffer2D<MotionVector>
    /// log2 of the side of a tile in cells.
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
        // Spread each tile's motion to all tiles it may reach; 128 units of a vector are a cell.
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

/// A lookup of the motion of one half, in plain pointers to avoid reference counting.
///
/// Positions are in 1/128 cells from the centre of the first cell. Vectors are in the units of the field; 128 of them
/// are also one cell. `@unchecked Sendable`: only read, inside the closure that received it.
struct MotionLookup: @unchecked Sendable {
    fileprivate let motion: UnsafePointer<MotionVector>
    fileprivate let back: UnsafePointer<MotionVector>?
    fileprivate let passing: UnsafePointer<MotionVector>
    fileprivate let columns: Int32
    fileprivate let rows: Int32
    fileprivate let passingColumns: Int32
    fileprivate let passingRows: Int32
    fileprivate let passingShift: Int32
    /// The length of one unit of a vector, in luma samples.
    let pixel: Float
    fileprivate let limitX: Int32
    fileprivate let limitY: Int32

    /// Whether the frame has a neighbour on this side.
    var hasNeighbour: Bool { back != nil }

    /// Returns the longest motion whose path may cross a position.
    @inline(__always)
    func passing(_ p: SIMD2<Int32>) -> SIMD2<Int32> {
        let x = min(max((p.x &+ 64) >> passingShift, 0), passingColumns &- 1)
        let y = min(max((p.y &+ 64) >> passingShift, 0), passingRows &- 1)
        return SIMD2<Int32>(truncatingIfNeeded: passing[Int(y &* passingColumns &+ x)])
    }

    /// Returns the motion of the frame at a position, as ``MotionVectorField/sample(x:y:)`` does.
    @inline(__always)
    func motion(_ p: SIMD2<Int32>) -> SIMD2<Int32> { sample(motion, p) }

    /// Returns the trust, 0…1, that what the frame shows at a position moves by `v` towards the neighbour.
    @inline(__always)
    func trust(_ p: SIMD2<Int32>, movesBy v: SIMD2<Int32>) -> Float {
        isInside(p) ? likeness(sample(motion, p) &- v) : 0
    }

    /// Returns the trust, 0…1, that what the neighbour shows at a position moved there by `v`.
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
