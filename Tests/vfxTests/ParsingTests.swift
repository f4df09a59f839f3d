import FrameCore
import Pipeline
import Testing
import vfx

@Suite struct ParsingTests {
    @Test(arguments: [
        ("0.5", [Rational(1, 2)]), ("0.25,0.5,0.75", [Rational(1, 4), Rational(1, 2), Rational(3, 4)]),
        (".1, 0.9", [Rational(1, 10), Rational(9, 10)]), ("1/3,2/3", [Rational(1, 3), Rational(2, 3)]),
        ("0.123456789", [Rational(123_456_789, 1_000_000_000)]),
        ("0.500,0.5000001", [Rational(1, 2), Rational(5_000_001, 10_000_000)]),
    ])
    func phasesAreExact(text: String, phases: [Rational]) throws {
        #expect(try PhaseList.parse(text) == phases)
    }

    @Test(arguments: [
        ("0", "phase 0 is not allowed; a phase lies strictly between 0 and 1"),
        ("1", "phase 1 is not allowed; a phase lies strictly between 0 and 1"),
        ("1.0", "phase 1.0 is not allowed; a phase lies strictly between 0 and 1"),
        ("0.5,1.5", "phase 1.5 is not allowed; a phase lies strictly between 0 and 1"),
        ("-0.5", "phase -0.5 is not allowed; a phase lies strictly between 0 and 1"),
        ("0.5,0.25", "phase 0.25 comes after phase 0.5; phases must ascend, each given once"),
        ("0.5,0.50", "phase 0.50 comes after phase 0.5; phases must ascend, each given once"),
    ])
    func phasesOutOfPlaceAreNamed(text: String, sentence: String) {
        let error = #expect(throws: FrameError.self) { try PhaseList.parse(text) }
        #expect(error?.message == sentence)
        #expect(error?.code == .invalidArgument)
    }

    @Test(arguments: [
        "", ",", "0.5,", "half", "0,5;", "1e-1", "nan", "inf", "0x1", "1/", "/3", "1/0", "--", "0.1234567890", "٠.٥",
    ])
    func whatIsNoNumberIsNamed(text: String) {
        let error = #expect(throws: FrameError.self) { try PhaseList.parse(text) }
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
        #expect(try FrameRateValue.parse(text, option: "--fps") == rate)
    }

    @Test(arguments: ["0", "0.5", "1001", "-25", "fast", "", "60/0", "1e3", "24000/1001/2"])
    func ratesOutOfRangeAreNamed(text: String) {
        let error = #expect(throws: FrameError.self) { try FrameRateValue.parse(text, option: "--fps") }
        #expect(error?.message.hasPrefix("--fps ") == true)
        if !text.isEmpty { #expect(error?.message.contains(text) == true) }
    }

    @Test func plainNumbersAreRead() throws {
        #expect(try NumberValue.whole("100", option: "--n", range: 1...100) == 100)
        #expect(try NumberValue.decimal("0.5", option: "--n", range: 0...1) == 0.5)
        #expect(try NumberValue.decimal("0", option: "--n", range: 0...1) == 0)
        #expect(try NumberValue.decimal("255", option: "--n", range: 0...255) == 255)
    }

    @Test(arguments: ["", " ", "nan", "inf", "-1", "256", "1,5", "half", "٣"])
    func otherNumbersAreNamed(text: String) {
        let whole = #expect(throws: FrameError.self) { try NumberValue.whole(text, option: "--n", range: 1...100) }
        #expect(whole?.message == "--n '\(text)' is not a whole number from 1 to 100")
        let decimal = #expect(throws: FrameError.self) { try NumberValue.decimal(text, option: "--n", range: 0...255) }
        #expect(decimal?.message == "--n '\(text)' is not a number from 0 to 255")
    }

    @Test func phasesAreLimitedInNumber() throws {
        let phases = (1...256).map { "\($0)/257" }
        #expect(try PhaseList.parse(phases.dropLast().joined(separator: ",")).count == 255)
        let error = #expect(throws: FrameError.self) { try PhaseList.parse(phases.joined(separator: ",")) }
        #expect(error?.message == "256 phases were given; 1 to 255 are allowed")
    }

    @Test(arguments: [
        (0.0, "0:00"), (0.2, "0:01"), (59.5, "1:00"), (3599.0, "59:59"), (3600.0, "1:00:00"), (-1.0, "?"),
        (.infinity, "?"),
    ])
    func clockReads(seconds: Double, text: String) {
        #expect(ProgressLine.clock(seconds) == text)
    }

    @Test func progressReads() {
        let known = PipelineProgress(framesRead: 5, framesWritten: 10, expectedFrames: 40, seconds: 2)
        #expect(ProgressLine.text(known) == "25%  10/40 frames  5.0 frames/s  0:06 left")
        let unknown = PipelineProgress(framesRead: 5, framesWritten: 10, expectedFrames: nil, seconds: 2)
        #expect(ProgressLine.text(unknown) == "10 frames  5.0 frames/s")
    }
}
