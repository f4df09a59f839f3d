import FrameCore
import Pipeline
import Testing

/// Which frames are taken for repeats, and when their pictures were due, from the sizes of the steps alone.
@Suite struct RepeatSearchTests {
    /// The steps of a clip: `n` to a new picture, `r` to a repeat with coding noise, `R` to an exact repeat, `s` a slow
    /// movement, `c` a cut, `h` noise on a picture that stands still.
    private func steps(_ text: String, seed: UInt64 = 1) -> [FrameStep] {
        var generator = SplitMix64(state: seed)
        func about(_ value: Float) -> Float { value * (0.7 + 0.6 * Float(generator.next() % 1000) / 1000) }
        return text.map { kind in
            switch kind {
            case "n": FrameStep(largest: about(40), mean: about(5), growth: 0)
            case "r": FrameStep(largest: about(4), mean: about(0.8), growth: about(1))
            case "R": FrameStep(largest: 0)
            case "s": FrameStep(largest: about(3), mean: about(2), growth: 1.9)
            case "c": FrameStep(largest: 90, mean: 40, isCut: true)
            default: FrameStep(largest: about(2), mean: about(1), growth: 1)
            }
        }
    }

    private func decisions(
        _ steps: [FrameStep], _ extent: RepeatSearch.Extent = .lowRates
    ) -> [RepeatSearch.Decision] {
        var search = RepeatSearch(extent), added = 0
        return (0...steps.count).map { frame in
            while added < min(steps.count, frame + RepeatSearch.framesAhead) {
                search.append(steps[added])
                added += 1
            }
            return search.decideNext().frame
        }
    }

    /// The frames that are left out, as dots.
    private func shown(_ text: String, _ extent: RepeatSearch.Extent = .lowRates) -> String {
        String(decisions(steps(text), extent).map { $0.isLeftOut ? "." : "+" })
    }

    /// The times at which pictures are shown, in frames.
    private func times(_ decisions: [RepeatSearch.Decision]) -> [Rational] {
        decisions.enumerated().compactMap { frame, decision in
            decision.isLeftOut
                ? nil
                : Rational(
                    reducing: Int64(frame) * Int64(decision.lead.denominator) - Int64(decision.lead.numerator),
                    Int64(decision.lead.denominator))
        }
    }

    /// Repeats one period of frames.
    private func cycle(_ period: String, _ count: Int) -> String {
        let kinds = Array(period)
        return String((1...count).map { kinds[$0 % kinds.count] })
    }

    @Test(arguments: [
        ("nrnnn", Rational(4, 5)), ("nrrnr", Rational(2, 5)), ("nRRnR", Rational(2, 5)), ("nr", Rational(1, 2)),
        ("nrr", Rational(1, 3)), ("nrrrr", Rational(1, 5)), ("nrnrnnrn", Rational(5, 8)), ("nrnnnn", Rational(5, 6)),
        ("nr" + String(repeating: "n", count: 23), Rational(24, 25)),
        ("nrr" + String(repeating: "nr", count: 11), Rational(12, 25)),
    ])
    func regularCadencesBecomeEven(period: String, pace: Rational) throws {
        for rotation in 0..<period.count {
            let turned = String(period.dropFirst(rotation) + period.prefix(rotation))
            let found = decisions(steps(cycle(turned, 200)))
            // The cadence is known after three periods, or two of long ones.
            let settled = times(found).filter { $0.doubleValue > 60 && $0.doubleValue < 185 }
            for (earlier, later) in zip(settled, settled.dropFirst()) {
                let step = Rational(
                    reducing: Int64(later.numerator) * Int64(earlier.denominator)
                        - Int64(earlier.numerator) * Int64(later.denominator),
                    Int64(later.denominator) * Int64(earlier.denominator))
                #expect(step == Rational(pace.denominator, pace.numerator), "\(turned): \(earlier) to \(later)")
            }
            #expect(found[100...150].allSatisfy { $0.isLeftOut || $0.pace == pace })
            let all = times(found)
            #expect(zip(all, all.dropFirst()).allSatisfy { $0.doubleValue < $1.doubleValue })
            #expect(found[0] == RepeatSearch.Decision())
        }
    }

    @Test(arguments: [
        cycle60("n"), cycle60("s"), cycle60("h"), cycle60("R"), cycle60("nsns"),
        // A pause of more than one frame is a picture that stands still.
        cycle60("n") + "rrrr" + cycle60("n"),
    ])
    func nothingIsLeftOutOfOtherClips(text: String) {
        let found = decisions(steps(text))
        #expect(found.allSatisfy { !$0.isLeftOut && $0.lead == Rational(0, 1) })
    }

    private static func cycle60(_ period: String) -> String {
        String((0..<60).map { Array(period)[$0 % period.count] })
    }

    @Test func aFrameInPlaceOfALostOneIsLeftOut() {
        #expect(shown("nnnnnnnnnnrnnnnnnnnn") == "+++++++++++.+++++++++")
    }

    @Test func picturesOnTwosAndThreesAreAllShownAtTheirTimes() {
        let text = "rnrrnrnrrnrnrnrrnrrnrn"
        #expect(shown(text).dropLast(2) == "+.+..+.+..+.+.+..+..+")
        #expect(decisions(steps(text)).allSatisfy { $0.lead == Rational(0, 1) })
    }

    /// A drawing on twos stands still until two frames before the next one.
    @Test func longHoldsMoveInTheUsualTime() {
        let found = shown(cycle("nr", 20) + "rrrrrrrrrrrr" + "nr" + cycle("nr", 19))
        #expect(found.prefix(20) == "+.+.+.+.+.+.+.+.+.+.")
        #expect(found.dropFirst(20).prefix(14) == "++++++++++++.+")
    }

    /// In a screen recording without any rhythm, what changes does so as fast as elsewhere.
    @Test func picturesThatStayForAnyTimeStandStill() {
        let found = shown("nrrrrrrnrnrrrrrrrrrnrnrrrrrrrrrrrrnrrrrrnr")
        #expect(found.filter { $0 == "." }.count <= 6)
    }

    @Test func allRepeatsCanBeLeftOut() {
        #expect(shown("nnnnRRRRRRRRRRRRRRRRRRRRnnnnnnnn", .all).filter { $0 == "+" }.count == 14)
        #expect(shown(Self.cycle60("R"), .all) == "+" + String(repeating: ".", count: 60))
    }

    @Test func aCadenceGoesOnAcrossCutsAndBeginsAgainAfterBreaks() {
        var text = Array(cycle("nrnnn", 100))
        text[52] = "c"
        #expect(decisions(steps(String(text)))[40...80].allSatisfy { $0.isLeftOut || $0.pace == Rational(4, 5) })
        let broken = decisions(steps(cycle("nrnnn", 62) + cycle("nrnnn", 60)))
        #expect(broken[30...58].allSatisfy { $0.isLeftOut || $0.pace == Rational(4, 5) })
        #expect(broken[80...110].allSatisfy { $0.isLeftOut || $0.pace == Rational(4, 5) })
    }

    /// A run that begins later decides the same once it knows as many frames as a decision depends on.
    @Test(arguments: 1...6)
    func decisionsAreLocal(seed: UInt64) {
        var generator = SplitMix64(state: seed)
        let periods = ["nrnnn", "nrrnr", "nr", "nrr", "n", "r", "s", "h", "nrrrrr", "c", "nrnrnnrn"]
        var text = ""
        while text.count < 700 {
            text += cycle(periods[Int(generator.next() % UInt64(periods.count))], 10 + Int(generator.next() % 60))
        }
        let all = steps(text, seed: seed)
        for extent in [RepeatSearch.Extent.lowRates, .all] {
            let whole = decisions(all, extent)
            for start in [17, 240, 401] {
                let rest = decisions(Array(all[start...]), extent)
                #expect(rest[RepeatSearch.framesBack...] == whole[(start + RepeatSearch.framesBack)...])
            }
        }
    }
}

/// A small generator of random numbers that are the same everywhere.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
