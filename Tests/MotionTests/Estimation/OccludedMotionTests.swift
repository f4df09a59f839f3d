import FrameCore
import Motion
import Testing

/// Content that a frame hides moves as it shows in the frame on the other side.
@Suite struct OccludedMotionTests {
    /// A field of 20×8 cells: the left half of one object, the right half of another, with cells in between that match
    /// nothing in the frame of `cells`.
    private static func field(
        _ vectors: (Int, Int) -> MotionVector, errors: (Int, Int) -> UInt16
    ) -> FlowField {
        let cells = MotionVectorField(width: 80, height: 32)
        let consistency = Buffer2D<UInt16>(columns: cells.columns, rows: cells.rows, filledWith: 0)
        for y in 0..<cells.rows {
            for x in 0..<cells.columns { (cells.vectors[x, y], consistency[x, y]) = (vectors(x, y), errors(x, y)) }
        }
        return FlowField(
            width: 80, height: 32, level: 0, cells: cells, consistencyErrors: consistency,
            confidence: LazyFlowConfidence(
                .init(cells, consistencyErrors: consistency, back: cells, level: 0, context: .serial)))
    }

    private static let left = MotionVector(64, -10), right = MotionVector(-90, 40)
    /// Both objects speed up: their motion from the frame before is not that to the next one.
    private static let leftBefore = MotionVector(-50, 8), rightBefore = MotionVector(70, -33)
    private static let hidden = 9..<12

    @Test(arguments: [1, 2, 3]) func hiddenCellsMoveLikeVisibleOnes(threads: Int) {
        let inner = Self.field(
            { x, _ in Self.hidden ~= x ? MotionVector(999, 999) : x < 9 ? Self.left : Self.right },
            errors: { x, _ in Self.hidden ~= x ? 500 : 3 })
        for own in [(before: Self.leftBefore, there: Self.left), (before: Self.rightBefore, there: Self.right)] {
            let outer = Self.field(
                { x, _ in Self.hidden ~= x ? own.before &+ 2 : x < 9 ? Self.leftBefore : Self.rightBefore },
                errors: { _, _ in 2 })
            let tracked = inner.occlusionsTracked(by: outer, context: .init(threads: threads))
            for y in 0..<8 {
                for x in 0..<20 {
                    let wanted = Self.hidden ~= x ? own.there : inner.cells.vectors[x, y]
                    #expect(tracked.cells.vectors[x, y] == wanted, "\(x), \(y)")
                }
            }
            #expect(tracked.consistencyErrors[10, 3] == 500, "what is hidden still ranks behind what is visible")
        }
    }

    /// Where nothing that is visible moves alike, the content goes on as it came.
    @Test func contentOfItsOwnGoesOn() {
        let inner = Self.field(
            { x, _ in Self.hidden ~= x ? .zero : Self.left }, errors: { x, _ in Self.hidden ~= x ? 65 : 3 })
        let outer = Self.field(
            { x, _ in Self.hidden ~= x ? MotionVector(600, -700) : Self.leftBefore }, errors: { _, _ in 31 })
        let tracked = inner.occlusionsTracked(by: outer, context: .serial)
        #expect(tracked.cells.vectors[10, 3] == MotionVector(-600, 700))
    }

    /// Motion that is consistent is kept, and inconsistent motion is not relied on.
    @Test func onlyDoubtfulMotionIsReplacedByReliableMotion() {
        let inner = Self.field({ _, _ in Self.left }, errors: { x, _ in x < 10 ? 64 : 900 })
        let outer = Self.field({ _, _ in Self.rightBefore }, errors: { x, _ in x < 10 ? 0 : 32 })
        #expect(inner.occlusionsTracked(by: outer, context: .serial).cells.vectors[3, 3] == Self.left)
        #expect(inner.occlusionsTracked(by: outer, context: .serial).cells.vectors[15, 3] == Self.left)
    }
}
