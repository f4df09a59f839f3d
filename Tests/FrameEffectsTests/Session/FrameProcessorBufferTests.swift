import FrameCore
import FrameEffects
import TestSupport
import Testing

/// Which buffers a call may use while others are in flight.
@Suite struct FrameProcessorBufferTests {
    /// A session whose first call, on separate frames, blocks the others until `steps` continues.
    private func held() async throws -> (FrameProcessor, Steps) {
        let steps = Steps()
        let processor = try scriptedProcessor { parameters, relation, results in
            if parameters.sourceFrame.presentationTimeStamp == .zero {
                try steps.work(parameters, relation, results)
            } else {
                try ScriptedConfiguration().work(parameters, relation, results)
            }
        }
        processor.process(
            parameters: try ScriptedParameters(sourceFrame: sessionFrame(0), destinationFrames: [sessionFrame(1)])
        ) { _, error in #expect(error == nil) }
        await steps.untilBegun()
        return (processor, steps)
    }

    private struct Roles {
        var first: ScriptedParameters
        var second: ScriptedParameters
        var message: String
    }

    private func roles(_ name: String) throws -> Roles {
        let shared = try sessionFrame(7, dx: 3), number = NumberBuffer()
        switch name {
        case "destination twice":
            return try Roles(
                first: .init(sourceFrame: sessionFrame(2), destinationFrames: [shared]),
                second: .init(sourceFrame: sessionFrame(3), destinationFrames: [sessionFrame(4), shared]),
                message:
                    "the frame at 7.000000 s is already being written by another call; a destination belongs to one call at a time"
            )
        case "destination as source":
            return try Roles(
                first: .init(sourceFrame: sessionFrame(2), destinationFrames: [shared]),
                second: .init(sourceFrame: shared, destinationFrames: [sessionFrame(4)]),
                message:
                    "the frame at 7.000000 s is still being written by another call; it can be read once that call has ended"
            )
        case "source as destination":
            return try Roles(
                first: .init(sourceFrame: shared, destinationFrames: [sessionFrame(4)]),
                second: .init(sourceFrame: sessionFrame(3), destinationFrames: [shared]),
                message:
                    "the frame at 7.000000 s is being read by another call; it can be written once that call has ended")
        default:
            return try Roles(
                first: .init(sourceFrame: sessionFrame(2), number: number),
                second: .init(sourceFrame: sessionFrame(3), destinationFrames: [sessionFrame(4)], number: number),
                message:
                    "the number is already being written by another call; a destination belongs to one call at a time")
        }
    }

    @Test(arguments: ["destination twice", "destination as source", "source as destination", "other output twice"])
    func callsInFlightKeepApart(name: String) async throws {
        let (processor, steps) = try await held()
        let roles = try roles(name)
        let errors = Lock<[FrameProcessorError?]>([])
        for parameters in [roles.first, roles.second] {
            processor.process(parameters: parameters) { _, error in
                errors.withLock { $0.append(error as? FrameProcessorError) }
            }
        }
        // The buffers that the refused call had already acquired are available again.
        for frame in roles.second.destinationFrames where frame.presentationTimeStamp.value == 4 {
            #expect(throws: Never.self) { try frame.buffer }
        }
        steps.goOn.signal()
        processor.endSession()
        let found = errors.withLock { $0 }
        #expect(found.map(\.?.code) == [nil, .invalidParameterError])
        #expect(found.last??.message == roles.message)
        try processor.startSession(configuration: ScriptedConfiguration())
        #expect(await failure(processor, roles.second) == nil)
    }

    @Test func sourcesMayBeShared() async throws {
        let (processor, steps) = try await held()
        let shared = try sessionFrame(7)
        let done = Lock(0)
        for _ in 0..<5 {
            processor.process(
                parameters: ScriptedParameters(sourceFrame: shared, destinationFrames: [try sessionFrame(8)])
            ) { _, error in
                #expect(error == nil)
                done.withLock { $0 += 1 }
            }
        }
        #expect(throws: Never.self) { try shared.buffer }
        steps.goOn.signal()
        processor.endSession()
        #expect(done.withLock { $0 } == 5)
        // No call reads it any more.
        try processor.startSession(configuration: ScriptedConfiguration())
        try await run(processor, ScriptedParameters(sourceFrame: sessionFrame(1), destinationFrames: [shared]))
    }

    @Test func twoProcessorsKeepApartToo() async throws {
        let (processor, steps) = try await held()
        let other = try scriptedProcessor()
        let shared = try sessionFrame(7)
        processor.process(
            parameters: ScriptedParameters(sourceFrame: try sessionFrame(2), destinationFrames: [shared])
        ) { _, error in #expect(error == nil) }
        let second = ScriptedParameters(sourceFrame: try sessionFrame(3, dx: 9), destinationFrames: [shared])
        #expect(code(await failure(other, second)) == .invalidParameterError)
        steps.goOn.signal()
        processor.endSession()
        #expect(await failure(other, second) == nil)
        #expect(try shared.buffer.hasSameSamples(as: second.sourceFrame.buffer))
    }

    @Test func aFinishedDestinationIsFreeBeforeItsCallEnds() async throws {
        let steps = Steps()
        let processor = try scriptedProcessor(steps.work)
        let parameters = try ScriptedParameters(
            sourceFrame: sessionFrame(0, dx: 5), destinationFrames: [sessionFrame(1), sessionFrame(2)])
        let frames = pictures(processor, parameters)
        steps.goOn.signal()
        var iterator = frames.makeAsyncIterator()
        let first = try #require(try await iterator.next())
        #expect(first.frame.hasSameSamples(as: try parameters.sourceFrame.buffer))
        #expect(try parameters.destinationFrames[0].buffer.hasSameSamples(as: first.frame))
        #expect(throws: FrameProcessorError.self) { try parameters.destinationFrames[1].buffer }
        steps.goOn.signal()
        #expect(try await iterator.next()?.timeStamp == parameters.destinationFrames[1].presentationTimeStamp)
        #expect(try await iterator.next() == nil)
    }

    @Test func whatWasReadOnlyStaysAsItWas() async throws {
        let processor = try startedProcessor()
        let target = try sessionFrame(50)
        func parameters(_ dx: Int) throws -> FrameRateConversionParameters {
            try FrameRateConversionParameters(
                sourceFrame: sessionFrame(0, dx: dx), nextFrame: sessionFrame(1, dx: dx + 2), interpolationPhase: [0],
                submissionMode: .random, destinationFrames: [target])
        }
        var kept: [PixelBuffer] = []
        for try await frame in pictures(processor, try parameters(0)) { kept.append(frame.frame) }
        try await run(processor, parameters(20))
        let first = try #require(kept.first)
        #expect(first.hasSameSamples(as: try GeneratedPicture.waves()))
        #expect(try target.buffer.hasSameSamples(as: GeneratedPicture.waves(dx: 20)))
    }
}
