import Dispatch
import Foundation
import FrameCore
import FrameEffects
import TestSupport
import Testing

@Suite struct FrameProcessorCancellationTests {
    @Test func aWaitingCallIsLeftOutAtOnce() async throws {
        let steps = Steps(), ran = Lock(0)
        let processor = try scriptedProcessor { parameters, relation, results in
            ran.withLock { $0 += 1 }
            try steps.work(parameters, relation, results)
        }
        let target = try sessionFrame(10), before = try target.buffer
        let first = try ScriptedParameters(sourceFrame: sessionFrame(0), destinationFrames: [sessionFrame(11)])
        let second = ScriptedParameters(sourceFrame: try sessionFrame(1), destinationFrames: [target])
        async let running: Void = run(processor, first)
        await steps.untilBegun()
        let waiting = Task { try await run(processor, second) }
        while (try? target.buffer) != nil { await Task.yield() }
        waiting.cancel()
        // The cancelled call ends although the previous one is still being processed.
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(try target.buffer.hasSameSamples(as: before))
        steps.goOn.signal()
        try await running
        processor.endSession()
        #expect(ran.withLock { $0 } == 1)
    }

    @Test func aCallOfACancelledTaskIsNotMade() async throws {
        let processor = try startedProcessor()
        let parameters = try sessionParameters()
        let before = try parameters.destinationFrames[0].buffer
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await run(processor, parameters)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try parameters.destinationFrames[0].buffer.hasSameSamples(as: before))
        try await expectUsable(processor)
    }

    @Test func aRunningCallStopsBetweenPictures() async throws {
        let steps = Steps()
        let processor = try scriptedProcessor(steps.work)
        let parameters = try ScriptedParameters(
            sourceFrame: sessionFrame(0, dx: 7), destinationFrames: [sessionFrame(1), sessionFrame(2)])
        let before = try parameters.destinationFrames[1].buffer
        let task = Task { try await run(processor, parameters) }
        await steps.untilBegun()
        steps.goOn.signal()
        await steps.untilBegun()
        task.cancel()
        steps.goOn.signal()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try parameters.destinationFrames[0].buffer.hasSameSamples(as: parameters.sourceFrame.buffer))
        #expect(try parameters.destinationFrames[1].buffer.hasSameSamples(as: before))
        steps.goOn.signal()
        try await run(
            processor, ScriptedParameters(sourceFrame: sessionFrame(5), destinationFrames: [sessionFrame(6)]))
    }

    @Test func frameRateConversionStopsBetweenPhases() async throws {
        let processor = try startedProcessor(width: 320, height: 240)
        // Far more work than is done by the time the first picture appears; the destinations share their memory.
        let phases = (1...4000).map { Float($0) / 4001 }
        let blank = try GeneratedPicture.flat(7, width: 320, height: 240)
        let targets = phases.indices.map {
            FrameProcessorFrame(buffer: blank, presentationTimeStamp: MediaTime(value: Int64($0), timescale: 4001))
        }
        let parameters = try FrameRateConversionParameters(
            sourceFrame: sessionFrame(0, width: 320, height: 240),
            nextFrame: sessionFrame(1, dx: 4, width: 320, height: 240), interpolationPhase: phases,
            submissionMode: .random, destinationFrames: targets)
        let task = Task {
            for try await _ in pictures(processor, parameters) {}
        }
        // On a dedicated thread, since a task might not get its turn until all work is done.
        let isUnderWay = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                // The last destination is in use by the call, and the first one has been completed.
                let hasBegun =
                    waitUntil { (try? targets[3999].buffer) == nil } && waitUntil { (try? targets[0].buffer) != nil }
                let hasEnded = (try? targets[3999].buffer) != nil
                task.cancel()
                continuation.resume(returning: hasBegun && !hasEnded)
            }
        }
        #expect(isUnderWay)
        await #expect(throws: CancellationError.self) { try await task.value }
        processor.endSession()
        #expect(try !targets[0].buffer.hasSameSamples(as: blank))
        #expect(try targets[3999].buffer.hasSameSamples(as: blank))
        try processor.startSession(configuration: FrameRateConversionConfiguration(frameWidth: 64, frameHeight: 48))
        try await expectUsable(processor)
    }

    @Test func lettingGoOfTheSequenceCancels() async throws {
        let steps = Steps()
        let processor = try scriptedProcessor(steps.work)
        let parameters = try ScriptedParameters(
            sourceFrame: sessionFrame(0, dx: 7), destinationFrames: [sessionFrame(1), sessionFrame(2), sessionFrame(3)])
        let before = try parameters.destinationFrames[2].buffer
        steps.goOn.signal()
        for try await frame in pictures(processor, parameters) {
            #expect(frame.timeStamp == parameters.destinationFrames[0].presentationTimeStamp)
            break
        }
        for _ in 0..<3 { steps.goOn.signal() }
        processor.endSession()
        #expect(try parameters.destinationFrames[0].buffer.hasSameSamples(as: parameters.sourceFrame.buffer))
        #expect(try parameters.destinationFrames[2].buffer.hasSameSamples(as: before))
    }

    @Test func aSequenceNobodyIteratesIsCancelled() async throws {
        let steps = Steps()
        let processor = try scriptedProcessor(steps.work)
        processor.process(
            parameters: try ScriptedParameters(sourceFrame: sessionFrame(0), destinationFrames: [sessionFrame(1)])
        ) { _, error in #expect(error == nil) }
        await steps.untilBegun()
        let target = try sessionFrame(3)
        let parameters = ScriptedParameters(sourceFrame: try sessionFrame(2), destinationFrames: [target])
        _ = pictures(processor, parameters)
        // The destination is available again although the previous call is still being processed.
        #expect(throws: Never.self) { try target.buffer }
        steps.goOn.signal()
        processor.endSession()
    }

    @Test func orderStartsAfreshAfterACancelledCall() async throws {
        let steps = Steps(), relations = Lock<[PairRelation]>([])
        let processor = try scriptedProcessor { parameters, relation, results in
            relations.withLock { $0.append(relation) }
            try steps.work(parameters, relation, results)
        }
        func parameters(_ time: Int64, _ mode: SubmissionMode) throws -> ScriptedParameters {
            try ScriptedParameters(
                sourceFrame: sessionFrame(time), destinationFrames: [sessionFrame(100)], submissionMode: mode)
        }
        let stopped = try parameters(5, .sequential)
        let task = Task { try await run(processor, stopped) }
        await steps.untilBegun()
        task.cancel()
        steps.goOn.signal()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(
            code(await failure(processor, try parameters(5, .sequentialReferencesUnchanged))) == .invalidFrameTiming)
        steps.goOn.signal()
        try await run(processor, parameters(4, .sequential))
        steps.goOn.signal()
        try await run(processor, parameters(4, .sequentialReferencesUnchanged))
        #expect(relations.withLock { $0 } == [.none, .none, .samePair])
    }
}
