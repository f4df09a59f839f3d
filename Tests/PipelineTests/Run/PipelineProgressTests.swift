import Pipeline
import Testing

@Suite struct PipelineProgressTests {
    @Test func speedAndTimeLeftFollowFromTheCounts() {
        let known = PipelineProgress(framesRead: 5, framesWritten: 10, expectedFrames: 40, seconds: 2)
        #expect(known.framesPerSecond == 5)
        #expect(known.secondsLeft == 6)
        let unknown = PipelineProgress(framesRead: 5, framesWritten: 10, expectedFrames: nil, seconds: 2)
        #expect(unknown.framesPerSecond == 5)
        #expect(unknown.secondsLeft == nil)
        // With more frames than expected no time is left, and at the start there is no speed yet.
        #expect(PipelineProgress(framesRead: 9, framesWritten: 9, expectedFrames: 8, seconds: 1).secondsLeft == 0)
        let start = PipelineProgress(framesRead: 0, framesWritten: 0, expectedFrames: 8, seconds: 0)
        #expect(start.framesPerSecond == 0)
        #expect(start.secondsLeft == nil)
    }
}
