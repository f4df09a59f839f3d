import CommandLineCore
import FrameCore
import Testing

@Suite struct CutListTests {
    private func frames(_ text: String, rate: Rational? = Rational(25, 1)) throws -> [ClipPosition] {
        try CutList(text, rate: rate).entries.map(\.position)
    }

    @Test func linesAreTimesOrFrames() throws {
        let text = "# cuts\n308f  # 10.266667 s\n\n12.5\r\n1:02:03.5\n"
        #expect(
            try frames(text) == [
                .frame(308), .time(MediaTime(value: 25, timescale: 2)), .time(MediaTime(value: 7447, timescale: 2)),
            ])
        #expect(try CutList(text, rate: nil).entries.map(\.line) == [2, 4, 5])
    }

    @Test func scenesOfPySceneDetectBeginWithTheirFirstFrame() throws {
        let text = """
            Timecode List:,00:00:03.720,00:00:08.000
            Scene Number,Start Frame,Start Timecode,Start Time (seconds),End Frame
            1,1,00:00:00.000,0.000,93
            2,94,00:00:03.720,3.720,200
            3,201,00:00:08.000,8.000,300

            """
        #expect(try frames(text) == [.frame(93), .frame(200)])
    }

    @Test func editsCountFromTheFirst() throws {
        let text = """
            TITLE: Cut
            FCM: NON-DROP FRAME

            001  AX       V     C        00:00:00:00 00:00:04:00 01:00:00:00 01:00:04:00
            * FROM CLIP NAME: a.mov
            002  AX       V     C        00:00:10:00 00:00:12:12 01:00:04:00 01:00:06:12
            003  AX       V     C        00:00:10:00 00:00:12:12 01:00:06:12 01:00:09:00
            """
        #expect(try frames(text) == [.frame(100), .frame(162)])
        // Two numbers are dropped at the beginning of the second minute.
        let dropping = """
            FCM: DROP FRAME
            001 AX V C 00:00:00;00 00:01:00;02 00:00:00;00 00:01:00;02
            002 AX V C 00:00:00;00 00:00:01;00 00:01:00;02 00:01:01;02
            """
        #expect(try frames(dropping, rate: Rational(30_000, 1001)) == [.frame(1800)])
    }

    @Test(arguments: [
        ("12.5\nsoon\n", "line 2: 'soon' is not a position in a clip"), ("-3\n", "line 1: '-3' is not a position"),
        ("Scene Number,End Frame\n1,5\n", "the scene list has no column 'Start Frame'"),
        ("Scene Number,Start Frame\n1,x\n", "line 2 has no frame in the column 'Start Frame'"),
        ("TITLE: x\n", "the edit decision list has no events"),
        ("TITLE: x\n001 AX V C 0 0 0:0 0\n", "line 2 has no time such as 01:00:05:12 at 25 frames per second"),
    ])
    func whatIsNotUnderstoodIsNamed(text: String, message: String) {
        let error = #expect(throws: FrameError.self) { try CutList(text, rate: Rational(25, 1)) }
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }

    @Test func editsNeedARate() {
        #expect(throws: FrameError.self) { try CutList("TITLE: x\n001 AX V C 1 2 3 4\n", rate: nil) }
    }
}
