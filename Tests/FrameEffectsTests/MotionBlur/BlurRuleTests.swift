import FrameCore
import FrameEffects
import Motion
import TestSupport
import Testing

/// Properties of every blurred frame.
@Suite struct BlurRuleTests {
    @Test(arguments: [false, true]) func stillPicturesAreCopied(_ linearLight: Bool) throws {
        for (format, width, height) in [
            (PixelFormat.yuv420p8, 64, 48), (try PixelFormat(subsampling: .yuv422, bitDepth: 10), 97, 61),
            (try PixelFormat(subsampling: .yuv444, bitDepth: 16), 33, 17),
        ] {
            let picture = try GeneratedPicture.texture(format, width: width, height: height)
            let engine = try MotionBlurEngine(
                format: format, width: width, height: height, quality: .normal, linearLight: linearLight,
                context: .init(threads: 2))
            for (previous, next) in [(true, true), (true, false), (false, true), (false, false)] {
                let made = try engine.blur(
                    picture, previous: previous ? picture : nil, next: next ? picture : nil, color: .unspecified,
                    strength: 100, relation: .none)
                #expect(made.hasSameSamples(as: picture))
            }
        }
    }

    /// Far from moving objects, not a single bit changes.
    @Test func stillAreasAreCopied() throws {
        let scene = BlurScene.square(8, 0)
        let difference = PictureDifference(try scene.blurred(), try scene.frame(0)) { x, y in
            x < 40 || x >= 152 || y < 20 || y >= 124
        }
        #expect(difference.largest == 0)
    }

    @Test(arguments: ChromaSubsampling.allCases, [8, 10, 12, 16])
    func formats(_ subsampling: ChromaSubsampling, _ depth: Int) throws {
        for (width, height) in [(128, 96), (131, 75), (16, 16), (17, 19)] {
            var scene = BlurScene.square(6, -3)
            scene.format = try PixelFormat(subsampling: subsampling, bitDepth: depth)
            (scene.width, scene.height) = (width, height)
            let made = try scene.blurred(quality: .normal)
            #expect(made.format == scene.format && made.width == width && made.height == height)
            #expect(isWithinRange(made))
            guard width > 100 else { continue }
            for plane in 0..<scene.format.planeCount {
                let all = try scene.against(made, plane: plane)
                #expect(all.blurred > all.sharp, "plane \(plane) of \(width)x\(height): \(all)")
            }
        }
    }

    /// The same samples at another bit depth have the same motion, so the results differ only by rounding.
    @Test func depthsAgree() throws {
        let scene = BlurScene.square(10, 4), wide = try PixelFormat(subsampling: .yuv420, bitDepth: 16)
        let frames = try [-1, 0, 1].map { try scene.frame($0) }
        let widened = try frames.map { frame in
            let samples = (0..<3).map { frame.samples(ofPlane: $0) }
            return try GeneratedPicture.draw(wide, width: 192, height: 144) { plane, x, y in
                Int(samples[plane][y * (plane == 0 ? 192 : 96) + x])
            }
        }
        func blurred(_ frames: [PixelBuffer]) throws -> PixelBuffer {
            let engine = try MotionBlurEngine(
                format: frames[1].format, width: 192, height: 144, quality: .quality, linearLight: false,
                context: .init(threads: 2))
            return try engine.blur(
                frames[1], previous: frames[0], next: frames[2], color: .unspecified, strength: 100, relation: .none)
        }
        let a = try blurred(frames), b = try blurred(widened)
        for plane in 0..<3 {
            let pairs = zip(a.samples(ofPlane: plane), b.samples(ofPlane: plane))
            // Half a code value; white is an exception, since the largest 16-bit value is not 256 times the largest
            // 8-bit value.
            #expect(pairs.allSatisfy { abs(Int($0) * 256 - Int($1)) <= 128 || $0 == 255 })
        }
    }

    @Test(arguments: QualityPrioritization.allCases) func threadsDoNotMatter(_ quality: QualityPrioritization) throws {
        var scene = BlurScene.square(17, 6)
        (scene.width, scene.height) = (250, 187)
        let one = try scene.blurred(quality: quality, linearLight: true, threads: 1)
        for threads in [2, 3, 7] {
            let made = try scene.blurred(quality: quality, linearLight: true, threads: threads)
            #expect(made.hasSameSamples(as: one))
        }
    }

    /// A long motion leaves a smooth streak: no two neighbours differ as much as separate copies of a line would.
    @Test func longMotionDoesNotStrobe() throws {
        let texture = NoiseTexture(seed: 9)
        var scene = BlurScene(
            scene: MovingScene { plane, x, y, t in
                guard plane == 0 else { return 128 }
                let u = x - 100 * t
                return abs(u - 300) < 60 ? (Int(u.rounded()) % 24 == 0 ? 230 : texture.value(u, y)) : 60
            })
        scene.format = try PixelFormat(subsampling: .monochrome, bitDepth: 8)
        (scene.width, scene.height) = (600, 96)
        func all(_ dx: Float) throws -> DenseFlow {
            try DenseFlow(width: 600, height: 96, vectors: [SIMD2<Float>](repeating: SIMD2(dx, 0), count: 600 * 96))
        }
        let flow = try OpticalFlow(forward: all(100), backward: all(-100))
        let engine = try MotionBlurEngine(
            format: scene.format, width: 600, height: 96, quality: .normal, linearLight: false,
            context: .init(threads: 2))
        let made = try engine.blur(
            scene.frame(0), previous: scene.frame(-1), next: scene.frame(1), color: .unspecified, strength: 100,
            relation: .none, previousFlow: flow, nextFlow: flow)
        let samples = made.samples(ofPlane: 0)
        for y in 40..<56 {
            for x in 270..<330 { #expect(abs(Int(samples[y * 600 + x]) - Int(samples[y * 600 + x + 1])) <= 4) }
        }
    }

    @Test(arguments: [0, 101, -1, Int.max, Int.min]) func strengthOutOfRange(_ strength: Int) throws {
        let picture = try GeneratedPicture.texture()
        let engine = try MotionBlurEngine(
            format: picture.format, width: 64, height: 48, quality: .normal, linearLight: false, context: .serial)
        #expect(throws: FrameError.self) {
            try engine.blur(
                picture, previous: nil, next: nil, color: .unspecified, strength: strength, relation: .none)
        }
        let error = #expect(throws: FrameProcessorError.self) { try parameters(strength: strength) }
        #expect(error?.code == .invalidParameterError)
        #expect(error?.message == "motion blur strength \(strength) is not allowed; it is 1 to 100")
    }

    private func parameters(
        strength: Int = 50, mode: SubmissionMode = .random, next: FrameProcessorFrame? = nil,
        previous: FrameProcessorFrame? = nil, nextFlow: FrameProcessorOpticalFlow? = nil,
        previousFlow: FrameProcessorOpticalFlow? = nil, to target: FrameProcessorFrame? = nil
    ) throws -> MotionBlurParameters {
        try MotionBlurParameters(
            sourceFrame: sessionFrame(5), nextFrame: next, previousFrame: previous, nextOpticalFlow: nextFlow,
            previousOpticalFlow: previousFlow, motionBlurStrength: strength, submissionMode: mode,
            destinationFrame: target ?? sessionFrame(90))
    }

    @Test func parametersAreChecked() throws {
        #expect(try parameters().motionBlurStrength == 50 && MotionBlurParameters.defaultStrength == 50)
        for strength in [1, 100] { _ = try parameters(strength: strength) }
        func refused(_ make: () throws -> MotionBlurParameters) -> FrameProcessorError.Code? {
            code(#expect(throws: FrameProcessorError.self) { try make() })
        }
        #expect(refused { try parameters(mode: .sequentialReferencesUnchanged) } == .invalidParameterError)
        #expect(refused { try parameters(next: sessionFrame(4)) } == .invalidFrameTiming)
        #expect(refused { try parameters(previous: sessionFrame(6)) } == .invalidFrameTiming)
        #expect(refused { try parameters(next: sessionFrame(6, width: 66)) } == .unsupportedInput)
        #expect(refused { try parameters(to: sessionFrame(6, height: 50)) } == .unsupportedInput)
        let flow = try OpticalFlowConfiguration(frameWidth: 64, frameHeight: 48).makeDestination()
        let other = try OpticalFlowConfiguration(frameWidth: 64, frameHeight: 50).makeDestination()
        #expect(refused { try parameters(nextFlow: flow) } == .invalidParameterError)
        #expect(refused { try parameters(previousFlow: flow) } == .invalidParameterError)
        #expect(refused { try parameters(next: sessionFrame(6), nextFlow: other) } == .unsupportedInput)
        for (width, height) in [(15, 48), (64, 15), (8193, 48), (-1, 48), (0, 0)] {
            #expect(throws: FrameProcessorError.self) {
                try MotionBlurConfiguration(frameWidth: width, frameHeight: height)
            }
        }
    }

    /// Flow computed in advance gives the same picture, bit for bit, as flow computed internally, also in a session.
    @Test(arguments: QualityPrioritization.allCases, [SubmissionMode.sequential, .random])
    func precomputedFlow(_ quality: QualityPrioritization, _ mode: SubmissionMode) async throws {
        let scene = BlurScene.square(9, 5)
        let pictures = try (0..<4).map { try scene.frame(Float($0) - 1) }
        let finder = OpticalFlowEngine(width: 192, height: 144, quality: quality, context: .init(threads: 2))
        let flows = try (0..<3).map {
            try finder.flow(
                from: pictures[$0], to: pictures[$0 + 1],
                relation: mode == .sequential && $0 > 0 ? .follows : .none)
        }
        func blurred(_ usesFlow: Bool) async throws -> [PixelBuffer] {
            let processor = FrameProcessor()
            try processor.startSession(
                configuration: MotionBlurConfiguration(
                    frameWidth: 192, frameHeight: 144, usePrecomputedFlow: usesFlow, qualityPrioritization: quality))
            defer { processor.endSession() }
            let frames = pictures.enumerated().map {
                FrameProcessorFrame(buffer: $1, presentationTimeStamp: MediaTime(value: Int64($0), timescale: 1))
            }
            var made: [PixelBuffer] = []
            for i in 0..<4 {
                let target = FrameProcessorFrame(
                    buffer: try PixelBuffer(format: scene.format, width: 192, height: 144),
                    presentationTimeStamp: MediaTime(value: Int64(i), timescale: 1))
                let _: any FrameProcessorParameters = try await processor.process(
                    parameters: MotionBlurParameters(
                        sourceFrame: frames[i], nextFrame: i < 3 ? frames[i + 1] : nil,
                        previousFrame: i > 0 ? frames[i - 1] : nil,
                        nextOpticalFlow: usesFlow && i < 3 ? FrameProcessorOpticalFlow(flows[i]) : nil,
                        previousOpticalFlow: usesFlow && i > 0 ? FrameProcessorOpticalFlow(flows[i - 1]) : nil,
                        motionBlurStrength: 80, submissionMode: mode, destinationFrame: target))
                made.append(try target.buffer)
            }
            return made
        }
        let inside = try await blurred(false), ahead = try await blurred(true)
        for (a, b) in zip(inside, ahead) { #expect(a.hasSameSamples(as: b)) }
        #expect(!inside[1].hasSameSamples(as: pictures[1]))
    }

    @Test func flowMustFitTheConfiguration() async throws {
        let flow = try OpticalFlowConfiguration(frameWidth: 64, frameHeight: 48).makeDestination()
        for usesFlow in [true, false] {
            let processor = FrameProcessor(context: .serial)
            try processor.startSession(
                configuration: MotionBlurConfiguration(
                    frameWidth: 64, frameHeight: 48, usePrecomputedFlow: usesFlow))
            let parameters = try parameters(next: sessionFrame(6), nextFlow: usesFlow ? nil : flow)
            let error = await #expect(throws: FrameProcessorError.self) {
                let _: any FrameProcessorParameters = try await processor.process(parameters: parameters)
            }
            #expect(error?.code == .invalidParameterError)
            processor.endSession()
        }
    }
}
