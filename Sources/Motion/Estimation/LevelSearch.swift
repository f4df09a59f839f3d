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
    static let maximumDisplacement: Int32 = 1000
    /// Cost of one sample of deviation from the predicted motion on the finest level.
    static let finestSmoothness: Int32 = 8
    /// Cost of one sample of deviation from the predicted motion on the coarser levels.
    static let coarseSmoothness: Int32 = 16
    /// Deviation from the predicted motion, in samples, beyond which its cost no longer grows.
    static let maximumDeviation: Int32 = 16
    /// Radius of the exhaustive search window on the coarsest level, which has no predictions.
    static let topRadius: Int32 = 8
    /// Radius of the exhaustive search window on the level below the coarsest.
    static let secondRadius: Int32 = 5
    /// Radius of the exhaustive search window on the other levels from ``lastExhaustiveLevel`` upwards.
    static let coarseRadius: Int32 = 3
    /// The finest level that is searched exhaustively around the best candidate.
    static let lastExhaustiveLevel = 3
    /// Difference of the best candidate above which the search descends from it: 1.5 grey levels per sample.
    static let descentThreshold: UInt32 = 96
    /// Difference after the descent above which a wider window is searched: 8 grey levels per sample.
    static let retryThreshold: UInt32 = 64 * 8
    /// Longest descent from the best candidate, in samples.
    static let descentSteps: Int32 = 6
    /// Radius of the wider window.
    static let retryRadius: Int32 = 6
    /// Distance between neighbouring positions in the wider window, in samples.
    static let retryStep: Int32 = 2
    /// Longest descent from the best position in the wider window, in samples.
    static let retryDescentSteps: Int32 = 4
    /// Longest descent in the backward sweep, in samples: it starts from the result of the forward sweep.
    static let backwardDescentSteps: Int32 = 2
    /// Radius of the exhaustive search window of a search near known motion, on its coarsest level.
    static let nearRadius: Int32 = 2
    /// Largest deviation on either axis from the coarser level's vector in such a search, in samples.
    static let nearDeviation = 8
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
    let exhaustiveRadius: Int32
    /// Cost of one sample of deviation from the neighbours' motion.
    let smoothness: Int32
    /// Whether to search only near the vectors of the coarser level. Where texture repeats, others match as well.
    let staysNear: Bool
    let context: ExecutionContext

    var stripes: Int { (field.rows + SearchParameters.stripeRows - 1) / SearchParameters.stripeRows }

    /// Searches one stripe: a sweep forwards, then one backwards.
    func run(stripe: Int) {
        typealias P = SearchParameters
        let first = stripe * P.stripeRows, last = min(field.rows, first + P.stripeRows)
        withExtendedLifetime(self) {
            var search = vfx_block_search(
                source: source.bytes, target: target.bytes, source_stride: source.stride, target_stride: target.stride,
                width: Int32(target.width), height: Int32(target.height), columns: Int32(field.columns),
                vectors: field.kernelVectors, costs: field.costs.base, coarse: coarse?.kernelVectors,
                opposite: opposite?.kernelVectors, previous: previous?.kernelVectors,
                coarse_columns: Int32(coarse?.columns ?? 0), coarse_rows: Int32(coarse?.rows ?? 0),
                sad_8x8_x4: context.kernels.pointee.sad_8x8_x4, reach: Int32(LumaPyramid.blockReach),
                displacement_limit: P.maximumDisplacement, smoothness: smoothness,
                deviation_limit: P.maximumDeviation, exhaustive_radius: exhaustiveRadius,
                descent_threshold: P.descentThreshold, retry_threshold: staysNear ? .max : P.retryThreshold,
                descent_steps: P.descentSteps, retry_radius: P.retryRadius, retry_step: P.retryStep,
                retry_descent_steps: P.retryDescentSteps, backward_descent_steps: P.backwardDescentSteps)
            context.kernels.pointee.block_search_stripe(&search, Int32(first), Int32(last))
        }
        if staysNear, let coarse { for y in first..<last { returnStrays(row: y, coarse) } }
    }

    /// Gives cells that have strayed from the vectors of the coarser level these vectors again.
    ///
    /// Cells at the border whose content leaves the frame match nothing there. They may drift by a whole period, and then
    /// be the neighbours by whose motion others are predicted.
    private func returnStrays(row y: Int, _ coarse: MotionVectorField) {
        let most = Int32(SearchParameters.nearDeviation * 32), reach = Int32(LumaPyramid.blockReach)
        let top = Int32(4 * y - 2)
        for x in 0..<field.columns {
            let doubled = SIMD2<Int32>(truncatingIfNeeded: coarse.vectors.clamped(x >> 1, y >> 1)) &* 2
            var place = (doubled &+ 16) &>> 5
            let apart = SIMD2<Int32>(truncatingIfNeeded: field.vectors[x, y]) &- place &* 32
            guard max(abs(apart.x), abs(apart.y)) > most else { continue }
            let left = Int32(4 * x - 2)
            place.x = min(max(place.x, -reach - left), Int32(target.width) + reach - 8 - left)
            place.y = min(max(place.y, -reach - top), Int32(target.height) + reach - 8 - top)
            field.vectors[x, y] = MotionVector(clamping: place &* 32)
            field.costs[x, y] = context.kernels.pointee.sad_8x8(
                source.bytes + Int(top) * source.stride + Int(left), source.stride,
                target.bytes + Int(top + place.y) * target.stride + Int(left + place.x), target.stride)
        }
    }
}
