import FrameCore
import FrameEffects
import TestSupport
import Testing

@Suite struct FrameProcessorLifecycleTests {
    @Test func nothingIsProcessedOutsideASession() async throws {
        let processor = FrameProcessor(context: .serial)
        let parameters = try sessionParameters()
        let configuration = try FrameRateConversionConfiguration(frameWidth: 64, frameHeight: 48)
        for _ in 0..<2 {
            #expect(code(await failure(processor, parameters)) == .sessionNotStarted)
            let error = await #expect(throws: FrameProcessorError.self) {
                for try await _ in pictures(processor, parameters) {}
            }
            #expect(error?.code == .sessionNotStarted)
            #expect(error?.message == "no session is active; call startSession(configuration:) first")
            #expect(throws: Never.self) { try parameters.destinationFrames[0].buffer }
            try processor.startSession(configuration: configuration)
            try await expectUsable(processor)
            processor.endSession()
        }
    }

    @Test func startingTwiceLeavesTheFirstSession() async throws {
        let processor = try startedProcessor()
        let other = try FrameRateConversionConfiguration(frameWidth: 80, frameHeight: 48)
        for _ in 0..<2 {
            let error = #expect(throws: FrameProcessorError.self) {
                try processor.startSession(configuration: other)
            }
            #expect(error?.code == .sessionAlreadyActive)
            try await expectUsable(processor)
        }
        processor.endSession()
        try processor.startSession(configuration: other)
        #expect(code(await failure(processor, try sessionParameters())) == .unsupportedInput)
        try await expectUsable(processor, width: 80)
    }

    @Test func aSessionThatCannotBeSetUpIsNotActive() async throws {
        let processor = FrameProcessor(context: .serial)
        for (obstacle, expected) in [
            (FrameError(.allocation, "no memory"), FrameProcessorError.Code.memoryAllocationFailure),
            (FrameError(.input, "no model"), .initializationFailed),
        ] {
            let error = #expect(throws: FrameProcessorError.self) {
                try processor.startSession(configuration: ScriptedConfiguration(obstacle: obstacle))
            }
            #expect(error?.code == expected)
            #expect(error?.message == obstacle.message)
            #expect(error?.cause is FrameError)
        }
        try processor.startSession(configuration: FrameRateConversionConfiguration(frameWidth: 64, frameHeight: 48))
        try await expectUsable(processor)
    }

    @Test func endingInAHandlerDoesNotWait() async throws {
        let processor = try startedProcessor()
        let first = try sessionParameters(), second = try sessionParameters(at: 3, phases: [0])
        let (codes, continuation) = AsyncStream.makeStream(of: FrameProcessorError.Code?.self)
        let parameters = try sessionParameters()
        processor.process(parameters: first) { _, _ in
            // Submitted before the end, so it is processed; calls after the end are refused.
            processor.process(parameters: second) { _, error in continuation.yield(code(error)) }
            processor.endSession()
            processor.process(parameters: parameters) { _, error in
                continuation.yield(code(error))
                continuation.finish()
            }
        }
        var found: [FrameProcessorError.Code?] = []
        for await code in codes { found.append(code) }
        #expect(found == [nil, .sessionNotStarted])
        #expect(try second.destinationFrames[0].buffer.hasSameSamples(as: second.sourceFrame.buffer))
        processor.endSession()
        try processor.startSession(configuration: FrameRateConversionConfiguration(frameWidth: 64, frameHeight: 48))
        try await expectUsable(processor)
    }

    @Test func handlersMayEndEachOthersSessions() async throws {
        let processors = try (0..<2).map { _ in try startedProcessor() }
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<2 {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        guard let parameters = try? sessionParameters() else { return continuation.resume() }
                        processors[index].process(parameters: parameters) { _, _ in
                            processors[1 - index].endSession()
                            continuation.resume()
                        }
                    }
                }
            }
        }
        for processor in processors {
            #expect(code(await failure(processor, try sessionParameters())) == .sessionNotStarted)
        }
    }

    @Test func handlersMayStartTheNextSession() async throws {
        let processor = try startedProcessor()
        let parameters = try sessionParameters()
        let larger = try FrameRateConversionConfiguration(frameWidth: 80, frameHeight: 48)
        await withCheckedContinuation { continuation in
            processor.process(parameters: parameters) { _, _ in
                processor.endSession()
                #expect(throws: Never.self) { try processor.startSession(configuration: larger) }
                continuation.resume()
            }
        }
        try await expectUsable(processor, width: 80)
    }

    @Test func callsOutliveTheProcessor() async throws {
        let parameters = try sessionParameters(phases: [1])
        let error = await withCheckedContinuation { continuation in
            let processor = try? startedProcessor()
            processor?.process(parameters: parameters) { _, error in continuation.resume(returning: error) }
        }
        #expect(error == nil)
        #expect(try parameters.destinationFrames[0].buffer.hasSameSamples(as: parameters.nextFrame.buffer))
    }

    @Test func theSequenceFormNeedsDestinationFrames() async throws {
        let processor = try scriptedProcessor()
        let number = NumberBuffer()
        let parameters = ScriptedParameters(sourceFrame: try sessionFrame(0), number: number)
        let error = await #expect(throws: FrameProcessorError.self) {
            for try await _ in pictures(processor, parameters) {}
        }
        #expect(error?.code == .invalidParameterError)
        #expect(
            error?.message
                == "ScriptedParameters have no destination frames to wait for; use another form of process(parameters:)"
        )
        #expect(number.contents.value == 0)
        try await run(processor, parameters)
        #expect(number.contents.value == 42)
    }

    @Test func failuresOfAnEffectAreToldApart() async throws {
        let thrown = Lock<(any Error & Sendable)?>(nil)
        let processor = try scriptedProcessor { parameters, relation, results in
            if let error = thrown.withLock({ $0 }) { throw error }
            try ScriptedConfiguration().work(parameters, relation, results)
        }
        let parameters = ScriptedParameters(sourceFrame: try sessionFrame(0), destinationFrames: [try sessionFrame(1)])
        let cases: [(any Error & Sendable, FrameProcessorError.Code)] = [
            (FrameError(.allocation, "a"), .memoryAllocationFailure),
            (FrameError(.unsupportedFormat, "b"), .unsupportedInput),
            (FrameError(.unsupportedSize, "c"), .unsupportedResolution),
            (FrameError(.invalidArgument, "d"), .processingError),
            (DeliberateError("e"), .processingError),
            (FrameProcessorError(.invalidParameterError, "f"), .invalidParameterError),
        ]
        for (error, expected) in cases {
            thrown.withLock { $0 = error }
            #expect(code(await failure(processor, parameters)) == expected)
            #expect(throws: Never.self) { try parameters.destinationFrames[0].buffer }
        }
        thrown.withLock { $0 = nil }
        #expect(await failure(processor, parameters) == nil)
    }

    @Test func anEffectThatLeavesAResultOutHasFailed() async throws {
        let processor = try scriptedProcessor { parameters, _, results in
            results.complete(0, with: try parameters.sourceFrame.buffer)
            results.complete(0, with: try parameters.sourceFrame.buffer)
            results.complete(7, with: try parameters.sourceFrame.buffer)
        }
        let parameters = ScriptedParameters(
            sourceFrame: try sessionFrame(0), destinationFrames: [try sessionFrame(1), try sessionFrame(2)])
        #expect(code(await failure(processor, parameters)) == .processingError)
        #expect(throws: Never.self) { try parameters.destinationFrames[1].buffer }
    }
}
