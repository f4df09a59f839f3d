import FrameCore
import FrameEffects
import TestSupport
import Testing

@Suite struct FilmGrainSynthesizerTests {
    private func grainy(
        _ picture: PixelBuffer, _ grain: FilmGrain, threads: Int = 1
    ) throws -> PixelBuffer {
        try FilmGrainSynthesizer(
            format: picture.format, width: picture.width, height: picture.height, context: .init(threads: threads)
        ).adding(grain, to: picture)
    }

    @Test(arguments: ChromaSubsampling.allCases, [8, 10, 16])
    func threadsChangeNothing(subsampling: ChromaSubsampling, depth: Int) throws {
        let format = try PixelFormat(subsampling: subsampling, bitDepth: depth)
        let picture = try GeneratedPicture.waves(format, width: 131, height: 99)
        let grain = try FilmGrain.preset(strength: 6)
        let one = try grainy(picture, grain)
        #expect(!one.hasSameSamples(as: picture))
        #expect(try grainy(picture, grain, threads: 4).hasSameSamples(as: one))
    }

    /// The grain of 12 bits, shifted up; within the limited range, where both clip alike.
    @Test func sixteenBitsGetTheGrainOfTwelve() throws {
        var grain = try FilmGrain.preset(strength: 5)
        grain.isClippedToLimitedRange = true
        func result(_ depth: Int) throws -> PixelBuffer {
            let format = try PixelFormat(subsampling: .yuv420, bitDepth: depth)
            return try grainy(try GeneratedPicture.waves(format, width: 80, height: 66), grain)
        }
        let (deep, twelve) = (try result(16), try result(12))
        for plane in 0..<3 {
            #expect(deep.samples(ofPlane: plane) == twelve.samples(ofPlane: plane).map { $0 << 4 })
        }
    }

    @Test func limitedRangeIsKept() throws {
        var grain = try FilmGrain.preset(strength: 32)
        for (value, range) in [(16, 16...235), (235, 16...235), (0, 0...255), (255, 0...255)] {
            grain.isClippedToLimitedRange = range.lowerBound == 16
            let samples = try grainy(try GeneratedPicture.flat(value), grain).samples(ofPlane: 0)
            #expect(samples.allSatisfy { range.contains(Int($0)) })
            #expect(Set(samples).count > 1)
        }
    }

    @Test func noGrainIsTheFrameItself() throws {
        let picture = try GeneratedPicture.texture()
        #expect(try grainy(picture, try FilmGrain.preset(strength: 0)).hasSameSamples(as: picture))
        // Without points for luma, only chroma changes.
        var grain = try FilmGrain.preset(strength: 8)
        grain.lumaPoints = []
        let result = try grainy(picture, grain)
        #expect(result.samples(ofPlane: 0) == picture.samples(ofPlane: 0))
        #expect(result.samples(ofPlane: 1) != picture.samples(ofPlane: 1))
    }

    @Test(arguments: [Float(1), 2, 4, 8, 16, 24])
    func presetHasTheStatedDeviation(strength: Float) throws {
        let picture = try GeneratedPicture.flat(112, width: 512, height: 512)
        let samples = try grainy(picture, try FilmGrain.preset(strength: strength)).samples(ofPlane: 0)
        let variance = samples.reduce(0.0) { $0 + (Double($1) - 112) * (Double($1) - 112) } / Double(samples.count)
        // Rounding adds 1/12.
        #expect(abs((variance - 1 / 12.0).squareRoot() / Double(strength) - 1) < 0.08)
    }

    @Test func badValuesAreRefused() throws {
        let picture = try GeneratedPicture.flat(100)
        var grain = try FilmGrain.preset(strength: 4)
        grain.scalingShift = 12
        let error = #expect(throws: FrameError.self) { try grainy(picture, grain) }
        #expect(error?.message == "the scaling shift 12 is not allowed; it is 8 to 11")
        let strength = #expect(throws: FrameError.self) { try FilmGrain.preset(strength: .nan) }
        #expect(strength?.message == "the grain strength nan is not allowed; it is a number from 0 to 32")
        let synthesizer = try FilmGrainSynthesizer(format: .yuv420p8, width: 32, height: 32)
        #expect(throws: FrameError.self) { try synthesizer.adding(try .preset(strength: 4), to: picture) }
    }
}
