import CommandLineCore
import FrameCore
import Testing

@Suite struct OptionValueTests {
    @Test(arguments: [
        ("0.5", [Rational(1, 2)]), ("0.25,0.5,0.75", [Rational(1, 4), Rational(1, 2), Rational(3, 4)]),
        (".1, 0.9", [Rational(1, 10), Rational(9, 10)]), ("1/3,2/3", [Rational(1, 3), Rational(2, 3)]),
        ("0.123456789", [Rational(123_456_789, 1_000_000_000)]),
        ("0.500,0.5000001", [Rational(1, 2), Rational(5_000_001, 10_000_000)]),
    ])
    func phasesAreExact(text: String, phases: [Rational]) throws {
        #expect(try OptionValue.phases(text, maximumCount: 255) == phases)
    }

    @Test(arguments: [
        ("0", "phase 0 is not allowed; a phase must be strictly between 0 and 1"),
        ("1", "phase 1 is not allowed; a phase must be strictly between 0 and 1"),
        ("1.0", "phase 1.0 is not allowed; a phase must be strictly between 0 and 1"),
        ("0.5,1.5", "phase 1.5 is not allowed; a phase must be strictly between 0 and 1"),
        ("-0.5", "phase -0.5 is not allowed; a phase must be strictly between 0 and 1"),
        ("0.5,0.25", "phase 0.25 comes after phase 0.5; phases must ascend, each given once"),
        ("0.5,0.50", "phase 0.50 comes after phase 0.5; phases must ascend, each given once"),
    ])
    func phasesOutOfPlaceAreNamed(text: String, sentence: String) {
        let error = #expect(throws: FrameError.self) { try OptionValue.phases(text, maximumCount: 255) }
        #expect(error?.message == sentence)
        #expect(error?.code == .invalidArgument)
    }

    @Test(arguments: [
        "", ",", "0.5,", "half", "0,5;", "1e-1", "nan", "inf", "0x1", "1/", "/3", "1/0", "--", "0.1234567890", "٠.٥",
    ])
    func whatIsNoNumberIsNamed(text: String) {
        let error = #expect(throws: FrameError.self) { try OptionValue.phases(text, maximumCount: 255) }
        #expect(error?.message.contains("is not a number") == true || error?.message.contains("not allowed") == true)
    }

    @Test(arguments: [
        ("60", Rational(60, 1)), ("24000/1001", Rational(24000, 1001)), ("23.976", Rational(24000, 1001)),
        ("23.98", Rational(24000, 1001)), ("29.97", Rational(30000, 1001)), ("59.94", Rational(60000, 1001)),
        ("119.88", Rational(120_000, 1001)), ("47.952", Rational(48000, 1001)), ("12.5", Rational(25, 2)),
        ("24.0", Rational(24, 1)), ("24", Rational(24, 1)), ("30.5", Rational(61, 2)), ("1000", Rational(1000, 1)),
        ("1", Rational(1, 1)),
    ])
    func ratesSnapToNTSC(text: String, rate: Rational) throws {
        #expect(try OptionValue.frameRate(text, option: "--fps") == rate)
    }

    @Test(arguments: ["0", "0.5", "1001", "-25", "fast", "", "60/0", "1e3", "24000/1001/2"])
    func ratesOutOfRangeAreNamed(text: String) {
        let error = #expect(throws: FrameError.self) { try OptionValue.frameRate(text, option: "--fps") }
        #expect(error?.message.hasPrefix("--fps ") == true)
        if !text.isEmpty { #expect(error?.message.contains(text) == true) }
    }

    @Test(arguments: [
        ("3.2", MediaTime(value: 16, timescale: 5)), ("0", .zero), (".5", MediaTime(value: 1, timescale: 2)),
        ("7.", MediaTime(value: 7, timescale: 1)), ("10/3", MediaTime(value: 10, timescale: 3)),
        ("-0.25", MediaTime(value: -1, timescale: 4)), ("1:20", MediaTime(value: 80, timescale: 1)),
        ("1:02:03.5", MediaTime(value: 7447, timescale: 2)), ("100:00:00", MediaTime(value: 360_000, timescale: 1)),
        ("86400.123456789", MediaTime(value: 86_400_123_456_789, timescale: 1_000_000_000)),
    ])
    func timesAreExact(text: String, time: MediaTime) throws {
        #expect(try OptionValue.time(text, option: "--at") == time)
    }

    @Test(arguments: [
        "", ".", "-", "soon", "1:60", "1:60:00", "1:", ":5", "1:2:3:4", "1:1/2", "1.5:00", "1e3", "nan", "1/0", "1.2.3",
        "3.2/4", "0.1234567890", "--1",
    ])
    func whatIsNoTimeIsNamed(text: String) {
        let error = #expect(throws: FrameError.self) { try OptionValue.time(text, option: "--at") }
        #expect(error?.message.hasPrefix("--at '\(text)' is not a time") == true)
    }

    @Test(arguments: [
        ("300f", ClipPosition.frame(300)), ("0f", .frame(0)), ("2.5", .time(MediaTime(value: 5, timescale: 2))),
        ("0:10", .time(MediaTime(value: 10, timescale: 1))),
    ])
    func positionsAreTimesOrFrames(text: String, position: ClipPosition) throws {
        #expect(try OptionValue.position(text, option: "--from") == position)
    }

    @Test(arguments: ["", "f", "-1f", "1.5f", "-1", "soon", "99999999999f", "3 f"])
    func whatIsNoPositionIsNamed(text: String) {
        let error = #expect(throws: FrameError.self) { try OptionValue.position(text, option: "--from") }
        #expect(error?.message.hasPrefix("--from '\(text)' is not a position in a clip") == true)
    }

    @Test func plainNumbersAreRead() throws {
        #expect(try OptionValue.whole("100", option: "--n", range: 1...100) == 100)
        #expect(try OptionValue.decimal("0.5", option: "--n", range: 0...1) == 0.5)
        #expect(try OptionValue.decimal("0", option: "--n", range: 0...1) == 0)
        #expect(try OptionValue.decimal("255", option: "--n", range: 0...255) == 255)
    }

    @Test(arguments: ["", " ", "nan", "inf", "-1", "256", "1,5", "half", "٣"])
    func otherNumbersAreNamed(text: String) {
        let whole = #expect(throws: FrameError.self) { try OptionValue.whole(text, option: "--n", range: 1...100) }
        #expect(whole?.message == "--n '\(text)' is not a whole number from 1 to 100")
        let decimal = #expect(throws: FrameError.self) { try OptionValue.decimal(text, option: "--n", range: 0...255) }
        #expect(decimal?.message == "--n '\(text)' is not a number from 0 to 255")
    }

    @Test func phasesAreLimitedInNumber() throws {
        let phases = (1...256).map { "\($0)/257" }
        #expect(try OptionValue.phases(phases.dropLast().joined(separator: ","), maximumCount: 255).count == 255)
        let error = #expect(throws: FrameError.self) {
            try OptionValue.phases(phases.joined(separator: ","), maximumCount: 255)
        }
        #expect(error?.message == "256 phases were given; 1 to 255 are allowed")
    }

    @Test(arguments: [("1280x720", 1280, 720), ("16X16", 16, 16), ("2048x16", 2048, 16)])
    func sizesAreRead(text: String, width: Int, height: Int) throws {
        let size = try OptionValue.size(text, option: "--size", range: 16...2048)
        #expect(size == (width, height))
    }

    @Test(arguments: ["", "x", "1280", "1280x", "x720", "1280x720x3", "15x720", "1280x2049", "1280 x 720", "-16x16"])
    func whatIsNoSizeIsNamed(text: String) {
        let error = #expect(throws: FrameError.self) {
            try OptionValue.size(text, option: "--size", range: 16...2048)
        }
        #expect(
            error?.message
                == "--size '\(text)' is not a size such as 1280x720 with each side from 16 to 2048")
    }

    @Test func threadsAreCounted() throws {
        #expect(try OptionValue.threads("7") == 7)
        #expect(try OptionValue.threads(nil) == OptionValue.availableThreads)
        #expect(OptionValue.availableThreads >= 1)
        for text in ["0", "257", "two", ""] {
            let error = #expect(throws: FrameError.self) { try OptionValue.threads(text) }
            #expect(error?.message == "--threads '\(text)' is not a whole number from 1 to 256")
        }
    }
}
