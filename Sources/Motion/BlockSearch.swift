import FrameCore
import Kernels

/// Whole-pixel block matching on one pyramid level: predictors first, then a small descent from the best.
///
/// After the enhanced predictive zonal search of A. Tourapis (2002): most blocks move like a neighbour, so a handful of
/// candidates and a small diamond find what an exhaustive search would. Rows are searched in fixed stripes, so the result
/// does not depend on the number of threads.
struct BlockSearch {
    /// Cell rows that are searched as one unit; neighbours above a stripe's first row are not consulted.
    static let stripeRows = 16

    let source: PaddedPlane
    let target: PaddedPlane
    /// Field of the next coarser level, nil on the coarsest.
    let coarse: CellField?
    /// Field of the next coarser level in the opposite direction.
    let opposite: CellField?
    /// Field of the same level for the previous pair of frames, when it continues into this one.
    let previous: CellField?
    let field: CellField
    /// Half side of the exhaustive search round the best candidate; 0 for none.
    let exhaustiveRadius: Int
    /// Cost of one pixel of deviation from the neighbours' motion.
    let smoothness: Int
    /// Per-block difference above which the block is searched again, wider.
    let retryThreshold: UInt32

    var stripes: Int { (field.rows + Self.stripeRows - 1) / Self.stripeRows }

    func run(stripe: Int) {
        let first = stripe * Self.stripeRows, last = min(field.rows, first + Self.stripeRows)
        var block = BlockMatcher(source: source, target: target, smoothness: smoothness)
        for y in first..<last {
            for x in 0..<field.columns { search(x, y, &block, firstRow: first, lastRow: last, reversed: false) }
        }
        for y in (first..<last).reversed() {
            for x in (0..<field.columns).reversed() { search(x, y, &block, firstRow: first, lastRow: last, reversed: true) }
        }
    }

    @inline(__always)
    private func search(_ x: Int, _ y: Int, _ block: inout BlockMatcher, firstRow: Int, lastRow: Int, reversed: Bool) {
        let vectors = field.vectors, columns = field.columns
        block.begin(x: x * CellField.cellSize - 2, y: y * CellField.cellSize - 2)
        let step = reversed ? 1 : -1
        let hasSide = reversed ? x + 1 < columns : x > 0
        let hasBehind = reversed ? y + 1 < lastRow : y > firstRow
        let hasCorner = hasBehind && (reversed ? x > 0 : x + 1 < columns)
        let side = hasSide ? vectors[x + step, y] : .zero
        let behind = hasBehind ? vectors[x, y + step] : side
        let corner = hasCorner ? vectors[x - step, y + step] : behind
        var centre = MotionVector.zero
        if let coarse { centre = coarse.vectors[min(x >> 1, coarse.columns - 1), min(y >> 1, coarse.rows - 1)].doubled() }
        if hasSide || hasBehind {
            block.prediction = hasSide && hasBehind ? median(side, behind, corner) : hasSide ? side : behind
        } else {
            block.prediction = centre
        }
        if reversed {
            block.consider(vectors[x, y])
        } else {
            if coarse == nil { block.consider(.zero) }
            if let coarse {
                let cx = min(x >> 1, coarse.columns - 1), cy = min(y >> 1, coarse.rows - 1)
                block.consider(centre)
                let nx = min(max(cx + (x & 1 == 0 ? -1 : 1), 0), coarse.columns - 1)
                let ny = min(max(cy + (y & 1 == 0 ? -1 : 1), 0), coarse.rows - 1)
                block.consider(coarse.vectors[nx, cy].doubled())
                block.consider(coarse.vectors[cx, ny].doubled())
                if let opposite {
                    let v = coarse.vectors[cx, cy]
                    let back = opposite.vectors.clamped(
                        cx + (Int(v.x) + 64) >> 7, cy + (Int(v.y) + 64) >> 7)
                    block.consider((.zero &- back).doubled())
                }
                block.consider(.zero)
            }
            if let previous { block.consider(previous.vectors[x, y]) }
        }
        if hasSide { block.consider(side) }
        if hasBehind { block.consider(behind) }
        if hasCorner { block.consider(corner) }
        block.evaluate()
        if !reversed, exhaustiveRadius > 0 {
            block.searchWindow(radius: exhaustiveRadius, step: 1)
        } else if block.bestDifference > 24 {
            block.descend(steps: reversed ? 2 : 6)
            if !reversed, block.bestDifference > retryThreshold {
                block.searchWindow(radius: 6, step: 2)
                block.descend(steps: 4)
            }
        }
        vectors[x, y] = block.best
        field.costs[x, y] = block.bestDifference
    }
}

@inline(__always)
private func median(_ a: MotionVector, _ b: MotionVector, _ c: MotionVector) -> MotionVector {
    pointwiseMax(pointwiseMin(a, b), pointwiseMin(pointwiseMax(a, b), c))
}
