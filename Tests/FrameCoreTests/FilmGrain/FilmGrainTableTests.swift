import Foundation
import FrameCore
import Testing

@Suite struct FilmGrainTableTests {
    private static let text = """
        filmgrn1
        E 0 10000000 1 7391 1
        \tp 1 7 2 10 0 1 128 192 256 100 150 300
        \tsY 2 0 20 255 40
        \tsCb 1 128 30
        \tsCr 0
        \tcY -6 26 -6 26
        \tcCb 1 2 3 4 5
        \tcCr -1 -2 -3 -4 -128
        E 10000000 9223372036854775807 1 77 0

        """

    @Test func textIsReadAsItStands() throws {
        let table = try FilmGrainTable(text: Self.text)
        #expect(table.entries.count == 2)
        let first = try #require(table.entries[0].grain)
        #expect(first.seed == 7391 && first.lag == 1 && first.coefficientShift == 7)
        #expect(first.grainScaleShift == 2 && first.scalingShift == 10)
        #expect(!first.isChromaScaledFromLuma && first.overlaps)
        #expect(first.lumaPoints == [.init(value: 0, scaling: 20), .init(value: 255, scaling: 40)])
        #expect(first.lumaCoefficients == [-6, 26, -6, 26])
        #expect(
            first.chroma == [
                .init(points: [.init(value: 128, scaling: 30)], coefficients: [1, 2, 3, 4, 5]),
                .init(coefficients: [-1, -2, -3, -4, -128], multiplier: -28, lumaMultiplier: 22, offset: 44),
            ])
        // An entry without parameters has those of the entry before it, with its own seed.
        var second = first
        second.seed = 77
        #expect(table.entries[1].grain == second)
    }

    @Test func whatIsWrittenIsRead() throws {
        let table = try FilmGrainTable(text: Self.text)
        #expect(try FilmGrainTable(text: table.text) == table)
        #expect(try FilmGrainTable(text: "filmgrn1\n").isEmpty)
    }

    /// An entry that is not applied may state the grain of a later one.
    @Test func anEntryMayReferToOneThatIsNotApplied() throws {
        let text = Self.text.replacingOccurrences(of: "E 0 10000000 1 7391 1", with: "E 0 10000000 0 7391 1")
        let table = try FilmGrainTable(text: text)
        #expect(table.entries[0].grain == nil)
        let seconds = try FilmGrainTable(text: Self.text).entries[1].grain
        #expect(table.entries[1].grain == seconds)
    }

    @Test func timesCountFromTheFirstFrame() throws {
        var table = try FilmGrainTable(text: Self.text)
        table.origin = MediaTime(value: 5, timescale: 1)
        #expect(table.grain(at: MediaTime(value: 4, timescale: 1)) == nil)
        #expect(table.grain(at: MediaTime(value: 5, timescale: 1))?.seed == 7391)
        #expect(table.grain(at: MediaTime(value: 6, timescale: 1))?.seed == 77)
        let part = table.from(MediaTime(value: 11, timescale: 2))
        #expect(part.entries.map(\.start) == [0, 5_000_000])
        #expect(part.entries.map(\.end) == [5_000_000, FilmGrainTable.forever])
        for tenths in 55..<70 {
            let time = MediaTime(value: Int64(tenths), timescale: 10)
            #expect(part.grain(at: time) == table.grain(at: time))
        }
        #expect(table.from(MediaTime(value: 6, timescale: 1)).entries.count == 1)
    }

    @Test(arguments: [
        ("", 1, "the first line is not 'filmgrn1'"), ("filmgrn2\n", 1, "the first line is not 'filmgrn1'"),
        ("filmgrn1\nE 0 1 1 1\n", 2, "expected 'E' and 5 whole numbers"),
        ("filmgrn1\nE 0 x 1 1 1\n", 2, "expected 'E' and 5 whole numbers"),
        ("filmgrn1\nE 5 5 1 1 1\n", 2, "the entry from 5 to 5 is empty or does not follow the one before it"),
        ("filmgrn1\nE 0 1 1 1 0\n", 2, "the entry refers to the one before it, but there is none"),
        (
            "filmgrn1\nE 0 1 1 70000 1\n", 2,
            "expected the flag 0 or 1, a seed from 0 to 65535 and the flag 0 or 1; found 1, 70000 and 1"
        ),
        ("filmgrn1\nE 0 1 1 1 1\n", 4, "the table ends where a line with 'p' is expected"),
    ])
    func badTextIsRefused(text: String, line: Int, reason: String) {
        let error = #expect(throws: FrameError.self) { try FilmGrainTable(text: text) }
        #expect(error?.message == "line \(line) of the grain table: \(reason)")
    }

    @Test(arguments: [
        ("p 1 7 2 10", "p 1 5 2 10", 9, "the AR coefficient shift 5 is not allowed; it is 6 to 9"),
        ("p 1 7 2 10", "p 4 7 2 10", 6, "the AR filter lag 4 is not 0 to 3"),
        ("sY 2 0 20", "sY 3 0 20", 4, "expected 'sY', the number of points, and two whole numbers for each"),
        ("255 40", "0 40", 9, "the luma point at 0 follows one at 0; they must ascend"),
        ("128 30", "128 256", 9, "the scaling of a Cb point 256 is not allowed; it is 0 to 255"),
        ("cY -6", "cY -129", 9, "the luma coefficient -129 is not allowed; it is -128 to 127"),
        ("cCb 1 2", "cCb 2", 8, "expected 'cCb' and 5 whole numbers"),
        ("100 150 300", "100 150 99999999999", 9, "the Cr offset 1048320 is not allowed; it is -256 to 255"),
    ])
    func badValuesAreRefused(good: String, bad: String, line: Int, reason: String) throws {
        try #require(Self.text.contains(good))
        let text = Self.text.replacing(good, with: bad, maxReplacements: 1)
        let error = #expect(throws: FrameError.self) { try FilmGrainTable(text: text) }
        #expect(error?.message == "line \(line) of the grain table: \(reason)")
    }
}

@Suite struct FilmGrainTests {
    private let points = [FilmGrain.ScalingPoint(value: 1, scaling: 2)]

    private func grain(luma: Bool, cb: Bool, cr: Bool, fromLuma: Bool = false) -> FilmGrain {
        FilmGrain(
            seed: 1, lumaPoints: luma ? points : [], lumaCoefficients: [],
            chroma: [cb, cr].map { .init(points: $0 ? points : [], coefficients: [0]) },
            isChromaScaledFromLuma: fromLuma, lag: 0)
    }

    private func pointCounts(_ grain: FilmGrain) -> [Int] {
        [grain.lumaPoints.count] + grain.chroma.map(\.points.count)
    }

    /// What libaom does not accept: it ends the program.
    @Test func grainConformsToTheSubsampling() {
        #expect(pointCounts(grain(luma: true, cb: true, cr: true).conforming(to: .monochrome)) == [1, 0, 0])
        #expect(
            pointCounts(grain(luma: true, cb: true, cr: true, fromLuma: true).conforming(to: .yuv444)) == [1, 0, 0])
        for (luma, cb, cr) in [(false, true, true), (true, false, true), (false, true, false)] {
            let conforming = grain(luma: luma, cb: cb, cr: cr).conforming(to: .yuv420)
            #expect(pointCounts(conforming) == [1, 1, 1])
            #expect((conforming.lumaPoints == points) == luma)
            #expect(conforming.chroma.map { $0.points == points } == [cb, cr])
        }
        #expect(pointCounts(grain(luma: true, cb: false, cr: false).conforming(to: .yuv420)) == [1, 0, 0])
        #expect(pointCounts(grain(luma: false, cb: true, cr: false).conforming(to: .yuv422)) == [0, 1, 0])
    }
}
