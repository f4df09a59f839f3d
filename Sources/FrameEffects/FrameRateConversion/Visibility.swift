import FrameCore
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
    static let firstOnly: Int16 = 26
    /// Weight of the second neighbour, of 256, above which the cell counts as made from the second only: nine
    /// tenths.
    static let secondOnly: Int16 = 230
    /// Factor from the trust in the better neighbour to ``VisibilityJudgement/trust``.
    static let trustScale: Float = 180
    /// Cell rows that are weighed as one unit.
    static let bandRows = 16
}

/// How well a motion explains a cell, and which neighbour shows its content.
struct VisibilityJudgement {
    /// Blending weight of the second neighbour, 0…256.
    var weight: Int16
    /// Share of the second neighbour in the trust, 0…256: ``weight`` at the phase 0.5.
    var share: Int16
    /// Trust in the better neighbour, 0…255.
    var trust: Int16
    /// Whether neither neighbour shows content that moves like this, and the two do not match along the motion.
    var isUnexplained: Bool
}

/// The visibility of a cell in each neighbour, judged by whether the content found there moves as the cell does.
struct Visibility: Sendable {
    /// The motion from the first to the second neighbour.
    let forward: MotionVectorField
    /// The motion from the second to the first neighbour.
    let backward: MotionVectorField
    /// The phase in 1/1024.
    let t: Int32
    /// log2 of the side of the judged cells in samples of the fields' level.
    let cellLog2: Int
    /// log2 of the factor by which the vectors of the judged cells are longer than those of the fields.
    let vectorShift: Int

    /// Judges a motion of a cell.
    ///
    /// - Parameters:
    ///   - v: the motion.
    ///   - x: the column of the cell.
    ///   - y: the row of the cell.
    ///   - difference: the difference of the neighbours along `v`, as ``BilateralMatcher`` measures it.
    @inline(__always)
    func judgement(_ v: MotionVector, x: Int, y: Int, difference: Int32) -> VisibilityJudgement {
        let wide = SIMD2<Int32>(truncatingIfNeeded: v) &>> Int32(vectorShift)
        // Centre of the cell in 1/128 motion cells from the centre of the first one.
        let cx = Int32((2 * x + 1) << (cellLog2 + 4)) &- 64, cy = Int32((2 * y + 1) << (cellLog2 + 4)) &- 64
        let ax = cx &- (wide.x &* t) >> 10, ay = cy &- (wide.y &* t) >> 10
        let bx = ax &+ wide.x, by = ay &+ wide.y
        let fromA = forward.sample(x: ax, y: ay) &- wide
        let fromB = backward.sample(x: bx, y: by) &+ wide
        typealias P = VisibilityParameters
        let d = Float(difference) * Float(difference) * (1 / P.halfDifference)
        let limitX = Int32(forward.columns) &* 128 &- 64, limitY = Int32(forward.rows) &* 128 &- 64
        func isSeen(_ x: Int32, _ y: Int32) -> Bool { x >= -64 && y >= -64 && x <= limitX && y <= limitY }
        let isSeenByBoth = isSeen(ax, ay) && isSeen(bx, by)
        // If `v` leaves a frame, the difference says nothing; only the motion found in the other frame can explain the
        // cell.
        let matched: Float = isSeenByBoth ? P.leastTrust + P.matchedTrust / (1 + d * d) : P.leastTrust
        func trust(_ e: SIMD2<Int32>, _ x: Int32, _ y: Int32) -> Float {
            guard isSeen(x, y) else { return P.unseenTrust }
            let q = 1 + (Float(e.x) * Float(e.x) + Float(e.y) * Float(e.y)) * (1 / P.agreement)
            return 1 / (q * q) + matched
        }
        let phase = Float(t) / 1024
        let trustA = trust(fromA, ax, ay), trustB = trust(fromB, bx, by)
        let w0 = trustA * (1 - phase), w1 = trustB * phase, most = max(trustA, trustB)
        return VisibilityJudgement(
            weight: Int16(256 * w1 / (w0 + w1) + 0.5), share: Int16(256 * trustB / (trustA + trustB) + 0.5),
            trust: Int16(min(P.trustScale * most, 255)),
            isUnexplained: (difference > P.unexplainedDifference || !isSeenByBoth) && most < P.unexplainedTrust)
    }
}
