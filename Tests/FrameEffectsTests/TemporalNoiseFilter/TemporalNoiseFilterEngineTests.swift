import FrameCore
import FrameEffects
import TestSupport
import Testing

/// Frames of a scene with noise of a known strength, and without noise.
struct NoisyClip {
    let clean: [PixelBuffer]
    let noisy: [PixelBuffer]

    /// - Parameters:
    ///   - sigma: the standard deviation in 8-bit code values.
    ///   - count: the number of frames, at times 0, 1, 2…
    init(
        _ scene: MovingScene, sigma: Float, count: Int, _ format: PixelFormat = .yuv420p8, width: Int = 208,
        height: Int = 144
    ) throws {
        clean = try (0..<count).map { try scene.picture(Float($0), format, width: width, height: height) }
        let level = scene.level
        let noise = MovingScene { plane, x, y, t in
            level(plane, x, y, t) + sigma * sampleNoise(x + 1000 * Float(plane), y, seed: Int(t) + 77)
        }
        noisy = try (0..<count).map { try noise.picture(Float($0), format, width: width, height: height) }
    }

    func filtered(
        _ index: Int, _ noise: NoiseLevel, quality: QualityPrioritization = .normal, past: Int = 8, future: Int = 8,
        threads: Int = 2
    ) throws -> (picture: PixelBuffer, sigma: Double) {
        let first = noisy[0]
        let engine = try TemporalNoiseFilterEngine(
            format: first.format, width: first.width, height: first.height, quality: quality,
            context: .init(threads: threads))
        let picture = try engine.filter(
            noisy[index], previous: Array(noisy[max(0, index - past)..<index]),
            next: Array(noisy[(index + 1)..<min(noisy.count, index + 1 + future)]), noise: noise)
        return (picture, engine.estimatedSigma)
    }

    /// Returns the PSNR of a plane of a filtered and of the noisy frame, compared with the clean one, in dB.
    func psnr(_ picture: PixelBuffer, _ index: Int, plane: Int = 0) -> (filtered: Double, noisy: Double) {
        (
            PictureDifference(picture, clean[index], plane: plane, where: nil).psnr,
            PictureDifference(noisy[index], clean[index], plane: plane, where: nil).psnr
        )
    }
}

@Suite struct TemporalNoiseFilterEngineTests {
    @Test(arguments: [Float(5), 10, 20, 40], QualityPrioritization.allCases)
    func noiseGoesAndThePictureStays(_ sigma: Float, _ quality: QualityPrioritization) throws {
        let clip = try NoisyClip(.translation(3.3, -1.6), sigma: sigma, count: 9)
        let result = try clip.filtered(4, .sigma(sigma), quality: quality).picture
        for plane in 0..<3 {
            let psnr = clip.psnr(result, 4, plane: plane)
            #expect(psnr.filtered > psnr.noisy + (quality == .quality ? 8 : 7), "plane \(plane): \(psnr)")
        }
        if quality == .quality {
            let normal = try clip.filtered(4, .sigma(sigma)).picture
            #expect(clip.psnr(result, 4).filtered > clip.psnr(normal, 4).filtered + 0.4)
        }
    }

    @Test(arguments: ChromaSubsampling.allCases, [8, 10, 12, 16])
    func formats(_ subsampling: ChromaSubsampling, _ depth: Int) throws {
        let format = try PixelFormat(subsampling: subsampling, bitDepth: depth)
        for (width, height) in [(16, 16), (97, 51), (130, 64)] {
            let clip = try NoisyClip(
                .translation(2, 1), sigma: 12, count: 4, format, width: width, height: height)
            for quality in QualityPrioritization.allCases {
                let result = try clip.filtered(1, .sigma(12), quality: quality).picture
                #expect(result.format == format && result.width == width && result.height == height)
                for plane in 0..<format.planeCount {
                    let psnr = clip.psnr(result, 1, plane: plane)
                    #expect(psnr.filtered > psnr.noisy + 2, "\(width)x\(height) \(format) plane \(plane): \(psnr)")
                }
            }
        }
    }

    @Test(arguments: QualityPrioritization.allCases) func resultsDependOnNothingElse(_ quality: QualityPrioritization)
        throws
    {
        let clip = try NoisyClip(.translation(-4, 2), sigma: 15, count: 7)
        let alone = try clip.filtered(3, .automatic, quality: quality).picture
        #expect(try clip.filtered(3, .automatic, quality: quality, threads: 5).picture.hasSameSamples(as: alone))
        // Within a clip, and after jumps.
        let engine = try TemporalNoiseFilterEngine(
            format: .yuv420p8, width: 208, height: 144, quality: quality, context: .init(threads: 2))
        for index in [0, 1, 2, 3, 6, 0, 3] {
            let result = try engine.filter(
                clip.noisy[index], previous: Array(clip.noisy[..<index]), next: Array(clip.noisy[(index + 1)...]),
                noise: .automatic)
            if index == 3 { #expect(result.hasSameSamples(as: alone)) }
        }
    }

    @Test(arguments: [Float(5), 10, 20, 40]) func noiseIsMeasured(_ sigma: Float) throws {
        let clip = try NoisyClip(.translation(5, -3), sigma: sigma, count: 7, width: 400, height: 300)
        let found = try clip.filtered(3, .automatic).sigma
        #expect(abs(found - Double(sigma)) < 0.1 * Double(sigma), "found \(found)")
        let clean = try NoisyClip(.translation(5, -3), sigma: 0, count: 7, width: 400, height: 300)
        #expect(try clean.filtered(3, .automatic).sigma < 0.6)
    }

    @Test func nothingToDoGivesTheFrameItself() throws {
        let clip = try NoisyClip(.translation(1, 0), sigma: 9, count: 3)
        for noise in [NoiseLevel.strength(0), .sigma(0), .sigma(9, strength: 0)] {
            #expect(try clip.filtered(1, noise).picture.hasSameSamples(as: clip.noisy[1]))
        }
        let clean = try NoisyClip(.translation(1, 0), sigma: 0, count: 3)
        #expect(try clean.filtered(1, .sigma(0.04)).picture.hasSameSamples(as: clean.noisy[1]))
        #expect(try !clip.filtered(1, .sigma(9)).picture.hasSameSamples(as: clip.noisy[1]))
    }

    /// Flat and clean: there is no noise to find, and no division by zero.
    @Test(arguments: QualityPrioritization.allCases) func cleanDrawingsStay(_ quality: QualityPrioritization) throws {
        let scene = MovingScene { plane, x, y, t in
            plane > 0 ? 128 : x - 3 * t > 60 && x - 3 * t < 110 && y > 40 && y < 90 ? 180 : 60
        }
        let clip = try NoisyClip(scene, sigma: 0, count: 7)
        for noise in [NoiseLevel.automatic, .sigma(0.001)] {
            let result = try clip.filtered(3, noise, quality: quality).picture
            for plane in 0..<3 { #expect(PictureDifference(result, clip.clean[3], plane: plane).largest <= 1) }
        }
    }

    /// Half the strength leaves half of the noise's amplitude, whether the noise is measured or given.
    @Test(arguments: QualityPrioritization.allCases) func strengthHasAMeaning(_ quality: QualityPrioritization) throws {
        let clip = try NoisyClip(.translation(2, 2), sigma: 10, count: 7)
        for (full, half) in [
            (NoiseLevel.automatic, NoiseLevel.strength(0.5)), (.sigma(10), .sigma(10, strength: 0.5)),
        ] {
            let whole = try clip.filtered(3, full, quality: quality).picture
            let part = try clip.filtered(3, half, quality: quality).picture
            for plane in 0..<3 {
                let noisy = clip.noisy[3].samples(ofPlane: plane), clean = whole.samples(ofPlane: plane)
                for ((source, filtered), mixed) in zip(zip(noisy, clean), part.samples(ofPlane: plane)) {
                    #expect(abs(2 * Int(mixed) - Int(source) - Int(filtered)) <= 1)
                }
            }
        }
        let all = try clip.filtered(3, .strength(1), quality: quality).picture
        #expect(try all.hasSameSamples(as: clip.filtered(3, .automatic, quality: quality).picture))
    }

    /// At the start of a scene in live use there are no neighbours, but even this frame must be denoised.
    @Test(arguments: QualityPrioritization.allCases) func aPictureAloneIsCleanedInSpace(
        _ quality: QualityPrioritization
    ) throws {
        let clip = try NoisyClip(.translation(2, 1), sigma: 20, count: 1)
        for noise in [NoiseLevel.sigma(20), .automatic] {
            let result = clip.psnr(try clip.filtered(0, noise, quality: quality).picture, 0)
            #expect(result.filtered > result.noisy + (noise == .automatic ? 1 : 3), "\(noise)")
        }
    }

    /// Pilot estimates of neighbours are reused from frame to frame and not computed twice.
    @Test func pilotsAreOfTheirOwnPicture() throws {
        let clip = try NoisyClip(.translation(-4, 2), sigma: 15, count: 14)
        let engine = try TemporalNoiseFilterEngine(
            format: .yuv420p8, width: 208, height: 144, quality: .quality, context: .init(threads: 2))
        for index in clip.noisy.indices {
            _ = try engine.filter(
                clip.noisy[index], previous: Array(clip.noisy[max(0, index - 8)..<index]),
                next: Array(clip.noisy[(index + 1)..<min(clip.noisy.count, index + 9)]), noise: .automatic)
        }
        #expect(engine.pilotCount <= 17)
    }

    @Test(arguments: [(8, 8), (15, 15), (14, 40), (40, 14)]) func tinyPicturesAreRefused(_ width: Int, _ height: Int) {
        let error = #expect(throws: FrameError.self) {
            try TemporalNoiseFilterEngine(
                format: .yuv420p8, width: width, height: height, quality: .normal, context: .serial)
        }
        #expect(error?.message.contains("\(width)x\(height)") == true)
        #expect(error?.message.contains("16x16 to 8192x8192") == true)
    }

    @Test func onlyThePastIsEnough() throws {
        let clip = try NoisyClip(.translation(3, 1), sigma: 20, count: 8)
        let live = clip.psnr(try clip.filtered(5, .sigma(20), future: 0).picture, 5)
        #expect(live.filtered > live.noisy + 6)
    }

    /// A flash lights one frame; it must neither vanish nor affect its neighbours.
    @Test func flashesAndFadesStay() throws {
        let texture = NoiseTexture.planes(3)
        let scene = MovingScene { plane, x, y, t in
            let light: Float = t == 4 ? 60 : t > 5 ? -8 * (t - 5) : 0
            return texture[plane].value(x - 2 * t, y) * 0.6 + 40 + (plane == 0 ? light : 0)
        }
        let clip = try NoisyClip(scene, sigma: 8, count: 9)
        for index in [3, 4, 5, 6, 7] {
            for quality in QualityPrioritization.allCases {
                let result = try clip.filtered(index, .sigma(8), quality: quality).picture
                func mean(_ picture: PixelBuffer) -> Double {
                    let samples = picture.samples(ofPlane: 0)
                    return samples.reduce(0.0) { $0 + Double($1) } / Double(samples.count)
                }
                #expect(abs(mean(result) - mean(clip.clean[index])) < 0.5, "frame \(index)")
                #expect(
                    clip.psnr(result, index).filtered > clip.psnr(result, index).noisy + (index == 4 ? 2 : 4),
                    "frame \(index)")
            }
        }
    }

    /// Lines one sample wide on a flat background survive and leave no traces in other frames.
    @Test func thinLinesStayAndLeaveNothingBehind() throws {
        let scene = MovingScene { plane, x, y, t in
            plane > 0 ? 128 : (Int(x - 7 * t + 700) % 40 == 0 || Int(y) % 32 == 5) ? 190 : 90
        }
        let clip = try NoisyClip(scene, sigma: 10, count: 7)
        let result = try clip.filtered(3, .sigma(10)).picture
        let samples = result.samples(ofPlane: 0), clean = clip.clean[3].samples(ofPlane: 0)
        var lines: [Double] = [], ground: [Double] = []
        for (value, truth) in zip(samples, clean) {
            if truth > 150 { lines.append(Double(value)) } else { ground.append(abs(Double(value) - Double(truth))) }
        }
        #expect(lines.reduce(0, +) / Double(lines.count) > 178)
        #expect(ground.sorted()[ground.count * 999 / 1000] < 30)
    }
}
