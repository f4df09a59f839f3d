import FrameCore
import Motion
import Pipeline
import TestSupport
import Testing

@Suite struct ClipAnalysisTests {
    private func analysis(_ milliseconds: [Int64], rate: Rational? = nil, base: Rational = Rational(1, 1000)) throws
        -> ClipAnalysis
    {
        let picture = try GeneratedPicture.flat(9, width: 16, height: 16)
        let stream = VideoStreamDescription(
            format: .yuv420p8, width: 16, height: 16, timeBase: base, nominalFrameRate: rate)
        let times = milliseconds.map { MediaTime(value: $0 * Int64(base.numerator), timescale: base.denominator) }
        return try ClipAnalysis(of: GeneratedSource(times: times, stream: stream) { _ in picture })
    }

    /// Times at 24000/1001 rounded to milliseconds count as constant, however long the clip is.
    @Test(arguments: [Rational(24000, 1001), Rational(30000, 1001), Rational(60, 1), Rational(25, 2), Rational(7, 3)])
    func roundedTimesAreConstant(rate: Rational) throws {
        let times = (0..<3000).map { n in
            MediaTime(value: n * Int64(rate.denominator), timescale: rate.numerator).converted(toTimescale: 1000).value
        }
        for stated in [nil, rate] {
            let timing = try analysis(times, rate: stated).timing
            #expect(timing.mode == .constant)
            #expect(timing.offGridFrames == 0 && timing.missingFrames == 0)
            let found = try #require(timing.rate)
            #expect(abs(found.doubleValue / rate.doubleValue - 1) < 1e-3)
            if stated != nil || rate.denominator <= 2 { #expect(found == rate) }
        }
    }

    @Test func exactStepsAreExact() throws {
        let timing = try analysis((0..<50).map { 1001 * $0 }, base: Rational(1, 24000)).timing
        #expect(timing.mode == .constant)
        #expect(timing.rate == Rational(24000, 1001))
        #expect(timing.averageRate == Rational(24000, 1001))
        #expect(timing.minimumStep == MediaTime(value: 1001, timescale: 24000))
        #expect(timing.maximumStep == timing.minimumStep && timing.medianStep == timing.minimumStep)
    }

    @Test func droppedFramesAreMissing() throws {
        let times = (0..<100).filter { ![20, 21, 60].contains($0) }.map { Int64($0) * 40 }
        let timing = try analysis(times).timing
        #expect(timing.mode == .variable)
        #expect(timing.rate == Rational(25, 1))
        #expect(timing.missingFrames == 3)
        #expect(timing.offGridFrames == 0)
        #expect(timing.maximumStep == MediaTime(value: 120, timescale: 1000))
        #expect(timing.medianStep == MediaTime(value: 40, timescale: 1000))
    }

    @Test func oneLateFrameIsOneFrameOffTheGrid() throws {
        var times = (0..<100).map { Int64($0) * 40 }
        times[50] += 12
        let timing = try analysis(times).timing
        #expect(timing.mode == .variable)
        #expect(timing.offGridFrames == 1 && timing.missingFrames == 0)
        #expect(timing.minimumStep == MediaTime(value: 28, timescale: 1000))
    }

    /// A pause after which frames are between the old grid positions moves the grid, once.
    @Test func aPauseMovesTheGrid() throws {
        let times = (0..<100).map { Int64($0) * 40 + ($0 >= 50 ? 17 : 0) }
        let timing = try analysis(times).timing
        #expect(timing.mode == .variable)
        #expect(timing.offGridFrames == 1 && timing.missingFrames == 0)
        #expect(timing.rate == Rational(25, 1))
    }

    /// The grid is chosen from the opening frames, but later frames count as well.
    @Test func lateIrregularitiesCount() throws {
        var times = (0..<2000).map { Int64($0) * 40 }
        for index in 1500..<2000 { times[index] += 400 }
        let timing = try analysis(times).timing
        #expect(timing.mode == .variable)
        #expect(timing.missingFrames == 10)
    }

    @Test func aWildClipHasNoRate() throws {
        var time: Int64 = 0
        let times = (0..<200).map { n -> Int64 in
            time += 20 + Int64((n * 7919 + n * n * 31) % 67)
            return time
        }
        let timing = try analysis(times).timing
        #expect(timing.mode == .variable)
        #expect(timing.offGridFrames > 50)
    }

    @Test func shortClips() throws {
        let none = try analysis([])
        #expect(none.frameCount == 0 && none.timing == FrameTiming())
        let one = try analysis([500])
        #expect(one.frameCount == 1)
        #expect(one.timing.mode == .single)
        #expect(one.timing.firstTime == MediaTime(value: 1, timescale: 2))
        #expect(one.timing.minimumStep == nil)
        let two = try analysis([0, 40])
        #expect(two.timing.mode == .constant && two.timing.rate == Rational(25, 1))
    }

    /// A source may give any times, even ones whose difference does not fit 64 bits.
    @Test(arguments: [Rational(1, 1000), Rational(1, 1), Rational(1, 1_000_000_000)])
    func timesAtTheEndsOfTheRange(base: Rational) throws {
        let far: Int64 = 5_000_000_000_000_000_000
        let two = try analysis([-far, far], base: base).timing
        #expect(two.averageRate == nil)
        let wild = try analysis((0..<600).map { $0 % 2 == 0 ? -far : far }, base: base).timing
        #expect(wild.lastTime == two.lastTime && wild.averageRate == nil)
        #expect(try analysis([.min, .max, .min, 0, .max], base: base).frameCount == 5)
        // Usual steps whose sum does not fit 64 bits, and a grid chosen before the extreme times arrive.
        #expect(try analysis([-far, -far / 5, far / 5 * 3, -far, -far / 5, far / 5 * 3], base: base).frameCount == 6)
        let usual = (0..<600).map { Int64($0) * 40 }
        let late = try analysis(usual + [far, .max, -far, .min, far], rate: Rational(25, 1), base: base)
        #expect(late.frameCount == 605)
    }

    /// Values beyond the limit are counted as the nearest known one, exactly, even if the known values are far apart.
    @Test func aFullHistogramTakesFarValues() {
        var steps = StepHistogram()
        steps.add(.min)
        for value in 1..<StepHistogram.limit { steps.add(Int64.max - Int64(value)) }
        for _ in 0..<StepHistogram.limit { steps.add(5) }
        // 5 is nearer to the upper values.
        #expect(steps.median == .max - Int64(StepHistogram.limit - 1))
        #expect(steps.minimum == .min && steps.maximum == .max - 1)
    }

    @Test func listsEndAndCountsGoOn() throws {
        let count = ClipAnalysis.listLimit + 500
        let analysis = try analysis((0..<Int64(count)).map { $0 * 10 })
        #expect(analysis.frameCount == count)
        #expect(analysis.duplicates.count == count - 1)
        #expect(analysis.duplicates.places.count == ClipAnalysis.listLimit)
        #expect(
            analysis.duplicates.places.first
                == ClipAnalysis.Place(frame: 1, time: MediaTime(value: 10, timescale: 1000)))
    }

    @Test func oneFrameIsHeldAtATime() throws {
        let living = LivingPictures()
        let picture = try GeneratedPicture.waves(width: 64, height: 48)
        _ = try ClipAnalysis(of: GeneratedSource(count: 100) { _ in living.counted(picture) })
        #expect(living.made == 100)
        #expect(living.peak <= 2)
        #expect(living.alive == 0)
    }

    @Test func findingsNameTheirFrames() throws {
        let picture = try GeneratedPicture.flat(9, width: 16, height: 16)
        let finder = ScriptedTransitions(
            lookAhead: 6, [3: .duplicate, 12: .cut, 39: .duplicate], flashes: [20, 22, 30, 38])
        let analysis = try ClipAnalysis(of: GeneratedSource(count: 40) { _ in picture }, finder: finder)
        #expect(analysis.cuts.places == [.init(frame: 12, time: MediaTime(value: 12, timescale: 25))])
        #expect(analysis.duplicates.places.map(\.frame) == [3, 39])
        // 20 and 22 are one flash; 30 and 38 are too far apart.
        #expect(analysis.flashes.places.map(\.frame) == [20, 30, 38])
        #expect(analysis.flashes.places.map(\.time) == [20, 30, 38].map { MediaTime(value: $0, timescale: 25) })
    }

    @Test func errorsComeOut() throws {
        let picture = try GeneratedPicture.flat(9, width: 16, height: 16)
        #expect(throws: DeliberateError("read")) {
            _ = try ClipAnalysis(
                of: GeneratedSource(count: 9) { index in
                    if index == 5 { throw DeliberateError("read") }
                    return picture
                })
        }
    }
}
