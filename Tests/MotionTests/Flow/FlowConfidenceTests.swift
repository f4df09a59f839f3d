import FrameCore
import Motion
import TestSupport
import Testing

/// Confidence and occlusion are computed once, by the first read.
@Suite struct FlowConfidenceTests {
    private static func evidence(threads: Int) throws -> FlowConfidence.Evidence {
        let front = NoiseTexture(seed: 8), behind = NoiseTexture(seed: 9)
        let scene = MovingScene { _, x, y, t in
            abs(x - 14 * t - 80) < 40 && abs(y - 70) < 40 ? front.value(x - 14 * t, y) : behind.value(x + 5 * t, y)
        }
        let pair = try estimate(scene, width: 200, height: 150)
        let errors = pair.forward.consistencyError(with: pair.backward, context: .init(threads: threads))
        return FlowConfidence.Evidence(
            pair.forward, consistencyErrors: errors, back: pair.backward, level: pair.level,
            context: .init(threads: threads))
    }

    @Test(arguments: [1, 4]) func theFirstReadGivesWhatIsComputedAtOnce(_ threads: Int) throws {
        let evidence = try Self.evidence(threads: threads)
        let wanted = FlowConfidence(evidence), lazy = LazyFlowConfidence(evidence)
        #expect(!lazy.isComputed)
        let value = lazy.value
        #expect(lazy.isComputed)
        #expect(value.confidence.hasSameElements(as: wanted.confidence))
        #expect(value.occlusion.hasSameElements(as: wanted.occlusion))
        // The maps are not uniform.
        let cells = 0..<value.occlusion.columns * value.occlusion.rows
        #expect(cells.contains { value.occlusion.base[$0] > 200 } && cells.contains { value.confidence.base[$0] > 250 })
    }

    @Test func readersAtTheSameTimeShareOneResult() throws {
        let lazy = LazyFlowConfidence(try Self.evidence(threads: 2))
        let places = Lock<Set<ObjectIdentifier>>([])
        parallelFor(16, threads: 8) { _ in
            let place = ObjectIdentifier(lazy.value.confidence)
            places.withLock { _ = $0.insert(place) }
        }
        #expect(places.withLock { $0.count } == 1)
    }

    /// The data that a flow keeps for the first read is released then.
    @Test func theEvidenceIsLetGo() throws {
        weak var evidence: Buffer2D<UInt16>?
        let lazy: LazyFlowConfidence
        do {
            let field = MotionVectorField(width: 64, height: 48)
            let errors = field.consistencyError(with: field, context: .serial)
            evidence = errors
            lazy = LazyFlowConfidence(
                .init(field, consistencyErrors: errors, back: field, level: 0, context: .serial))
        }
        #expect(evidence != nil)
        _ = lazy.value
        #expect(evidence == nil)
    }

    /// Neither estimating a flow nor using its motion computes the maps.
    @Test func motionAloneDoesNotComputeThem() throws {
        let flow = try flowOf(.translation(3, -2), width: 96, height: 64)
        _ = flow.forward.dense()
        _ = flow.forward.vector(x: 9, y: 9)
        let larger = try #require(flow.scaled(width: 192, height: 128))
        #expect(!flow.forward.isConfidenceComputed && !flow.backward.isConfidenceComputed)
        #expect(larger.forward.confidence(column: 4, row: 4) == flow.forward.confidence(column: 4, row: 4))
        // The same cells with a larger size share the result; the other direction is unaffected.
        #expect(flow.forward.isConfidenceComputed && larger.forward.isConfidenceComputed)
        #expect(!flow.backward.isConfidenceComputed)
    }
}

/// Forward–backward consistency errors of cells.
@Suite struct ForwardBackwardConsistencyTests {
    /// Makes a field of this size from a function.
    private static func field(
        _ columns: Int, _ rows: Int, _ motion: (Int, Int) -> MotionVector
    ) -> MotionVectorField {
        let field = MotionVectorField(width: 4 * columns, height: 4 * rows)
        for y in 0..<rows { for x in 0..<columns { field.vectors[x, y] = motion(x, y) } }
        return field
    }

    @Test(arguments: [1, 2, 5]) func oppositeMotionIsConsistent(_ threads: Int) {
        let there = Self.field(20, 37) { _, _ in [77, -350] }, back = Self.field(20, 37) { _, _ in [-77, 350] }
        let errors = there.consistencyError(with: back, context: .init(threads: threads))
        #expect(errors.columns == 20 && errors.rows == 37)
        for y in 0..<37 { for x in 0..<20 { #expect(errors[x, y] == 0) } }
    }

    @Test func theErrorIsTheLengthOfTheSum() {
        let there = Self.field(9, 7) { _, _ in [100, 40] }, back = Self.field(9, 7) { _, _ in [-70, 0] }
        let errors = there.consistencyError(with: back, context: .serial)
        // The length of (30, 40) is 50.
        for y in 0..<7 { for x in 0..<9 { #expect(errors[x, y] == 50) } }
        let extreme = Self.field(3, 3) { _, _ in [MotionVector.limit, MotionVector.limit] }
        // Longer than 16 bits can hold.
        #expect(extreme.consistencyError(with: extreme, context: .serial)[1, 1] == 65535)
    }

    /// The backward motion is read where the forward motion leads, interpolated linearly between cells.
    @Test func backwardMotionIsReadWhereForwardMotionLeads() {
        // One and a half cells to the right, two cells down.
        let there = Self.field(12, 10) { _, _ in [192, 256] }
        let back = Self.field(12, 10) { x, y in [Int16(-192 - 10 * x), Int16(-256 + 20 * y)] }
        let errors = there.consistencyError(with: back, context: .serial)
        for y in 0..<7 {
            for x in 0..<9 {
                let e = SIMD2(10 * (Double(x) + 1.5), 20 * Double(y + 2))
                let wanted = (e.x * e.x + e.y * e.y).squareRoot()
                #expect(abs(Double(errors[x, y]) - wanted) <= 1, "cell \(x), \(y)")
            }
        }
        // Beyond the last cell centre the field is constant.
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

    /// Cells of a real pair are consistent where both pictures show them, and inconsistent where one covers them.
    @Test func occlusionShows() throws {
        let front = NoiseTexture(seed: 8), behind = NoiseTexture(seed: 9)
        let scene = MovingScene { _, x, y, t in
            abs(x - 24 * t - 120) < 50 && abs(y - 100) < 50 ? front.value(x - 24 * t, y) : behind.value(x, y)
        }
        let pair = try estimate(scene, width: 300, height: 200)
        let errors = pair.forward.consistencyError(with: pair.backward, context: .init(threads: 2))
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
