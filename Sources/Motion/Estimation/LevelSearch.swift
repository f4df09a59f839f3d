import FrameCore
import Kernels

/// Whole-pixel block matching on one pyramid level: predictors first, then a small descent from the best.
///
/// After the enhanced predictive zonal search of A. Tourapis (2002): most blocks move like a neighbour, so a handful of
/// candidates and a small diamond find what an exhaustive search would. Rows are searched in fixed stripes, so the result
/// does not depend on the number of threads.
struct LevelSearch {
    /// Cell rows that are searched as one unit; neighbours above a stripe's first row are not consulted.
    static let stripeRows = 16

    let source: PaddedPlane
    let target: PaddedPlane
    /// Field of the next coarser level, nil on the coarsest.
    let coarse: MotionVectorField?
    /// Field of the next coarser level in the opposite direction.
    let opposite: MotionVectorField?
    /// Field of the same level for the previous pair of frames, when it continues into this one.
    let previous: MotionVectorField?
    let field: MotionVectorField
    /// Half side of the exhaustive search round the best candidate; 0 for none.
    let exhaustiveRadius: Int
    /// Cost of one pixel of deviation from the neighbours' motion.
    let smoothness: Int
    /// Per-block difference above which the block is searched again, wider.
    let retryThreshold: UInt32

    var stripes: Int { (field.rows + Self.stripeRows - 1) / Self.stripeRows }

    func run(stripe: Int) {
        let first = stripe * Self.stripeRows, last = min(field.rows, first + Self.stripeRows)
        withExtendedLifetime(self) {
            var sweep = Sweep(self, firstRow: first, lastRow: last)
            for y in first..<last {
                for x in 0..<field.columns { sweep.forwards(x, y) }
            }
            for y in (first..<last).reversed() {
                for x in (0..<field.columns).reversed() { sweep.backwards(x, y) }
            }
        }
    }
}

/// The search of one stripe, with everything it reads at hand.
private struct Sweep {
    private let vectors: UnsafeMutablePointer<MotionVector>
    private let costs: UnsafeMutablePointer<UInt32>
    private let coarse: UnsafeMutablePointer<MotionVector>?
    private let opposite: UnsafeMutablePointer<MotionVector>?
    private let previous: UnsafeMutablePointer<MotionVector>?
    private let columns: Int
    private let coarseColumns: Int
    private let coarseRows: Int
    private let firstRow: Int
    private let lastRow: Int
    private let exhaustiveRadius: Int
    private let retryThreshold: UInt32
    private var block: CandidateMatcher

    init(_ search: LevelSearch, firstRow: Int, lastRow: Int) {
        vectors = search.field.vectors.base
        costs = search.field.costs.base
        coarse = search.coarse?.vectors.base
        opposite = search.opposite?.vectors.base
        previous = search.previous?.vectors.base
        columns = search.field.columns
        coarseColumns = search.coarse?.columns ?? 0
        coarseRows = search.coarse?.rows ?? 0
        self.firstRow = firstRow
        self.lastRow = lastRow
        exhaustiveRadius = search.exhaustiveRadius
        retryThreshold = search.retryThreshold
        block = CandidateMatcher(source: search.source, target: search.target, smoothness: search.smoothness)
    }

    mutating func forwards(_ x: Int, _ y: Int) {
        block.begin(x: x &* MotionVectorField.cellSize &- 2, y: y &* MotionVectorField.cellSize &- 2)
        let at = y &* columns &+ x
        var centre = MotionVector.zero
        let cx = min(x >> 1, coarseColumns &- 1), cy = min(y >> 1, coarseRows &- 1)
        if let coarse { centre = coarse[cy &* coarseColumns &+ cx].doubled() }
        block.prediction = centre
        let around = neighbours(
            x, y, at, step: -1, hasSide: x > 0, hasBehind: y > firstRow, hasCorner: x &+ 1 < columns)
        if let coarse {
            block.consider(centre)
            let nx = min(max(cx &+ (x & 1 == 0 ? -1 : 1), 0), coarseColumns &- 1)
            let ny = min(max(cy &+ (y & 1 == 0 ? -1 : 1), 0), coarseRows &- 1)
            block.consider(coarse[cy &* coarseColumns &+ nx].doubled())
            block.consider(coarse[ny &* coarseColumns &+ cx].doubled())
            if let opposite {
                let v = coarse[cy &* coarseColumns &+ cx]
                let ox = min(max(cx &+ (Int(v.x) &+ 64) >> 7, 0), coarseColumns &- 1)
                let oy = min(max(cy &+ (Int(v.y) &+ 64) >> 7, 0), coarseRows &- 1)
                block.consider((.zero &- opposite[oy &* coarseColumns &+ ox]).doubled())
            }
        }
        block.consider(.zero)
        if let previous { block.consider(previous[at]) }
        consider(around)
        if exhaustiveRadius > 0 {
            block.searchWindow(radius: exhaustiveRadius, step: 1)
        } else if block.bestDifference > 96 {
            block.descend(steps: 6)
            if block.bestDifference > retryThreshold {
                block.searchWindow(radius: 6, step: 2)
                block.descend(steps: 4)
            }
        }
        vectors[at] = block.best
        costs[at] = block.bestDifference
    }

    /// The second time round, the cells behind in this order know what is below them.
    mutating func backwards(_ x: Int, _ y: Int) {
        let at = y &* columns &+ x
        let around = neighbours(
            x, y, at, step: 1, hasSide: x &+ 1 < columns, hasBehind: y &+ 1 < lastRow, hasCorner: x > 0)
        let own = vectors[at]
        // Nothing new to try.
        if around.side == own && around.behind == own && around.corner == own { return }
        block.begin(x: x &* MotionVectorField.cellSize &- 2, y: y &* MotionVectorField.cellSize &- 2)
        block.consider(own)
        consider(around)
        if block.bestDifference > 96 { block.descend(steps: 2) }
        vectors[at] = block.best
        costs[at] = block.bestDifference
    }

    /// Motion beside, behind and diagonally behind in the order of the sweep; sets the prediction from them.
    private mutating func neighbours(
        _ x: Int, _ y: Int, _ at: Int, step: Int, hasSide: Bool, hasBehind: Bool, hasCorner: Bool
    ) -> (side: MotionVector, behind: MotionVector, corner: MotionVector, count: Int) {
        let behind = hasBehind ? vectors[at &+ step &* columns] : .zero
        let side = hasSide ? vectors[at &+ step] : behind
        let corner = hasBehind && hasCorner ? vectors[at &+ step &* columns &- step] : hasBehind ? behind : side
        if hasSide && hasBehind {
            block.prediction = median(side, behind, corner)
        } else if hasSide || hasBehind {
            block.prediction = side
        }
        return (side, hasBehind ? behind : side, corner, hasSide || hasBehind ? 1 : 0)
    }

    private mutating func consider(
        _ around: (side: MotionVector, behind: MotionVector, corner: MotionVector, count: Int)
    ) {
        if around.count > 0 {
            block.consider(around.side)
            block.consider(around.behind)
            block.consider(around.corner)
        }
        block.evaluate()
    }
}

@inline(__always)
private func median(_ a: MotionVector, _ b: MotionVector, _ c: MotionVector) -> MotionVector {
    pointwiseMax(pointwiseMin(a, b), pointwiseMin(pointwiseMax(a, b), c))
}
