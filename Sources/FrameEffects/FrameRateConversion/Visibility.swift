import FrameCore
import Kernels
import Motion

/// Parameters of the blending weights by visibility. The values were chosen by hand, November 2026.
enum VisibilityParameters {
    /// Square of the difference along the vector at which the match has half its weight, in (1/16 grey level)²: four
    /// grey levels.
    static let halfDifference: Float = 4096
    /// Trust in both neighbours that comes from a perfect match, where both frames contain the position.
    static let matchedTrust: Float = 0.3
    /// Minimum trust in a neighbour that contains the position.
    static let leastTrust: Float = 0.001
    /// Trust in a neighbour that does not contain the position; above 0, so that the weights are never divided by 0.
    static let unseenTrust: Float = 0.0001
    /// Square of the distance between a neighbour's motion and the cell's at which trust falls to a quarter, in
    /// (1/32 sample)²: one sample.
    static let agreement: Float = 1024
    /// Difference along the vector above which a match explains nothing, in 1/16 grey level: twelve levels.
    static let unexplainedDifference: Int32 = 192
    /// Trust in the better neighbour below which a cell is unexplained.
    static let unexplainedTrust: Float = 0.1
    /// Weight of the second neighbour, of 256, below which the cell counts as made from the first only: a tenth.
    static let firstOnly: Int32 = 26
    /// Weight of the second neighbour, of 256, above which the cell counts as made from the second only: nine
    /// tenths.
    static let secondOnly: Int32 = 230
    /// Factor from the trust in the better neighbour to ``MotionLayer/trust``.
    static let trustScale: Float = 180
}

/// The visibility of cells in each neighbour, judged by whether the content found there moves as the cell does.
struct Visibility: Sendable {
    /// The motion from the first to the second neighbour.
    let forward: MotionVectorField
    /// The motion from the second to the first neighbour.
    let backward: MotionVectorField
    /// The phase in 1/1024.
    let t: Int32
    /// log2 of the factor by which the vectors of the judged cells are longer than those of the fields.
    let vectorShift: Int
    let context: ExecutionContext

    /// Judges the motion of a row of cells, which have half the side of the fields' cells.
    ///
    /// - Parameters:
    ///   - vectors: the motion of all cells.
    ///   - differences: the differences of the neighbours along `vectors`, as ``BilateralMatcher`` measures them.
    ///   - row: receives the judgement.
    func judge(
        _ y: Int, _ vectors: Buffer2D<MotionVector>, _ differences: Buffer2D<Int32>, into row: vfx_visibility_row
    ) -> vfx_visibility_counts {
        typealias P = VisibilityParameters
        var visibility = vfx_visibility(
            forward: forward.kernelVectors, backward: backward.kernelVectors,
            columns: Int32(forward.columns), rows: Int32(forward.rows), vector_shift: Int32(vectorShift), t: t,
            half_difference: P.halfDifference, matched_trust: P.matchedTrust, least_trust: P.leastTrust,
            unseen_trust: P.unseenTrust, agreement: P.agreement, unexplained_difference: P.unexplainedDifference,
            unexplained_trust: P.unexplainedTrust, trust_scale: P.trustScale, first_only: P.firstOnly,
            second_only: P.secondOnly)
        var row = row
        let first = y * vectors.columns
        return context.kernels.pointee.visibility_row(
            &visibility, Int32(y), vectors.kernelVectors + first, differences.base + first, Int32(vectors.columns),
            &row)
    }
}
