import FrameCore
import FrameEffects
import Motion
import Testing

/// Known vector fields splatted to a phase, and the cells they reach.
@Suite struct ForwardSplatTests {
    private struct Field {
        let cells: MotionVectorField
        let errors: Buffer2D<UInt16>

        init(
            _ columns: Int, _ rows: Int, error: (Int, Int) -> UInt16 = { _, _ in 0 },
            _ motion: (Int, Int) -> MotionVector
        ) {
            cells = MotionVectorField(width: 4 * columns, height: 4 * rows)
            errors = Buffer2D(columns: columns, rows: rows, filledWith: 0)
            for y in 0..<rows {
                for x in 0..<columns {
                    cells.vectors[x, y] = motion(x, y)
                    errors[x, y] = error(x, y)
                }
            }
        }
    }

    /// The motion of a cell that never lands inside the picture.
    private static let away: MotionVector = [MotionVector.limit, MotionVector.limit]

    private static func splat(_ forward: Field, _ backward: Field?, share: Int32) -> (
        ForwardSplat, Buffer2D<MotionVector>
    ) {
        let splat = ForwardSplat(
            forward: (forward.cells, forward.errors), backward: backward.map { ($0.cells, $0.errors) }, t: share)
        splat.splat(context: .serial)
        return (splat, splat.filled())
    }

    /// A uniform motion gives that motion in every cell, including at the ends of bands and in cells that no splat
    /// reaches.
    @Test(
        arguments: [
            MotionVector(0, 0), MotionVector(128, 0), MotionVector(-77, 300), MotionVector(1000, -2000),
            MotionVector(3, 5),
        ],
        [Int32(1), 256, 512, 900])
    func uniformMotion(_ v: MotionVector, _ share: Int32) {
        let (_, both) = Self.splat(Field(21, 50) { _, _ in v }, Field(21, 50) { _, _ in .zero &- v }, share: share)
        let (_, alone) = Self.splat(Field(21, 50) { _, _ in v }, nil, share: share)
        for y in 0..<50 {
            for x in 0..<21 {
                #expect(both[x, y] == v, "\(x), \(y)")
                #expect(alone[x, y] == v, "\(x), \(y)")
            }
        }
    }

    @Test(arguments: [Int32(512), 768, 1024]) func oneCellIsSplattedWhereItIsThen(_ share: Int32) {
        // Two cells to the right and four cells down between the two frames.
        let (splat, _) = Self.splat(
            Field(12, 40) { x, y in x == 4 && y == 14 ? [256, 512] : Self.away }, nil, share: share)
        var reached: [SIMD2<Int>] = []
        for y in 0..<40 { for x in 0..<12 where splat.rank[x, y] != .max { reached.append([x, y]) } }
        switch share {
        case 512: #expect(reached == [[5, 16]])
        case 1024: #expect(reached == [[6, 18]])
        // Halfway between cells 5 and 6.
        default: #expect(reached == [[5, 17], [6, 17]])
        }
    }

    /// When two motions reach one cell, the consistent one wins, whichever comes first.
    @Test(arguments: [true, false]) func collisions(_ leftIsRight: Bool) {
        let left: MotionVector = [256, 0], right: MotionVector = [-256, 0]
        let field = Field(
            9, 3, error: { x, _ in (x < 4) == leftIsRight ? 2 : 400 },
            { x, y in y != 1 ? Self.away : x == 3 ? left : x == 5 ? right : Self.away })
        let (splat, vectors) = Self.splat(field, nil, share: 512)
        #expect(vectors[4, 1] == (leftIsRight ? left : right))
        #expect(splat.rank[4, 1] == 8)
        #expect(splat.rank[3, 1] == .max)
    }

    /// Motions that agree with the winner are averaged with it; the others are ignored.
    @Test func whoAgreesIsAveraged() {
        let forward = Field(9, 3) { x, y in x == 4 && y == 1 ? [8, 0] : Self.away }
        let near = Field(9, 3) { x, y in x == 4 && y == 1 ? [-16, 0] : Self.away }
        let far = Field(9, 3, error: { _, _ in 50 }) { x, y in x == 4 && y == 1 ? [-100, 0] : Self.away }
        #expect((10...14).contains(Self.splat(forward, near, share: 512).1[4, 1].x))
        #expect(Self.splat(forward, far, share: 512).1[4, 1] == [8, 0])
    }

    /// Cells that no splat reaches take the motion of their surroundings.
    @Test func holesFollowTheirSurroundings() {
        // A square of cells moves to the right over a still background and uncovers what was behind it.
        let field = Field(40, 20) { x, y in (10..<16).contains(x) && (6..<12).contains(y) ? [1536, 0] : .zero }
        let (splat, vectors) = Self.splat(field, nil, share: 512)
        for y in 0..<20 {
            for x in 0..<40 {
                let inside = (16..<22).contains(x) && (6..<12).contains(y)
                if splat.rank[x, y] == .max {
                    #expect((10..<16).contains(x) && (6..<12).contains(y))
                    #expect((0...1536).contains(vectors[x, y].x) && vectors[x, y].y == 0)
                } else if !inside {
                    #expect(vectors[x, y] == .zero, "\(x), \(y)")
                }
            }
        }
        #expect(splat.rank[12, 8] == .max)
        // These cells are closer to the background, at the left and the upper side.
        #expect(vectors[10, 8] == .zero && vectors[12, 6] == .zero)
    }

    /// All motion leaves the picture, so every cell has zero motion.
    @Test func nothingIsSplatted() {
        let (_, vectors) = Self.splat(Field(5, 4) { _, _ in Self.away }, nil, share: 512)
        for y in 0..<4 { for x in 0..<5 { #expect(vectors[x, y] == .zero) } }
    }
}
