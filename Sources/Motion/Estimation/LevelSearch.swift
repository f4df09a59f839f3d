import FrameCore
import Kernels

/// Parameters of the block search on one pyramid level.
///
/// Differences are sums over the 8×8 samples of a block at 8 bits; displacements are in whole samples of the level. The
/// values were chosen by hand, November 2026.
enum SearchParameters {
    /// Cell rows that are searched as one unit; neighbours above a stripe's first row are not used.
    static let stripeRows = 16
    /// Largest displacement on either axis.
    static let maximumDisplacement = 1000
    /// Cost of one sample of deviation from the predicted motion on the finest level.
    static let finestSmoothness = 8
    /// Cost of one sample of deviation from the predicted motion on the coarser levels.
    static let coarseSmoothness = 16
    /// Deviation from the predicted motion, in samples, beyond which its cost no longer grows.
    static let maximumDeviation = 16
    /// Radius of the exhaustive search window on the coarsest level, which has no predictions.
    static let topRadius = 8
    /// Radius of the exhaustive search window on the level below the coarsest.
    static let secondRadius = 5
    /// Radius of the exhaustive search window on the other levels from ``lastExhaustiveLevel`` upwards.
    static let coarseRadius = 3
    /// The finest level that is searched exhaustively around the best candidate.
    static let lastExhaustiveLevel = 3
    /// Difference of the best candidate above which the search descends from it: 1.5 grey levels per sample.
    static let descentThreshold: UInt32 = 96
    /// Difference after the descent above which a wider window is searched: 8 grey levels per sample.
    static let retryThreshold: UInt32 = 64 * 8
    /// Longest descent from the best candidate, in samples.
    static let descentSteps = 6
    /// Radius of the wider window.
    static let retryRadius = 6
    /// Distance between neighbouring positions in the wider window, in samples.
    static let retryStep = 2
    /// Longest descent from the best position in the wider window, in samples.
    static let retryDescentSteps = 4
    /// Longest descent in the backward sweep, in samples: it starts from the result of the forward sweep.
    static let backwardDescentSteps = 2
}

/// Whole-pixel block matching on one pyramid level: tests predictors, then descends from the best one.
///
/// Follows the enhanced predictive zonal search of A. Tourapis (2002): most blocks move like a neighbour, so a few
/// candidates and a small diamond find what an exhaustive search would find. Rows are searched in fixed stripes, so the
/// result does not depend on the number of threads.
struct LevelSearch {
    let source: PaddedPlane
    let target: PaddedPlane
    /// The field of the next coarser level; nil on the coarsest.
    let coarse: MotionVectorField?
    /// The field of the next coarser level in the opposite direction; nil on the coarsest.
    let opposite: MotionVectorField?
    /// The field of this level for the previous pair of frames; nil unless that pair ends where this one begins.
    let previous: MotionVectorField?
    /// Receives the vectors and their costs.
    let field: MotionVectorField
    /// Radius of the exhaustive search window around the best candidate, in samples; 0 for no such search.
    let exhaustiveRadius: Int
    /// Cost of one sample of deviation from the neighbours' motion.
    let smoothness: Int

    var stripes: Int { (field.rows + SearchParameters.stripeRows - 1) / SearchParameters.stripeRows }

    /// Searches one stripe: a sweep forwards, then one backwards.
    func run(stripe: Int) {
        let first = stripe * SearchParameters.stripeRows
        let last = min(field.rows, first + SearchParameters.stripeRows)
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

/// The search of one stripe. Holds plain pointers to everything it reads, which avoids reference counting.
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
        block = CandidateMatcher(source: search.source, target: search.target, smoothness: search.smoothness)
    }

    /// Searches a cell with the cells to the left and above as predictors.
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
        } else if block.bestDifference > SearchParameters.descentThreshold {
            block.descend(steps: SearchParameters.descentSteps)
            if block.bestDifference > SearchParameters.retryThreshold {
                block.searchWindow(radius: SearchParameters.retryRadius, step: SearchParameters.retryStep)
                block.descend(steps: SearchParameters.retryDescentSteps)
            }
        }
        vectors[at] = block.best
        costs[at] = block.bestDifference
    }

    /// Searches a cell again, in reverse order: now the cells to the right and below are predictors.
    mutating func backwards(_ x: Int, _ y: Int) {
        let at = y &* columns &+ x
        let around = neighbours(
            x, y, at, step: 1, hasSide: x &+ 1 < columns, hasBehind: y &+ 1 < lastRow, hasCorner: x > 0)
        let own = vectors[at]
        if around.side == own && around.behind == own && around.corner == own { return }
        block.begin(x: x &* MotionVectorField.cellSize &- 2, y: y &* MotionVectorField.cellSize &- 2)
        block.consider(own)
        consider(around)
        if block.bestDifference > SearchParameters.descentThreshold {
            block.descend(steps: SearchParameters.backwardDescentSteps)
        }
        vectors[at] = block.best
        costs[at] = block.bestDifference
    }

    /// Returns the motion of the cells that precede this one in the sweep, and sets the prediction from it.
    ///
    /// - Returns: `side` is the neighbour in the row, `behind` the one in the column, `corner` the diagonal one;
    ///   `count` is 0 when there are no such cells.
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
