import Dispatch
import FrameCore
import FrameEffects
import TestSupport
import Testing

@Suite struct FrameProcessorTests {
    @Test func asyncFormFillsTheDestinations() async throws {
        let processor = try startedProcessor()
        let color = ColorDescription(matrix: .bt2020NonConstantLuminance, primaries: .bt2020, transfer: .pq)
        let source = try sessionFrame(0, color: color), next = try sessionFrame(1, dx: 4)
        let targets = try (0..<2).map { try sessionFrame(10 + $0, dx: 99) }
        let parameters = try FrameRateConversionParameters(
            sourceFrame: source, nextFrame: next, interpolationPhase: [1, 0], submissionMode: .random,
            destinationFrames: targets)
        let result: any FrameProcessorParameters = try await processor.process(parameters: parameters)
        #expect(result.destinationFrames.count == 2)
        #expect(try targets[0].buffer.hasSameSamples(as: next.buffer))
        #expect(try targets[1].buffer.hasSameSamples(as: source.buffer))
        #expect(try targets[0].color == color)
        #expect(targets[0].presentationTimeStamp == MediaTime(value: 10, timescale: 1))
        processor.endSession()
    }

    @Test func completionFormReportsBoth() async throws {
        let processor = try startedProcessor()
        let good = try sessionParameters(), bad = try sessionParameters(width: 80)
        let (stream, continuation) = AsyncStream.makeStream(of: FrameProcessorError.Code?.self)
        processor.process(parameters: good) { parameters, error in
            #expect(parameters.sourceFrame === good.sourceFrame)
            continuation.yield(code(error))
        }
        processor.process(parameters: bad) { _, error in
            continuation.yield(code(error))
            continuation.finish()
        }
        var codes: [FrameProcessorError.Code?] = []
        for await code in stream { codes.append(code) }
        #expect(codes == [nil, .unsupportedInput])
    }

    @Test func sequenceFormGivesEachFrame() async throws {
        let processor = try startedProcessor()
        let parameters = try sessionParameters(phases: [0.25, 0.5, 0.75])
        let frames: some AsyncSequence<FrameProcessorFrame.ReadOnlyFrame, any Error> = processor.process(
            parameters: parameters)
        var times: [MediaTime] = []
        for try await frame in frames { times.append(frame.timeStamp) }
        #expect(times == parameters.destinationFrames.map(\.presentationTimeStamp))
    }

    @Test func sequenceFormThrows() async throws {
        let frames: some AsyncSequence<FrameProcessorFrame.ReadOnlyFrame, any Error> = try FrameProcessor().process(
            parameters: sessionParameters())
        let error = await #expect(throws: FrameProcessorError.self) { for try await _ in frames {} }
        #expect(error?.code == .sessionNotStarted)
    }

    @Test func sessionsStartOnceAndAgain() async throws {
        let processor = FrameProcessor()
        let configuration = try FrameRateConversionConfiguration(frameWidth: 64, frameHeight: 48)
        let early = await #expect(throws: FrameProcessorError.self) {
            _ = try await processor.process(parameters: sessionParameters()) as any FrameProcessorParameters
        }
        #expect(early?.code == .sessionNotStarted)
        try processor.startSession(configuration: configuration)
        #expect(
            code(#expect(throws: FrameProcessorError.self) { try processor.startSession(configuration: configuration) })
                == .sessionAlreadyActive)
        processor.endSession()
        processor.endSession()
        try processor.startSession(configuration: configuration)
        let _: any FrameProcessorParameters = try await processor.process(parameters: sessionParameters())
        processor.endSession()
    }

    @Test func endSessionFinishesWhatWasHandedIn() throws {
        let processor = try startedProcessor()
        let done = Lock(0)
        for time in 0..<20 {
            processor.process(parameters: try sessionParameters(at: Int64(time), mode: .sequential)) { _, error in
                if error == nil { done.withLock { $0 += 1 } }
            }
        }
        processor.endSession()
        #expect(done.withLock { $0 } == 20)
    }

    @Test func foreignConfigurationsAndParametersAreRefused() async throws {
        let refused = #expect(throws: FrameProcessorError.self) {
            try FrameProcessor().startSession(configuration: ForeignConfiguration())
        }
        #expect(refused?.code == .initializationFailed)
        let processor = try startedProcessor()
        let frame = try sessionFrame(0)
        let error = await #expect(throws: FrameProcessorError.self) {
            let _: any FrameProcessorParameters = try await processor.process(
                parameters: ForeignParameters(sourceFrame: frame, destinationFrames: []))
        }
        #expect(error?.code == .invalidParameterError)
    }

    @Test func orderIsChecked() async throws {
        let processor = try startedProcessor()
        func attempt(_ time: Int64, _ mode: SubmissionMode) async -> FrameProcessorError.Code? {
            do {
                let _: any FrameProcessorParameters = try await processor.process(
                    parameters: try sessionParameters(at: time, mode: mode))
                return nil
            } catch { return code(error) }
        }
        #expect(await attempt(5, .sequentialReferencesUnchanged) == .invalidFrameTiming)
        #expect(await attempt(5, .sequential) == nil)
        #expect(await attempt(6, .sequential) == nil)
        #expect(await attempt(6, .sequentialReferencesUnchanged) == nil)
        #expect(await attempt(7, .sequentialReferencesUnchanged) == .invalidFrameTiming)
        #expect(await attempt(6, .sequential) == .invalidFrameTiming)
        #expect(await attempt(2, .sequential) == .invalidFrameTiming)
        #expect(await attempt(2, .random) == nil)
        #expect(await attempt(3, .sequential) == nil)
    }

    @Test func formatsMayChangeBetweenCalls() async throws {
        let processor = try startedProcessor()
        for depth in [8, 10, 16] {
            for subsampling in ChromaSubsampling.allCases {
                let format = try PixelFormat(subsampling: subsampling, bitDepth: depth)
                let parameters = try sessionParameters(phases: [0], format: format)
                let _: any FrameProcessorParameters = try await processor.process(parameters: parameters)
                #expect(try parameters.destinationFrames[0].buffer.hasSameSamples(as: parameters.sourceFrame.buffer))
            }
        }
    }

    /// State that an effect keeps between calls lasts as long as the format does not change.
    @Test func eachChangeOfFormatMakesANewEffect() async throws {
        let made = Lock<[PixelFormat]>([]), deep = try PixelFormat(subsampling: .yuv422, bitDepth: 10)
        var configuration = ScriptedConfiguration()
        configuration.made = { format in made.withLock { $0.append(format) } }
        let processor = FrameProcessor(context: .serial)
        try processor.startSession(configuration: configuration)
        defer { processor.endSession() }
        let first = try #require(configuration.supportedPixelFormats.first)
        #expect(made.withLock { $0 } == [first])
        for (time, format) in [first, deep, deep, .yuv420p8, .yuv420p8].enumerated() {
            try await run(processor, ScriptedParameters(sourceFrame: sessionFrame(Int64(time), format: format)))
        }
        #expect(made.withLock { $0 } == [first, deep, .yuv420p8])
    }

    @Test func readingInFlightIsAnError() throws {
        let processor = try startedProcessor()
        let gate = DispatchSemaphore(value: 0)
        let codes = Lock<[FrameProcessorError.Code?]>([])
        // The first call's handler blocks the queue, so the second call stays in flight.
        processor.process(parameters: try sessionParameters()) { _, _ in gate.wait() }
        let waiting = try sessionParameters(at: 3, phases: [0, 1])
        processor.process(parameters: waiting) { _, error in codes.withLock { $0.append(code(error)) } }
        for frame in waiting.destinationFrames {
            let error = #expect(throws: FrameProcessorError.self) { try frame.buffer }
            #expect(
                error?.message
                    == "the frame at \(frame.presentationTimeStamp) s is being written; it can be read once processing has ended"
            )
            #expect(throws: FrameProcessorError.self) { try frame.color }
        }
        processor.process(parameters: waiting) { _, error in codes.withLock { $0.append(code(error)) } }
        gate.signal()
        processor.endSession()
        #expect(codes.withLock { $0 } == [nil, .invalidParameterError])
        #expect(try waiting.destinationFrames[0].buffer.hasSameSamples(as: waiting.sourceFrame.buffer))
    }

    @Test func failureGivesTheBufferBack() throws {
        let processor = try startedProcessor()
        let parameters = try sessionParameters(width: 80)
        let before = try parameters.destinationFrames[0].buffer
        let codes = Lock<[FrameProcessorError.Code?]>([])
        processor.process(parameters: parameters) { _, error in codes.withLock { $0.append(code(error)) } }
        processor.endSession()
        #expect(codes.withLock { $0 } == [.unsupportedInput])
        #expect(try parameters.destinationFrames[0].buffer.hasSameSamples(as: before))
    }
}

private struct ForeignConfiguration: FrameProcessorConfiguration {
    var frameWidth: Int { 16 }
    var frameHeight: Int { 16 }
}

private struct ForeignParameters: FrameProcessorParameters {
    var sourceFrame: FrameProcessorFrame
    var destinationFrames: [FrameProcessorFrame]
}
