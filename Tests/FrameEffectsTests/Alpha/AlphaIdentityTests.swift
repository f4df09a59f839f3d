import FrameCore
import FrameEffects
import Imaging
import TestSupport
import Testing

/// What effects must leave as it is, in frames with alpha and in RGB.
@Suite struct AlphaIdentityTests {
    static let depths = [8, 10, 12, 16]
    private static let sizes = [(16, 16), (33, 19), (67, 51)]

    /// Calls `body` with each format of a depth, and a picture of odd size among others.
    private func everyPicture(
        _ depth: Int, sizes: [(Int, Int)] = sizes, _ body: (PixelBuffer, Comment) throws -> Void
    ) throws {
        for format in try AlphaPicture.formats(depth: depth) {
            for (width, height) in sizes {
                try body(
                    AlphaPicture.texture(format, width: width, height: height), "\(format) \(width)x\(height)")
            }
        }
    }

    /// Equal samples in different memory.
    private func copy(_ picture: PixelBuffer) throws -> PixelBuffer {
        var copy = picture
        try copy.withMutablePlanes { _ in }
        return copy
    }

    @Test(arguments: depths) func identicalFramesStayBitExact(depth: Int) throws {
        try everyPicture(depth) { picture, comment in
            for quality in [QualityPrioritization.normal, .quality] {
                let made = try interpolate(picture, copy(picture), [0.1, 0.5, 0.77], quality: quality).pictures
                #expect(made.count == 3 && made.allSatisfy { $0.hasSameSamples(as: picture) }, comment)
            }
        }
    }

    @Test(arguments: depths) func endsAreTheNeighbours(depth: Int) throws {
        for format in try AlphaPicture.formats(depth: depth) {
            let a = try AlphaPicture.texture(format, width: 67, height: 51)
            let b = try AlphaPicture.texture(format, width: 67, height: 51, seed: 1)
            let made = try interpolate(a, b, [0, 1]).pictures
            #expect(made[0].hasSameSamples(as: a) && made[1].hasSameSamples(as: b), "\(format)")
            let pool = try PixelBufferPool(format: format, width: 67, height: 51)
            #expect(try crossFade(from: a, to: b, phase: 0, pool: pool).hasSameSamples(as: a), "\(format)")
            #expect(try crossFade(from: a, to: b, phase: 1, pool: pool).hasSameSamples(as: b), "\(format)")
            #expect(try crossFade(from: a, to: a, phase: 0.3, pool: pool).hasSameSamples(as: a), "\(format)")
        }
    }

    @Test(arguments: depths, [false, true]) func stillPicturesAreNotBlurred(depth: Int, linearLight: Bool) throws {
        try everyPicture(depth) { picture, comment in
            let engine = try MotionBlurEngine(
                format: picture.format, width: picture.width, height: picture.height, quality: .normal,
                linearLight: linearLight, context: .init(threads: 2))
            for (previous, next) in [(true, true), (true, false), (false, true)] {
                let made = try engine.blur(
                    picture, previous: previous ? copy(picture) : nil, next: next ? copy(picture) : nil,
                    color: .unspecified, strength: 100, relation: .none)
                #expect(made.hasSameSamples(as: picture), comment)
            }
        }
    }

    @Test(arguments: depths) func stillPicturesAreNotDeinterlaced(depth: Int) throws {
        try everyPicture(depth) { picture, comment in
            let engine = try DeinterlacerEngine(
                format: picture.format, width: picture.width, height: picture.height, quality: .normal,
                context: .init(threads: 2))
            let made = try engine.pictures(
                of: picture, previous: copy(picture), next: copy(picture), order: .topFirst, count: 2)
            #expect(made.count == 2 && made.allSatisfy { $0.hasSameSamples(as: picture) }, comment)
        }
    }

    @Test(arguments: depths) func flatPicturesAreNotDenoised(depth: Int) throws {
        for format in try AlphaPicture.formats(depth: depth) {
            let unit = 1 << (depth - 8)
            for alpha in [0, 90 * unit, format.maximumValue] {
                let picture = try GeneratedPicture.drawCodes(format, width: 97, height: 61) { plane, _, _ in
                    plane == format.alphaPlane ? alpha : [70, 140, 200][plane] * unit
                }
                for quality in [QualityPrioritization.normal, .quality] {
                    let engine = try TemporalNoiseFilterEngine(
                        format: format, width: 97, height: 61, quality: quality, context: .init(threads: 2))
                    for level in [NoiseLevel.automatic, .sigma(5)] {
                        let made = try engine.filter(
                            picture, previous: [copy(picture)], next: [copy(picture)], noise: level)
                        #expect(made.hasSameSamples(as: picture), "\(format), \(quality), \(level), alpha \(alpha)")
                    }
                }
            }
        }
    }

    /// Flat colors under alpha with steps: what is seen hardly changes, and nothing hidden comes out.
    @Test(arguments: depths) func stepsOfAlphaStay(depth: Int) throws {
        for format in try AlphaPicture.formats(depth: depth) where format.hasAlpha {
            let unit = 1 << (depth - 8), alpha = format.colorPlaneCount
            let picture = try GeneratedPicture.drawCodes(format, width: 97, height: 61) { plane, x, _ in
                let isShown = x * 97 / format.planeWidth(plane, width: 97) >= 32
                return plane == alpha
                    ? [0, 90 * unit, format.maximumValue][min(x / 33, 2)] : isShown ? [70, 140, 200][plane] * unit : 0
            }
            let engine = try TemporalNoiseFilterEngine(
                format: format, width: 97, height: 61, quality: .quality, context: .init(threads: 2))
            let made = try engine.filter(
                picture, previous: [copy(picture)], next: [copy(picture)], noise: .sigma(5))
            #expect(made.samples(ofPlane: alpha) == picture.samples(ofPlane: alpha))
            let shown = try made.overGrey(context: .serial), wanted = try picture.overGrey(context: .serial)
            for plane in 0..<alpha {
                #expect(PictureDifference(shown, wanted, plane: plane).largest <= 4 * unit, "\(format), plane \(plane)")
            }
        }
    }

    @Test(arguments: [8, 10, 16]) func aConstantStaysConstant(depth: Int) throws {
        for format in try AlphaPicture.formats(depth: depth) {
            let unit = 1 << (depth - 8)
            for alpha in [format.maximumValue, 120 * unit] {
                func flat(_ width: Int, _ height: Int) throws -> PixelBuffer {
                    try GeneratedPicture.drawCodes(format, width: width, height: height) { plane, _, _ in
                        plane == format.alphaPlane ? alpha : [70, 140, 200][plane] * unit
                    }
                }
                let picture = try flat(37, 29)
                for model in [SuperResolutionNetwork.Model.small, .large] {
                    let engine = try SuperResolutionScalerEngine(
                        format: format, size: FrameDimensions(width: 37, height: 29),
                        outputSize: FrameDimensions(width: 74, height: 58), model: model, isStill: false,
                        context: .init(threads: 2))
                    let made = try engine.upscale(picture, color: .unspecified, next: picture),
                        wanted = try flat(74, 58)
                    for plane in 0..<format.planeCount {
                        // RGB and premultiplied colors are rounded on the way.
                        let most = format.isRGB && depth > 14 ? 2 : alpha < format.maximumValue ? 2 : 0
                        #expect(
                            PictureDifference(made, wanted, plane: plane).largest <= most,
                            "\(format), alpha \(alpha), \(model), plane \(plane)")
                    }
                }
            }
        }
    }

    /// Grain is added to colors alone.
    @Test(arguments: [8, 10, 16]) func grainLeavesAlpha(depth: Int) throws {
        let coefficients = [Int](repeating: 0, count: 24)
        for format in try AlphaPicture.formats(depth: depth) where format.hasAlpha {
            let grain = FilmGrain(
                seed: 7, lumaPoints: [.init(value: 0, scaling: 90), .init(value: 255, scaling: 90)],
                lumaCoefficients: coefficients,
                chroma: .init(repeating: .init(coefficients: coefficients + [0]), count: 2))
            let picture = try AlphaPicture.texture(format, width: 67, height: 51)
            let made = try FilmGrainSynthesizer(format: format, width: 67, height: 51)
                .adding(grain, to: picture, matrix: .unspecified)
            let alpha = format.colorPlaneCount
            #expect(made.samples(ofPlane: alpha) == picture.samples(ofPlane: alpha), "\(format)")
            #expect(made.samples(ofPlane: 0) != picture.samples(ofPlane: 0), "\(format)")
            let plain = try FilmGrainSynthesizer(format: format.withoutAlpha, width: 67, height: 51)
                .adding(grain, to: picture.withoutAlpha, matrix: .unspecified)
            #expect(made.withoutAlpha.hasSameSamples(as: plain), "\(format)")
        }
    }
}
