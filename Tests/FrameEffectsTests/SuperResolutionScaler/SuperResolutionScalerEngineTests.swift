import FrameCore
import FrameEffects
import TestSupport
import Testing

/// Properties of the super resolution engine that do not depend on the trained model.
@Suite struct SuperResolutionScalerEngineTests {
    private static let shapes = [(37, 53), (64, 48), (16, 16)]
    private static let factors = [Rational(2, 1), Rational(3, 1), Rational(3, 2), Rational(9, 8), Rational(5, 1)]

    private func engine(
        _ format: PixelFormat, _ width: Int, _ height: Int, _ factor: Rational,
        _ model: SuperResolutionNetwork.Model = .small,
        threads: Int = 2
    ) throws -> (engine: SuperResolutionScalerEngine, size: FrameDimensions) {
        let geometry = try UpscalingGeometry(source: FrameDimensions(width: width, height: height), factor: factor)
        return (
            try SuperResolutionScalerEngine(
                format: format, size: geometry.source, outputSize: geometry.output, model: model, isStill: false,
                context: .init(threads: threads)),
            geometry.output
        )
    }

    @Test(arguments: ChromaSubsampling.allCases, [8, 10, 16])
    func aConstantStaysConstant(_ subsampling: ChromaSubsampling, _ depth: Int) throws {
        let format = try PixelFormat(subsampling: subsampling, bitDepth: depth)
        for (width, height) in Self.shapes {
            for factor in Self.factors {
                let picture = try GeneratedPicture.flat(90, format, width: width, height: height)
                let (engine, size) = try engine(format, width, height, factor)
                let first = try engine.upscale(picture, color: .unspecified)
                let second = try engine.upscale(
                    picture, color: .unspecified, reference: .init(source: picture, output: first), relation: .follows)
                let wanted = try GeneratedPicture.flat(90, format, width: size.width, height: size.height)
                let third = try engine.upscale(picture, color: .unspecified, next: picture)
                #expect(
                    third.hasSameSamples(as: wanted), "\(format) \(width)x\(height) times \(factor), with a next frame")
                #expect(first.hasSameSamples(as: wanted), "\(format) \(width)x\(height) times \(factor)")
                #expect(
                    second.hasSameSamples(as: wanted), "\(format) \(width)x\(height) times \(factor), with a reference")
            }
        }
    }

    /// Upscales consecutive frames, each with the previous output.
    private func upscaled(
        _ pictures: [PixelBuffer], by engine: SuperResolutionScalerEngine, seesNext: Bool
    ) throws -> [PixelBuffer] {
        var reference: SuperResolutionScalerEngine.Reference?
        return try pictures.indices.map { index in
            let output = try engine.upscale(
                pictures[index], color: .unspecified, reference: reference,
                next: seesNext && index + 1 < pictures.count ? pictures[index + 1] : nil,
                relation: reference == nil ? .none : .follows)
            reference = .init(source: pictures[index], output: output)
            return output
        }
    }

    @Test(arguments: SuperResolutionNetwork.Model.allCases) func theBitsDoNotDependOnThreads(
        _ model: SuperResolutionNetwork.Model
    ) throws {
        let scene = MovingScene.translation(3.3, -1.7)
        let deep = try PixelFormat(subsampling: .yuv420, bitDepth: 10)
        for (factor, format) in [(Rational(2, 1), PixelFormat.yuv420p8), (Rational(5, 3), deep)] {
            let pictures = try (0..<3).map { try scene.picture(Float($0), format, width: 150, height: 90) }
            let results = try [1, 3].map { threads in
                let (engine, _) = try engine(format, 150, 90, factor, model, threads: threads)
                return try upscaled(pictures, by: engine, seesNext: true).map(\.checksum)
            }
            #expect(results[0] == results[1])
        }
    }

    /// The next frame is upscaled early and kept. The frame that it becomes must look as if it had not been.
    @Test(arguments: [SuperResolutionNetwork.Model.small, .large]) func whatIsKnownOfTheNextFrameChangesNothing(
        _ model: SuperResolutionNetwork.Model
    ) throws {
        let scene = MovingScene.translation(3.3, -1.7)
        let pictures = try (0..<4).map { try scene.picture(Float($0), width: 150, height: 90) }
        let (first, _) = try engine(.yuv420p8, 150, 90, Rational(2, 1), model)
        let before = try first.upscale(pictures[0], color: .unspecified, next: pictures[1])
        let output = try first.upscale(
            pictures[1], color: .unspecified, reference: .init(source: pictures[0], output: before), next: pictures[2],
            relation: .follows)
        let (second, _) = try engine(.yuv420p8, 150, 90, Rational(2, 1), model)
        _ = try second.upscale(pictures[0], color: .unspecified)
        let wanted = try second.upscale(
            pictures[1], color: .unspecified, reference: .init(source: pictures[0], output: before), next: pictures[2],
            relation: .follows)
        #expect(output.hasSameSamples(as: wanted))
        // A scene that begins with a frame does not depend on what came before, not even on that frame as the next one.
        let (third, _) = try engine(.yuv420p8, 150, 90, Rational(2, 1), model)
        let scenes = try [first, third].map { try upscaled(Array(pictures[2...]), by: $0, seesNext: false) }
        #expect(scenes[0].count == 2)
        for (a, b) in zip(scenes[0], scenes[1]) { #expect(a.hasSameSamples(as: b)) }
        // Nor if the caller says that it follows.
        let (fourth, _) = try engine(.yuv420p8, 150, 90, Rational(2, 1), model)
        _ = try fourth.upscale(pictures[0], color: .unspecified, next: pictures[1])
        let (fifth, _) = try engine(.yuv420p8, 150, 90, Rational(2, 1), model)
        let starts = try [fourth, fifth].map {
            try $0.upscale(pictures[1], color: .unspecified, next: pictures[2], relation: .follows)
        }
        #expect(starts[0].hasSameSamples(as: starts[1]))
    }

    /// Returns the means of 2×2 samples, as a camera with half the resolution would see the picture.
    private func halved(_ picture: PixelBuffer) throws -> PixelBuffer {
        let width = picture.width / 2
        let luma = picture.samples(ofPlane: 0)
        return try GeneratedPicture.draw(
            PixelFormat(subsampling: .monochrome, bitDepth: 8), width: width, height: picture.height / 2
        ) { _, x, y in
            let i = 2 * y * picture.width + 2 * x
            return
                (Int(luma[i]) + Int(luma[i + 1]) + Int(luma[i + picture.width]) + Int(luma[i + picture.width + 1]) + 2)
                / 4
        }
    }

    /// A fine pattern that moves by fractions of a sample reveals more detail with every frame.
    @Test func framesOfAVideoHelpEachOther() throws {
        let grey = try PixelFormat(subsampling: .monochrome, bitDepth: 8)
        let texture = NoiseTexture(seed: 4, finest: 2.2)
        let scene = MovingScene { _, x, y, t in texture.value(x - 2.6 * t, y + 1.3 * t) }
        let truth = try (0..<6).map { try scene.picture(Float($0), grey, width: 320, height: 200) }
        let sources = try truth.map(halved)
        func psnr(_ picture: PixelBuffer, _ index: Int) -> Double {
            PictureDifference(picture, truth[index]) { x, y in x > 24 && y > 24 && x < 296 && y < 176 }.psnr
        }
        let middle = 4
        let alone = try engine(grey, 160, 100, Rational(2, 1)).engine.upscale(sources[middle], color: .unspecified)
        let next = try engine(grey, 160, 100, Rational(2, 1)).engine.upscale(
            sources[middle], color: .unspecified, next: sources[middle + 1])
        let previous = try upscaled(sources, by: engine(grey, 160, 100, Rational(2, 1)).engine, seesNext: false)
        let both = try upscaled(sources, by: engine(grey, 160, 100, Rational(2, 1)).engine, seesNext: true)
        #expect(
            previous[0].hasSameSamples(
                as: try engine(grey, 160, 100, Rational(2, 1)).engine.upscale(
                    sources[0], color: .unspecified)))
        #expect(psnr(next, middle) > psnr(alone, middle) + 0.1)
        #expect(psnr(previous[middle], middle) > psnr(alone, middle) + 0.2)
        #expect(psnr(both[middle], middle) > psnr(previous[middle], middle) + 0.05)
    }

    /// Almost nothing is taken from a previous or next frame that shows something else.
    @Test func whatDoesNotMatchIsLeftAlone() throws {
        let before = try MovingScene.translation(0, 0, seed: 3).picture(0, width: 160, height: 100)
        let source = try MovingScene.translation(0, 0, seed: 8).picture(0, width: 160, height: 100)
        let (engine, _) = try engine(.yuv420p8, 160, 100, Rational(2, 1))
        let alone = try engine.upscale(source, color: .unspecified)
        let output = try engine.upscale(
            source, color: .unspecified,
            reference: .init(source: before, output: try engine.upscale(before, color: .unspecified)))
        #expect(PictureDifference(output, alone).psnr > 45)
        #expect(PictureDifference(output, alone, plane: 1).largest == 0)
        let ahead = try engine.upscale(source, color: .unspecified, next: before)
        #expect(PictureDifference(ahead, alone).psnr > 45)
    }

    @Test(arguments: [
        (Rational(0, 1), false), (Rational(-1, 1), false), (Rational(1, 1), false), (Rational(17, 1), false),
        (Rational(2, 0), false), (Rational(16, 1), true), (Rational(17, 16), true),
    ])
    func factorsHaveARange(_ factor: Rational, _ isAllowed: Bool) throws {
        let size = FrameDimensions(width: 64, height: 48)
        if isAllowed {
            _ = try UpscalingGeometry(source: size, factor: factor)
        } else {
            let error = #expect(throws: FrameProcessorError.self) {
                try UpscalingGeometry(source: size, factor: factor)
            }
            #expect(error?.message.contains("it must be above 1 and at most 16") == true)
        }
    }

    @Test func sizesAreRoundedAndKeepTheirShape() throws {
        let size = FrameDimensions(width: 853, height: 479)
        let geometry = try UpscalingGeometry(source: size, factor: Rational(3, 2))
        #expect(geometry.output == FrameDimensions(width: 1280, height: 719))
        #expect(geometry.sampleAspectRatio(nil) == nil)
        #expect(geometry.sampleAspectRatio(Rational(8, 9)) == Rational(8, 9))
        let square = try UpscalingGeometry(
            source: FrameDimensions(width: 640, height: 360), output: FrameDimensions(width: 1000, height: 1000))
        // A 16:9 display aspect ratio on a square of samples.
        #expect(square.sampleAspectRatio(nil) == Rational(16, 9))
        #expect(square.sampleAspectRatio(Rational(3, 4)) == Rational(4, 3))
        var matrix: [Int32] = [0, 65536, 0, -65536, 0, 0, 360 << 16, 0, 1 << 30]
        matrix = try #require(square.displayMatrix(matrix))
        #expect(matrix[6] == Int32(Int64(360 << 16) * 1000 / 640))
    }

    /// Players guess an unspecified colour description from the height. If the guess would change, the result states it
    /// explicitly.
    @Test func aGuessAboutColorDoesNotChange() throws {
        func geometry(_ height: Int) throws -> UpscalingGeometry {
            try UpscalingGeometry(source: FrameDimensions(width: 640, height: height), factor: Rational(2, 1))
        }
        let told = try geometry(480).color(ColorDescription(range: .full))
        #expect(told == ColorDescription(matrix: .smpte170M, primaries: .smpte170M, transfer: .smpte170M, range: .full))
        #expect(
            try geometry(480).color(
                ColorDescription(matrix: .bt2020NonConstantLuminance, primaries: .bt2020, transfer: .pq)
            ).matrix == .bt2020NonConstantLuminance)
        // What is known decides about the rest, and PAL stays PAL.
        #expect(
            try geometry(360).color(ColorDescription(matrix: .bt709))
                == ColorDescription(matrix: .bt709, primaries: .bt709, transfer: .bt709))
        #expect(
            try geometry(576).color(.unspecified)
                == ColorDescription(matrix: .bt470BG, primaries: .bt470BG, transfer: .smpte170M))
        #expect(try geometry(288).color(.unspecified) == .unspecified)
        // Other players take more than 576 rows as high definition.
        #expect(try geometry(300).color(.unspecified).matrix == .smpte170M)
        #expect(try geometry(240).color(.unspecified) == .unspecified)
        #expect(try geometry(720).color(.unspecified) == .unspecified)
    }
}
