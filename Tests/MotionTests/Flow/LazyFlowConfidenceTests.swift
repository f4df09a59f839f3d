import FrameCore
import Motion
import TestSupport
import Testing

/// Confidence and occlusion are computed once, by whoever reads them first.
@Suite struct LazyFlowConfidenceTests {
    private static func evidence(threads: Int) throws -> FlowConfidence.Evidence {
        let front = NoiseTexture(seed: 8), behind = NoiseTexture(seed: 9)
        let scene = MovingScene { _, x, y, t in
            abs(x - 14 * t - 80) < 40 && abs(y - 70) < 40 ? front.value(x - 14 * t, y) : behind.value(x + 5 * t, y)
        }
        let pair = try estimate(scene, width: 200, height: 150)
        let errors = pair.forward.consistencyError(with: pair.backward, threads: threads)
        return FlowConfidence.Evidence(
            pair.forward, consistencyErrors: errors, back: pair.backward, level: pair.level, threads: threads)
    }

    @Test(arguments: [1, 4]) func theFirstReadGivesWhatIsComputedAtOnce(_ threads: Int) throws {
        let evidence = try Self.evidence(threads: threads)
        let wanted = FlowConfidence(evidence), lazy = LazyFlowConfidence(evidence)
        #expect(!lazy.isComputed)
        let value = lazy.value
        #expect(lazy.isComputed)
        #expect(value.confidence.hasSameElements(as: wanted.confidence))
        #expect(value.occlusion.hasSameElements(as: wanted.occlusion))
        // There is something to tell apart.
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

    /// What a flow keeps until the first read is given up then.
    @Test func theEvidenceIsLetGo() throws {
        weak var evidence: CellGrid<UInt16>?
        let lazy: LazyFlowConfidence
        do {
            let field = CellField(width: 64, height: 48)
            let errors = field.consistencyError(with: field, threads: 1)
            evidence = errors
            lazy = LazyFlowConfidence(
                .init(field, consistencyErrors: errors, back: field, level: 0, threads: 1))
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
        // The same cells enlarged share the result; the other direction is untouched.
        #expect(flow.forward.isConfidenceComputed && larger.forward.isConfidenceComputed)
        #expect(!flow.backward.isConfidenceComputed)
    }
}
