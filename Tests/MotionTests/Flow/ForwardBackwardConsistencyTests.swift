import FrameCore
import Motion
import TestSupport
import Testing

/// Forward–backward consistency errors of cells.
@Suite struct ForwardBackwardConsistencyTests {
    /// A field of so many cells drawn from a function.
    private static func field(
        _ columns: Int, _ rows: Int, _ motion: (Int, Int) -> MotionVector
    ) -> CellField {
        let field = CellField(width: 4 * columns, height: 4 * rows)
        for y in 0..<rows { for x in 0..<columns { field.vectors[x, y] = motion(x, y) } }
        return field
    }

    @Test(arguments: [1, 2, 5]) func oppositeMotionIsConsistent(_ threads: Int) {
        let there = Self.field(20, 37) { _, _ in [77, -350] }, back = Self.field(20, 37) { _, _ in [-77, 350] }
        let errors = there.consistencyError(with: back, threads: threads)
        #expect(errors.columns == 20 && errors.rows == 37)
        for y in 0..<37 { for x in 0..<20 { #expect(errors[x, y] == 0) } }
    }

    @Test func theErrorIsTheLengthOfTheSum() {
        let there = Self.field(9, 7) { _, _ in [100, 40] }, back = Self.field(9, 7) { _, _ in [-70, 0] }
        let errors = there.consistencyError(with: back, threads: 1)
        // (30, 40) is 50 long.
        for y in 0..<7 { for x in 0..<9 { #expect(errors[x, y] == 50) } }
        let extreme = Self.field(3, 3) { _, _ in [MotionVector.limit, MotionVector.limit] }
        // Longer than 16 bits hold.
        #expect(extreme.consistencyError(with: extreme, threads: 1)[1, 1] == 65535)
    }

    /// The backward motion is read where the forward motion leads, between cells linearly.
    @Test func backwardMotionIsReadWhereForwardMotionLeads() {
        // One cell and a half to the right, two cells down.
        let there = Self.field(12, 10) { _, _ in [192, 256] }
        let back = Self.field(12, 10) { x, y in [Int16(-192 - 10 * x), Int16(-256 + 20 * y)] }
        let errors = there.consistencyError(with: back, threads: 1)
        for y in 0..<7 {
            for x in 0..<9 {
                let e = SIMD2(10 * (Double(x) + 1.5), 20 * Double(y + 2))
                let wanted = (e.x * e.x + e.y * e.y).squareRoot()
                #expect(abs(Double(errors[x, y]) - wanted) <= 1, "cell \(x), \(y)")
            }
        }
        // Beyond the last centre the field goes on as it is there.
        #expect(errors[11, 9] == UInt16((110.0 * 110 + 180 * 180).squareRoot()))
    }

    @Test func sampling() {
        let field = Self.field(3, 2) { x, y in [Int16(128 * x), Int16(-64 * y)] }
        #expect(field.sample(x: 0, y: 0) == [0, 0])
        #expect(field.sample(x: 64, y: 0) == [64, 0])
        #expect(field.sample(x: 128, y: 128) == [128, -64])
        #expect(field.sample(x: 192, y: 32) == [192, -16])
        #expect(field.sample(x: -500, y: -1) == [0, 0])
        #expect(field.sample(x: 9999, y: 9999) == [256, -64])
    }

    /// Cells of a real pair are consistent where both pictures show them, and not where one covers them.
    @Test func occlusionShows() throws {
        let front = NoiseTexture(seed: 8), behind = NoiseTexture(seed: 9)
        let scene = MovingScene { _, x, y, t in
            abs(x - 24 * t - 120) < 50 && abs(y - 100) < 50 ? front.value(x - 24 * t, y) : behind.value(x, y)
        }
        let pair = try estimate(scene, width: 300, height: 200)
        let errors = pair.forward.consistencyError(with: pair.backward, threads: 2)
        var seen: [Int] = [], covered: [Int] = []
        for y in 0..<errors.rows {
            for x in 0..<errors.columns {
                let (px, py) = (4 * x + 2, 4 * y + 2)
                if abs(py - 100) < 40, px > 174, px < 190 { covered.append(Int(errors[x, y])) }
                if px > 210 || px < 60 || (abs(px - 120) < 40 && abs(py - 100) < 40) { seen.append(Int(errors[x, y])) }
            }
        }
        #expect(seen.sorted()[seen.count * 95 / 100] <= 8)
        #expect(covered.sorted()[covered.count / 4] > 32)
    }
}
