import FrameEffects
import Pipeline
import Testing

@Suite struct MotionChainTests {
    @Test func runsOnAndRestartsAtFixedPlaces() {
        var chain = MotionChain()
        let continued = (0..<1000).map { chain.advance(toPair: $0) }
        for (index, value) in continued.enumerated() {
            #expect(value == (index.isMultiple(of: 240) ? .none : .follows))
        }
        #expect(MotionChain.restartInterval <= 250)
    }

    @Test func breaksWhereAPairIsLeftOut() {
        var chain = MotionChain()
        let continued = [1, 2, 4, 5, 9].map { chain.advance(toPair: $0) }
        #expect(continued == [.none, .follows, .none, .follows, .none])
    }

    @Test func breaksOnBothSidesOfAFlash() {
        var chain = MotionChain()
        let continued = [(1, false), (2, true), (3, true), (4, false), (5, false)].map {
            chain.advance(toPair: $0.0, isFlash: $0.1)
        }
        #expect(continued == [.none, .none, .none, .none, .follows])
    }

    @Test func furtherCallsForAPairAreKnownAsSuch() {
        var chain = MotionChain()
        let continued = [7, 7, 7, 8].map { chain.advance(toPair: $0) }
        #expect(continued == [.none, .samePair, .samePair, .follows])
    }
}
