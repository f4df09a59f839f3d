import FrameCore
import Testing

struct TimeCodeTests {
    private static let ntsc = Rational(30000, 1001)

    @Test(arguments: [
        ("10:00:00:00", Rational(25, 1), 50, "10:00:02:00"), ("23:59:59:24", Rational(25, 1), 1, "00:00:00:00"),
        ("01:00:59;29", ntsc, 1, "01:01:00;02"), ("01:09:59;29", ntsc, 1, "01:10:00;00"),
        ("00:00:00;00", ntsc, 107_892, "01:00:00;00"), ("01:00:59:29", ntsc, 1, "01:01:00:00"),
        ("00:00:59;59", Rational(60000, 1001), 1, "00:01:00;04"),
        ("00:00:00:23", Rational(24000, 1001), 1, "00:00:01:00"),
    ])
    func framesAreCounted(text: String, rate: Rational, count: Int, expected: String) throws {
        let code = try #require(TimeCode(text, rate: rate))
        #expect("\(code)" == text)
        #expect("\(code.advanced(by: count))" == expected)
    }

    @Test(arguments: [
        ("01:00:59;20", ntsc, Rational(60000, 1001), "01:00:59;40"),
        ("01:01:00;02", ntsc, Rational(60000, 1001), "01:01:00;04"),
        ("00:01:00;04", Rational(60000, 1001), ntsc, "00:01:00;02"),
        ("01:00:59;20", ntsc, Rational(25, 1), "01:00:59:16"),
        ("10:00:02:12", Rational(25, 1), Rational(50, 1), "10:00:02:24"),
    ])
    func framesAreScaled(text: String, rate: Rational, other: Rational, expected: String) throws {
        let code = try #require(TimeCode(text, rate: rate)?.converted(to: other))
        #expect("\(code)" == expected)
    }

    @Test(arguments: ["", "1:2:3", "00:00:00:25", "24:00:00:00", "00:60:00:00", "aa:00:00:00", "00:00:00:00:00"])
    func othersAreNone(text: String) { #expect(TimeCode(text, rate: Rational(25, 1)) == nil) }
}
