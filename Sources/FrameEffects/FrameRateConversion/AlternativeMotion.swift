import FrameCore
import Motion

/// Parameters of the search for alternative motion. Motion is in 1/32 sample, differences are in 1/16 grey level. The
/// values were chosen by hand, November 2026.
private enum AlternativeParameters {
    /// Distance in cells up to which motion is collected.
    static let radius = 2
    /// Distance to a cell's own motion above which another is an alternative to it: one sample.
    static let distinct: Int32 = 32
    /// Distance between collected motions below which only the first is compared: half a sample.
    static let same: Int32 = 16
    /// Cost of each cell of distance, horizontal plus vertical.
    static let penalty: Int32 = 4
}

/// Distinct motions near each cell of the splat: those that match best.
///
/// At a motion edge, each side's motion is an alternative for the other side. Where all motion is alike, there is none.
struct AlternativeMotion {
    /// Up to three vectors, two lanes each, in 1/32 sample of the finer level; lane 6 is their count.
    private let motions: Buffer2D<SIMD8<Int16>>
    /// log2 of the number of the caller's cells along a side of one of these.
    private let cellShift: Int

    /// Collects the motions around each cell.
    ///
    /// - Parameters:
    ///   - splat: the motion at the phase.
    ///   - matcher: compares the neighbours for the cells of `splat`.
    ///   - scaleLog2: log2 of the factor from `splat`'s vectors to those of the caller.
    ///   - cellShift: log2 of the number of the caller's cells along a side of a cell of `splat`.
    ///   - context: the threads and kernels to use.
    init(
        around splat: Buffer2D<MotionVector>, matcher: BilateralMatcher, scaleLog2: Int, cellShift: Int,
        context: ExecutionContext
    ) {
        self.cellShift = cellShift
        let motions = Buffer2D<SIMD8<Int16>>(columns: splat.columns, rows: splat.rows, filledWith: .zero)
        self.motions = motions
        parallelBands(splat.rows, height: 8, threads: context.threads) { rows in
            let side = 2 * AlternativeParameters.radius + 1, tried = Scratch<MotionVector>(side * side)
            for y in rows {
                for x in 0..<splat.columns where Self.isNearEdge(splat, x, y, scaleLog2) {
                    motions[x, y] = Self.collected(splat, x, y, matcher: matcher, scaleLog2, tried.base)
                }
            }
        }
    }

    /// Returns the motion that differs from a cell's own and matches best, with its difference; nil if there is none.
    ///
    /// - Parameter matcher: compares the neighbours for the caller's cells.
    @inline(__always)
    func best(
        x: Int, y: Int, otherThan own: MotionVector, matcher: BilateralMatcher
    ) -> (vector: MotionVector, difference: Int32)? {
        let list = motions.clamped(x >> cellShift, y >> cellShift)
        var best: (vector: MotionVector, difference: Int32)?
        for i in 0..<Int(list[6]) {
            let v = MotionVector(list[2 * i], list[2 * i + 1])
            guard v.distance(to: own) > AlternativeParameters.distinct else { continue }
            let difference = matcher.difference(v, x: x, y: y)
            if let found = best, found.difference <= difference { continue }
            best = (v, difference)
        }
        return best
    }

    @inline(__always)
    private static func isNearEdge(_ splat: Buffer2D<MotionVector>, _ x: Int, _ y: Int, _ scaleLog2: Int) -> Bool {
        let own = splat[x, y], most = AlternativeParameters.distinct >> Int32(scaleLog2)
        let radius = AlternativeParameters.radius
        for ny in max(0, y - radius)...min(splat.rows - 1, y + radius) {
            for nx in max(0, x - radius)...min(splat.columns - 1, x + radius)
            where splat[nx, ny].distance(to: own) > most {
                return true
            }
        }
        return false
    }

    private static func collected(
        _ splat: Buffer2D<MotionVector>, _ x: Int, _ y: Int, matcher: BilateralMatcher, _ scaleLog2: Int,
        _ tried: UnsafeMutablePointer<MotionVector>
    ) -> SIMD8<Int16> {
        typealias P = AlternativeParameters
        var vectors = (MotionVector.zero, MotionVector.zero, MotionVector.zero)
        var costs = (Int32.max, Int32.max, Int32.max)
        var count: Int16 = 0
        let same = P.same >> Int32(scaleLog2)
        var n = 0
        for ny in max(0, y - P.radius)...min(splat.rows - 1, y + P.radius) {
            for nx in max(0, x - P.radius)...min(splat.columns - 1, x + P.radius) {
                let v = splat[nx, ny]
                guard !(0..<n).contains(where: { v.distance(to: tried[$0]) < same }) else { continue }
                tried[n] = v
                n += 1
                let far = Int32(truncatingIfNeeded: abs(nx - x) + abs(ny - y))
                let cost = matcher.difference(v, x: x, y: y) &+ P.penalty &* far
                if cost < costs.0 {
                    (vectors, costs) = ((v, vectors.0, vectors.1), (cost, costs.0, costs.1))
                } else if cost < costs.1 {
                    (vectors, costs) = ((vectors.0, v, vectors.1), (costs.0, cost, costs.1))
                } else if cost < costs.2 {
                    (vectors.2, costs.2) = (v, cost)
                }
                count = min(3, count + 1)
            }
        }
        let scale = Int32(1 << scaleLog2)
        func scaled(_ v: MotionVector) -> MotionVector {
            MotionVector(clamping: SIMD2<Int32>(truncatingIfNeeded: v) &* scale)
        }
        let (a, b, c) = (scaled(vectors.0), scaled(vectors.1), scaled(vectors.2))
        return SIMD8(a.x, a.y, b.x, b.y, c.x, c.y, count, 0)
    }
}
