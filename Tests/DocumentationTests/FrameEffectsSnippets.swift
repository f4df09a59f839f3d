import FrameEffects
import TestSupport
import Testing

/// The code that the articles of FrameEffects show.
@Suite struct FrameEffectsSnippets {
    /// Frames of a moving scene, one second apart.
    private func frames(_ count: Int) throws -> [FrameProcessorFrame] {
        let scene = MovingScene.translation(6, -3, seed: 4)
        return try (0..<count).map {
            FrameProcessorFrame(
                buffer: try scene.picture(Float($0), width: 320, height: 180),
                presentationTimeStamp: MediaTime(value: Int64($0), timescale: 1))
        }
    }

    @Test func context() {
        // snippet
        let context = ExecutionContext(threads: 2)
        print(context.instructionSet)
        let processor = FrameProcessor(context: context)
        // end
        withExtendedLifetime(processor) {}
        #expect(context.threads == 2)
    }

    @Test func session() async throws {
        let pictures = try frames(2), source = pictures[0], next = pictures[1]
        // snippet
        guard FrameRateConversionConfiguration.supports(frameWidth: source.width, frameHeight: source.height) else {
            return
        }
        let configuration = try FrameRateConversionConfiguration(frameWidth: source.width, frameHeight: source.height)
        let processor = FrameProcessor()
        try processor.startSession(configuration: configuration)
        // end
        // snippet
        let pool = try configuration.destinationPixelBufferAttributes.makePool(format: source.format)
        let middle = FrameProcessorFrame(
            buffer: try pool.makeBuffer(), presentationTimeStamp: MediaTime(value: 1, timescale: 2))
        // end
        // snippet
        let parameters = try FrameRateConversionParameters(
            sourceFrame: source, nextFrame: next, interpolationPhase: [0.5], submissionMode: .random,
            destinationFrames: [middle])
        try await processor.process(parameters: parameters)
        let picture = try middle.buffer
        // end
        #expect(!picture.hasSameSamples(as: try source.buffer))
        // snippet
        for try await frame in processor.process(parameters: parameters) {
            print(frame.timeStamp, frame.frame.width)
        }
        // end
        await withCheckedContinuation { continuation in
            // snippet
            processor.process(parameters: parameters) { parameters, error in
                if let error { print("failed: \(error)") }
                continuation.resume()
            }
            // end
        }
        // snippet
        processor.endSession()
        try processor.startSession(configuration: OpticalFlowConfiguration(frameWidth: 320, frameHeight: 180))
        // end
        processor.endSession()
    }

    @Test func phases() async throws {
        let pictures = try frames(3)
        let configuration = try FrameRateConversionConfiguration(frameWidth: 320, frameHeight: 180)
        let pool = try configuration.destinationPixelBufferAttributes.makePool(format: .yuv420p8)
        let processor = FrameProcessor()
        try processor.startSession(configuration: configuration)
        defer { processor.endSession() }
        // snippet
        @Sendable func makeFrames(
            between source: FrameProcessorFrame, and next: FrameProcessorFrame, phases: [Rational], mode: SubmissionMode
        ) async throws -> [FrameProcessorFrame] {
            let start = source.presentationTimeStamp, span = next.presentationTimeStamp - start
            let destinations = try phases.map {
                FrameProcessorFrame(
                    buffer: try pool.makeBuffer(), presentationTimeStamp: start + span.multiplied(by: $0))
            }
            try await processor.process(
                parameters: FrameRateConversionParameters(
                    sourceFrame: source, nextFrame: next, interpolationPhase: phases.map { Float($0.doubleValue) },
                    submissionMode: mode, destinationFrames: destinations))
            return destinations
        }
        // end
        // snippet
        let thirds = [Rational(1, 3), Rational(2, 3)]
        for (source, next) in zip(pictures, pictures.dropFirst()) {
            let made = try await makeFrames(between: source, and: next, phases: thirds, mode: .sequential)
            print(made.map(\.presentationTimeStamp))
        }
        // end
        // snippet
        let first = try await makeFrames(
            between: pictures[0], and: pictures[1], phases: [Rational(1, 2)], mode: .random)
        let rest = try await makeFrames(
            between: pictures[0], and: pictures[1], phases: [Rational(1, 4), Rational(3, 4)],
            mode: .sequentialReferencesUnchanged)
        // end
        #expect(first.count == 1 && rest.count == 2)
        #expect(rest[1].presentationTimeStamp == MediaTime(value: 3, timescale: 4))
    }

    @Test func flow() async throws {
        let pictures = try frames(2), source = pictures[0], next = pictures[1]
        // snippet
        let configuration = try OpticalFlowConfiguration(frameWidth: 320, frameHeight: 180)
        let processor = FrameProcessor()
        try processor.startSession(configuration: configuration)
        let destination = try configuration.makeDestination()
        let parameters = try OpticalFlowParameters(
            sourceFrame: source, nextFrame: next, submissionMode: .random, destinationOpticalFlow: destination)
        try await processor.process(parameters: parameters)
        let flow = try destination.opticalFlow
        processor.endSession()
        // end
        // snippet
        let field = flow.forward
        let motion = field.vector(x: 160, y: 90)  // luma samples to the right and down, e.g. (6, -3)
        for row in 0..<field.rows {
            for column in 0..<field.columns where field.confidence(column: column, row: row) > 0.5 {
                let isHidden = field.occlusion(column: column, row: row) > 0.5
                print(column * field.cellSide, row * field.cellSide, field.vector(column: column, row: row), isHidden)
            }
        }
        // end
        #expect(abs(motion.x - 6) < 0.25 && abs(motion.y + 3) < 0.25)
        // snippet
        let file = flow.encoded()
        let restored = try OpticalFlow(decoding: file)  // equal to `flow`
        // end
        #expect(restored == flow)
        // snippet
        let dense = flow.forward.dense()
        let floFile = dense.flo()  // Middlebury .flo: 32-bit floats
        let half = dense.halfPrecision()  // pairs of Float16, as in VideoToolbox's buffers
        // end
        // snippet
        let imported = try OpticalFlow(
            forward: DenseFlow(flo: floFile), backward: DenseFlow(width: 320, height: 180, halfPrecision: half))
        // end
        #expect(imported.forward.cellSide == 4)
        // snippet
        let conversion = FrameProcessor()
        try conversion.startSession(
            configuration: FrameRateConversionConfiguration(
                frameWidth: 320, frameHeight: 180, usePrecomputedFlow: true))
        let middle = FrameProcessorFrame(
            buffer: try PixelBuffer(format: source.format, width: 320, height: 180),
            presentationTimeStamp: MediaTime(value: 1, timescale: 2))
        try await conversion.process(
            parameters: FrameRateConversionParameters(
                sourceFrame: source, nextFrame: next, opticalFlow: FrameProcessorOpticalFlow(restored),
                interpolationPhase: [0.5], submissionMode: .random, destinationFrames: [middle]))
        conversion.endSession()
        // end
        #expect(!(try middle.buffer.hasSameSamples(as: source.buffer)))
    }

    @Test func superResolution() async throws {
        let pictures = try frames(3)
        // snippet
        let configuration = try SuperResolutionScalerConfiguration(
            frameWidth: 320, frameHeight: 180, scaleFactor: 2, inputType: .video)
        let pool = try configuration.destinationPixelBufferAttributes.makePool(format: .yuv420p8)
        let processor = FrameProcessor()
        try processor.startSession(configuration: configuration)
        defer { processor.endSession() }
        var previous: (source: FrameProcessorFrame, output: FrameProcessorFrame)?
        for (index, source) in pictures.enumerated() {
            let output = FrameProcessorFrame(
                buffer: try pool.makeBuffer(), presentationTimeStamp: source.presentationTimeStamp)
            try await processor.process(
                parameters: SuperResolutionScalerParameters(
                    sourceFrame: source, previousFrame: previous?.source, previousOutputFrame: previous?.output,
                    nextFrame: index + 1 < pictures.count ? pictures[index + 1] : nil,
                    submissionMode: previous == nil ? .random : .sequential, destinationFrame: output))
            previous = (source, output)
        }
        // end
        #expect(try previous?.output.buffer.width == 640)
    }

    @Test func lowLatencyScaling() throws {
        // snippet
        let factors = LowLatencySuperResolutionScalerConfiguration.supportedScaleFactors(
            frameWidth: 320, frameHeight: 180)
        guard let factor = factors.first(where: { $0 >= 2 }) else { return }
        let configuration = try LowLatencySuperResolutionScalerConfiguration(
            frameWidth: 320, frameHeight: 180, scaleFactor: factor)
        // end
        #expect(configuration.destinationPixelBufferAttributes.width == 640)
    }

    @Test func lowLatencyInterpolation() async throws {
        let pictures = try frames(2), previous = pictures[0], source = pictures[1]
        // snippet
        let doubling = try LowLatencyFrameInterpolationConfiguration(
            frameWidth: 320, frameHeight: 180, spatialScaleFactor: 2)
        let pool = try doubling.destinationPixelBufferAttributes.makePool(format: .yuv420p8)
        let destinations = try [Rational(1, 2), Rational(1, 1)].map {
            FrameProcessorFrame(
                buffer: try pool.makeBuffer(),
                presentationTimeStamp: previous.presentationTimeStamp
                    + (source.presentationTimeStamp - previous.presentationTimeStamp).multiplied(by: $0))
        }
        let parameters = try LowLatencyFrameInterpolationParameters(
            sourceFrame: source, previousFrame: previous, interpolationPhase: [0.5], destinationFrames: destinations)
        // end
        let processor = FrameProcessor()
        try processor.startSession(configuration: doubling)
        try await processor.process(parameters: parameters)
        #expect(try destinations[1].buffer.width == 640)
        processor.endSession()
    }

    @Test func errors() async throws {
        let pictures = try frames(2)
        let parameters = try FrameRateConversionParameters(
            sourceFrame: pictures[0], nextFrame: pictures[1], interpolationPhase: [0.5], submissionMode: .random,
            destinationFrames: [
                FrameProcessorFrame(
                    buffer: try PixelBuffer(format: .yuv420p8, width: 320, height: 180),
                    presentationTimeStamp: MediaTime(value: 1, timescale: 2))
            ])
        let processor = FrameProcessor()
        // snippet
        do {
            try await processor.process(parameters: parameters)
        } catch let error as FrameProcessorError where error.code == .sessionNotStarted {
            print(error)  // no session is active; call startSession(configuration:) first
        } catch is CancellationError {
            print("cancelled")
        }
        // end
        // snippet
        do {
            _ = try FrameRateConversionConfiguration(frameWidth: 8, frameHeight: 1080)
        } catch {
            print(error.code == .unsupportedResolution)  // true
            print(error.message)  // 8x1080 is not supported; frames must be 16x16 to 8192x8192
        }
        // end
        #expect(throws: FrameProcessorError.self) {
            try FrameRateConversionConfiguration(frameWidth: 8, frameHeight: 1080)
        }
        // snippet
        let revision = try FrameRateConversionConfiguration.Revision(number: 1)
        // end
        #expect(revision == .revision1)
    }

    /// The messages that the articles quote.
    @Test func quotedMessages() async throws {
        let size = #expect(throws: FrameProcessorError.self) {
            try FrameRateConversionConfiguration(frameWidth: 8, frameHeight: 1080)
        }
        #expect(size?.message == "8x1080 is not supported; frames must be 16x16 to 8192x8192")
        let pictures = try frames(2)
        let parameters = try OpticalFlowParameters(
            sourceFrame: pictures[0], nextFrame: pictures[1], submissionMode: .random,
            destinationOpticalFlow: OpticalFlowConfiguration(frameWidth: 320, frameHeight: 180).makeDestination())
        let session = await #expect(throws: FrameProcessorError.self) {
            try await FrameProcessor().process(parameters: parameters)
        }
        #expect(session?.description == "no session is active; call startSession(configuration:) first")
    }
}
