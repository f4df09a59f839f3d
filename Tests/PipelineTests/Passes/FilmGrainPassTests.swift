import FrameCore
import FrameEffects
import Pipeline
import TestSupport
import Testing

@Suite struct FilmGrainPassTests {
    private static let width = 160
    private static let height = 112

    private func run(
        _ effect: any ClipEffect, count: Int = 4, start: MediaTime = .zero, rate: Rational = Rational(25, 1)
    ) throws -> [Frame] {
        let picture = try GeneratedPicture.flat(100)
        let sink = RecordingSink()
        let source = GeneratedSource(count: count, rate: rate, start: start) { _ in picture }
        _ = try ConversionPipeline(source: source, sink: sink, chain: EffectChain(effect)).run()
        return sink.frames
    }

    @Test func framesDifferByTheirTimesOnly() throws {
        let pass = try FilmGrainPass(strength: 5, options: ConversionOptions())
        let all = try run(pass)
        #expect(!all[0].buffer.hasSameSamples(as: all[1].buffer))
        // The frame at the same time gets the same grain, wherever the clip starts and on any timescale.
        let later = try run(pass, count: 2, start: MediaTime(value: 40, timescale: 1000))
        #expect(later[0].buffer.hasSameSamples(as: all[1].buffer))
        #expect(!pass.countsFrames && pass.summary == "grain of strength 5.0")
    }

    @Test func tablesApplyFromTheFirstFrame() throws {
        let grain = try FilmGrain.preset(strength: 6)
        let table = FilmGrainTable([.init(start: 200_000, end: 600_000, grain: grain)])
        let pass = FilmGrainPass(table: table, options: ConversionOptions())
        #expect(pass.countsFrames)
        let frames = try run(pass, start: MediaTime(value: 7, timescale: 1))
        let clean = try GeneratedPicture.flat(100)
        #expect(frames.map { !$0.buffer.hasSameSamples(as: clean) } == [false, true, false, false])
    }

    /// Two scenes of flat pictures with noise, and one without.
    private func source() -> GeneratedSource {
        let format = PixelFormat.yuv420p8, (width, height) = (Self.width, Self.height)
        let stream = VideoStreamDescription(format: format, width: width, height: height, timeBase: Rational(1, 25))
        let times = (0..<60).map { MediaTime(value: Int64($0), timescale: 25) }
        return GeneratedSource(times: times, stream: stream) { index in
            let scene = index / 20, strength: Float = [4, 0, 8][scene]
            let flat = try GeneratedPicture.draw(format, width: width, height: height) { plane, x, y in
                plane == 0 ? [60, 120, 180][scene] + (scene == 1 ? x / 16 : y / 16) : 128
            }
            var grain = try FilmGrain.preset(strength: strength)
            grain.seed = UInt16(index * 977 + 1)
            return try FilmGrainSynthesizer(format: format, width: width, height: height).adding(grain, to: flat)
        }
    }

    @Test func scenesHaveTheirOwnGrain() throws {
        var survey = FilmGrainSurvey()
        let table = try survey.table(of: source())
        #expect(table.entries.count == 2)
        // Boundaries lie between frames.
        #expect(table.entries.first?.start == 0 && table.entries.first?.end == 7_800_000)
        #expect(table.entries.last?.start == 15_800_000 && table.entries.last?.end == FilmGrainTable.forever)
        var other = FilmGrainSurvey(context: .init(threads: 3))
        #expect(try other.table(of: source()) == table)
    }

    @Test func aChangeOfTheNoiseBeginsAnotherEntry() throws {
        let format = PixelFormat.yuv420p8, (width, height) = (Self.width, Self.height)
        let stream = VideoStreamDescription(format: format, width: width, height: height, timeBase: Rational(1, 25))
        let source = GeneratedSource(
            times: (0..<140).map { MediaTime(value: Int64($0), timescale: 25) }, stream: stream
        ) {
            let flat = try GeneratedPicture.draw(format, width: width, height: height) { plane, x, _ in
                plane == 0 ? 80 + x / 8 : 128
            }
            var grain = try FilmGrain.preset(strength: $0 < 70 ? 3 : 9)
            grain.seed = UInt16(truncatingIfNeeded: $0 * 977 + 1)
            return try FilmGrainSynthesizer(format: format, width: width, height: height).adding(grain, to: flat)
        }
        var survey = FilmGrainSurvey()
        let table = try survey.table(of: source)
        try #require(table.entries.count == 2)
        // The frames that are measured are 32 apart.
        #expect(abs(Double(table.entries[1].start) / 400_000 - 70) < 32)
        #expect(table.entries[0].end == table.entries[1].start)
    }

    @Test func nothingIsFoundWhereNothingIsRemoved() throws {
        var survey = FilmGrainSurvey(noise: .strength(0))
        #expect(try survey.table(of: source()).isEmpty)
        var single = FilmGrainSurvey()
        #expect(try single.table(of: GeneratedSource(count: 1) { _ in try GeneratedPicture.texture() }).isEmpty)
        var black = FilmGrainSurvey()
        #expect(try black.table(of: GeneratedSource(count: 12) { _ in try GeneratedPicture.flat(16) }).isEmpty)
    }
}
