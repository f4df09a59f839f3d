import FrameCore
import Motion
import Pipeline
import TestSupport
import Testing

@Suite struct FrameWindowTests {
    @Test(arguments: 0...6, [1, 2, 3, 4, 8, 20])
    func givesEachPairOnceAndHoldsFewFrames(lookAhead: Int, count: Int) throws {
        let picture = try GeneratedPicture.flat(0, width: 16, height: 16)
        var window = FrameWindow()
        var finder = ScriptedTransitions(lookAhead: lookAhead, [3: .cut, 5: .duplicate])
        var pairs: [FramePair] = []
        var peak = 0
        for index in 0..<count {
            let frame = Frame(buffer: picture, presentationTime: MediaTime(value: Int64(index), timescale: 1))
            window.append(frame, settled: finder.append(0))
            peak = max(peak, window.count)
            while let pair = window.nextPair() { pairs.append(pair) }
            #expect(window.lastFrame == nil)
        }
        window.finish(settled: finder.finish())
        while let pair = window.nextPair() { pairs.append(pair) }
        #expect(pairs.map(\.index) == Array(0..<count - 1))
        #expect(pairs.map(\.source.presentationTime.value) == Array(0..<Int64(count) - 1))
        #expect(pairs.map(\.next.presentationTime.value) == Array(1..<Int64(count)))
        #expect(pairs.map(\.isLast) == (0..<count - 1).map { $0 == count - 2 })
        for pair in pairs {
            #expect(pair.transition == (pair.index == 2 ? .cut : pair.index == 4 ? .duplicate : .continuous))
        }
        #expect(window.lastFrame?.presentationTime.value == Int64(count - 1))
        #expect(peak <= FrameWindow.capacity(lookAhead: lookAhead))
        if count > lookAhead + 2 { #expect(peak == FrameWindow.capacity(lookAhead: lookAhead)) }
    }

    @Test func emptyClipHasNothing() {
        var window = FrameWindow()
        window.finish(settled: [])
        #expect(window.nextPair() == nil)
        #expect(window.lastFrame == nil)
    }
}
