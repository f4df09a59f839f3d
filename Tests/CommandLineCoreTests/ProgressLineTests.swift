import CommandLineCore
import Testing

@Suite struct ProgressLineTests {
    @Test(arguments: [
        (0.0, "0:00"), (0.2, "0:01"), (59.5, "1:00"), (3599.0, "59:59"), (3600.0, "1:00:00"), (-1.0, "?"),
        (.infinity, "?"),
    ])
    func clockReads(seconds: Double, text: String) {
        #expect(ProgressLine.clock(seconds) == text)
    }

    @Test func progressReads() {
        #expect(
            ProgressLine.text(frames: 10, expected: 40, framesPerSecond: 5, secondsLeft: 6)
                == "25%  10/40 frames  5.0 frames/s  0:06 left")
        #expect(
            ProgressLine.text(frames: 10, expected: nil, framesPerSecond: 5, secondsLeft: nil)
                == "10 frames  5.0 frames/s")
        // More frames than expected show as 100 %; an expected count of 0 counts as unknown.
        #expect(
            ProgressLine.text(frames: 9, expected: 8, framesPerSecond: 0, secondsLeft: 0)
                == "100%  9/8 frames  0.0 frames/s  0:00 left")
        #expect(
            ProgressLine.text(frames: 0, expected: 0, framesPerSecond: 0, secondsLeft: nil)
                == "0 frames  0.0 frames/s")
    }
}
