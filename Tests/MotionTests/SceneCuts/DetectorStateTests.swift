import FrameCore
import Motion
import Testing

/// A detector that continues from the state of another must find the same as the other.
@Suite struct DetectorStateTests {
    /// Cuts, a flash, a duplicate, and white frames for longer than the look-ahead.
    private static let signatures: Result<[FrameSignature], any Error> = Result {
        var clip = DrawnScene(seed: 1, speedX: 2).pictures(0..<14) + DrawnScene(seed: 2).pictures(0..<12)
        clip[6] = clip[6].lit(gain: 2, offset: 90)
        clip[9] = clip[8]
        clip += (0..<9).map { _ in Picture(width: 192, height: 108, level: 235) }
        clip += DrawnScene(seed: 3, speedX: -3).pictures(0..<12)
        return try clip.map { FrameSignature(try $0.buffer(.yuv420p8)) }
    }

    @Test func `A state continues as if nothing had happened`() throws {
        let signatures = try Self.signatures.get()
        var whole = SceneCutDetector()
        let expected = signatures.flatMap { whole.append($0) } + whole.finish()
        #expect(expected.contains { $0.kind == .cut } && expected.contains { $0.isFlash })
        #expect(expected.contains { $0.kind == .duplicate })
        for split in 0...signatures.count {
            var first = SceneCutDetector()
            var found = signatures[..<split].flatMap { first.append($0) }
            var second = try #require(SceneCutDetector(state: first.state), "\(split)")
            #expect(second.state == first.state)
            found += signatures[split...].flatMap { second.append($0) } + second.finish()
            #expect(found == expected, "\(split)")
        }
    }

    @Test func `The causal detector continues too`() throws {
        let signatures = try Self.signatures.get()
        let pairs = Array(zip(signatures, signatures.dropFirst()))
        var whole = CausalSceneCutDetector()
        let expected = pairs.map { whole.isCut($0, $1) }
        #expect(expected.contains(true))
        for split in [1, 7, 20] {
            var first = CausalSceneCutDetector()
            var found = pairs[..<split].map { first.isCut($0, $1) }
            var second = try #require(CausalSceneCutDetector(state: first.state))
            found += pairs[split...].map { second.isCut($0, $1) }
            #expect(found == expected, "\(split)")
        }
    }

    @Test func `Bytes that are no state are rejected`() throws {
        var detector = SceneCutDetector()
        for signature in try Self.signatures.get().prefix(20) { _ = detector.append(signature) }
        let state = detector.state
        #expect(SceneCutDetector(state: state) != nil)
        for length in [0, 3, 4, 100, state.count / 2, state.count - 1] {
            #expect(SceneCutDetector(state: Array(state[..<length])) == nil, "\(length)")
        }
        var other = state
        other[0] = 2
        #expect(SceneCutDetector(state: other) == nil)
        // Whatever the bytes are, a state that is accepted must be usable.
        let signature = try #require(try Self.signatures.get().first)
        for place in stride(from: 4, to: state.count, by: 3989) {
            var damaged = state
            damaged[place] ^= 0xFF
            guard var found = SceneCutDetector(state: damaged) else { continue }
            for _ in 0..<12 { _ = found.append(signature) }
            _ = found.finish()
        }
    }
}
