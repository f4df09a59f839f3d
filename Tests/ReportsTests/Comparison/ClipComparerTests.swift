import FrameCore
import Foundation
import MediaIO
import Reports
import TestSupport
import Testing

@Suite struct ClipComparerTests {
    private func source(
        _ count: Int, rate: Rational = Rational(25, 1), start: MediaTime = .zero, width: Int = 64,
        _ picture: @escaping @Sendable (Int) throws -> PixelBuffer
    ) -> GeneratedSource { GeneratedSource(count: count, rate: rate, start: start, picture: picture) }

    private func compare(_ a: GeneratedSource, _ b: GeneratedSource, stretch: Int? = nil) throws -> ClipComparison {
        var comparer = try ClipComparer(before: a, after: b, stretch: stretch, encoder: StillCodec())
        return try comparer.run()
    }

    @Test func aClipEqualsItself() throws {
        let waves = { @Sendable (index: Int) in try GeneratedPicture.waves(dx: index) }
        // The clips may start at different times.
        let found = try compare(source(30, waves), source(30, start: MediaTime(value: 7, timescale: 3), waves))
        #expect(found.pairs == 30 && found.equal == 30 && found.onlyBefore == 0 && found.onlyAfter == 0)
        #expect(found.stretch == 1 && found.notes == [])
        let whole = try #require(found.whole)
        #expect(whole.psnr.allSatisfy { $0 == .infinity })
    }

    /// Four times as many frames over four times the duration: every fourth one has a match.
    @Test func slowMotionIsTold() throws {
        let a = source(10) { try GeneratedPicture.waves(dx: 4 * $0) }
        let b = source(40) { try GeneratedPicture.waves(dx: $0) }
        let found = try compare(a, b)
        #expect(found.stretch == 4 && found.pairs == 10 && found.equal == 10 && found.onlyAfter == 30)
    }

    @Test func framesAreFellowsByTimeNotByNumber() throws {
        let a = source(20) { try GeneratedPicture.waves(dx: $0) }
        // Every second frame is missing, as after a rate conversion.
        let b = source(10, rate: Rational(25, 2)) { try GeneratedPicture.waves(dx: 2 * $0) }
        let found = try compare(a, b)
        #expect(found.pairs == 10 && found.equal == 10 && found.onlyBefore == 10)
    }

    /// In a conversion from 25 to 60 frames per second, every twelfth frame shows the moment of a source frame; the
    /// others miss one by 3 ms or more.
    @Test func nearIsNotTheSame() throws {
        let picture = { @Sendable (_: Int) in try GeneratedPicture.flat(50) }
        let found = try compare(source(50, picture), source(120, rate: Rational(60, 1), picture))
        #expect(found.pairs == 10 && found.onlyBefore == 40 && found.onlyAfter == 110)
    }

    /// Frames at 240 per second whose times were rounded to milliseconds still match.
    @Test func roundedTimesAreTheSame() throws {
        let picture = { @Sendable (_: Int) in try GeneratedPicture.flat(50) }
        let stream = VideoStreamDescription(
            format: .yuv420p8, width: 64, height: 48, timeBase: Rational(1, 1000), nominalFrameRate: Rational(240, 1),
            frameCount: 100, duration: MediaTime(value: 417, timescale: 1000))
        let rounded = GeneratedSource(
            times: (0..<100).map { MediaTime(value: Int64((Double($0) * 1000 / 240).rounded()), timescale: 1000) },
            stream: stream, picture: picture)
        let found = try compare(source(100, rate: Rational(240, 1), picture), rounded)
        #expect(found.pairs == 100 && found.onlyBefore == 0 && found.onlyAfter == 0)
    }

    @Test func clipsTurnedDifferentlyAreRefused() throws {
        var stream = source(3) { _ in try GeneratedPicture.flat(50) }.stream
        stream.displayMatrix = [0, 1 << 16, 0, -(1 << 16), 0, 0, 0, 0, 1 << 30]
        let turned = GeneratedSource(
            times: (0..<3).map { MediaTime(value: $0, timescale: 25) }, stream: stream
        ) { _ in try GeneratedPicture.flat(50) }
        #expect(throws: FrameError.self) { try compare(source(3) { _ in try GeneratedPicture.flat(50) }, turned) }
    }

    @Test func lengthsThatFitNothingNeedAWord() throws {
        let picture = { @Sendable (_: Int) in try GeneratedPicture.flat(50) }
        #expect(throws: FrameError.self) { try compare(source(100, picture), source(150, picture)) }
        #expect(try compare(source(100, picture), source(150, picture), stretch: 1).pairs == 100)
        #expect(throws: FrameError.self) { try compare(source(10, picture), source(10, picture), stretch: 0) }
        #expect(throws: FrameError.self) { try compare(source(0, picture), source(10, picture)) }
    }

    @Test func theDifferenceIsFoundWhereItIs() throws {
        let a = source(50) { _ in try GeneratedPicture.texture(seed: 1) }
        let b = source(50) { try GeneratedPicture.texture(seed: $0 == 33 ? 2 : 1) }
        let found = try compare(a, b)
        #expect(found.equal == 49)
        #expect(found.points.count == 50)
        #expect(found.points.min { $0.ssim < $1.ssim }?.time == MediaTime(value: 33, timescale: 25))
        let page = ComparisonPage(before: "<a>", after: "b&c", comparison: found).html()
        #expect(page.contains("1.32 s <small>least alike</small>"))
        #expect(page.contains("&lt;a&gt;") && page.contains("b&amp;c") && !page.contains("<a>"))
    }

    /// With 3000 frames, the numbers of points and pictures do not grow, and the average covers all frames.
    @Test func longClipsTakeNoMoreRoom() throws {
        let flat = try GeneratedPicture.flat(50, width: 16, height: 16)
        let other = try GeneratedPicture.flat(52, width: 16, height: 16)
        let found = try compare(source(3000) { _ in flat }, source(3000) { $0.isMultiple(of: 2) ? flat : other })
        #expect(found.points.count <= 1000 && found.points.count >= 500)
        #expect(found.points.map(\.count).reduce(0, +) == 3000)
        let whole = try #require(found.whole)
        #expect(abs(whole.meanSquaredErrors[0] - 2) < 1e-9)
        let page = ComparisonPage(before: "a", after: "b", comparison: found).html()
        #expect(page.utf8.count < 400_000)
    }

    @Test func anotherSizeIsBroughtBack() throws {
        let a = source(4) { _ in try GeneratedPicture.flat(90, width: 64, height: 48) }
        let deep = try PixelFormat(subsampling: .yuv444, bitDepth: 10)
        let b = source(4) { _ in try GeneratedPicture.flat(90, deep, width: 128, height: 96) }
        let found = try compare(a, b)
        #expect(found.equal == 4)
    }
}
