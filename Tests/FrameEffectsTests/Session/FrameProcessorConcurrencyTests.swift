import FrameCore
import FrameEffects
import TestSupport
import Testing

@Suite struct FrameProcessorConcurrencyTests {
    /// What one of many concurrent users of a processor got: a correct result, or an appropriate error.
    private enum Result: Hashable { case right, wrong, cancelled, notStarted, other }

    private static func attempt(_ processor: FrameProcessor, _ number: Int) async -> Result {
        do {
            let phases: [Float] = number.isMultiple(of: 2) ? [0, 1] : [1, 0.5, 0]
            let parameters = try sessionParameters(
                at: Int64(number), phases: phases, mode: [.random, .sequential][number / 2 % 2])
            if number.isMultiple(of: 3) {
                var count = 0
                for try await _ in pictures(processor, parameters) { count += 1 }
                if count != phases.count { return .wrong }
            } else {
                try await run(processor, parameters)
            }
            let source = try parameters.sourceFrame.buffer, next = try parameters.nextFrame.buffer
            for (phase, frame) in zip(phases, parameters.destinationFrames) where phase != 0.5 {
                guard try frame.buffer.hasSameSamples(as: phase == 0 ? source : next) else { return .wrong }
            }
            return .right
        } catch is CancellationError {
            return .cancelled
        } catch {
            switch code(error) {
            case .sessionNotStarted: return .notStarted
            // Sequential calls of many tasks arrive out of order.
            case .invalidFrameTiming where number / 2 % 2 == 1: return .right
            default: return .other
            }
        }
    }

    @Test func manyTasksShareAProcessor() async throws {
        let processor = FrameProcessor(context: .init(threads: 2))
        try processor.startSession(configuration: FrameRateConversionConfiguration(frameWidth: 64, frameHeight: 48))
        let results = await withTaskGroup(of: Result.self) { group in
            for number in 0..<48 { group.addTask { await Self.attempt(processor, number) } }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(results == [.right: 48])
        try await expectUsable(processor)
    }

    @Test func tasksAreCancelledMeanwhile() async throws {
        let processor = try startedProcessor()
        let tasks = (0..<60).map { number in Task { await Self.attempt(processor, number) } }
        for (number, task) in tasks.enumerated() where number % 4 == 1 {
            await Task.yield()
            task.cancel()
        }
        var results: [Result: Int] = [:]
        for task in tasks { results[await task.value, default: 0] += 1 }
        #expect(results[.right, default: 0] + results[.cancelled, default: 0] == 60)
        #expect(results[.cancelled, default: 0] <= 15)
        try await expectUsable(processor)
    }

    @Test func sessionsStartAndEndMeanwhile() async throws {
        let processor = FrameProcessor(context: .serial)
        let configuration = try FrameRateConversionConfiguration(frameWidth: 64, frameHeight: 48)
        let starts = Lock(0)
        let results = await withTaskGroup(of: Result.self) { group in
            for number in 0..<40 {
                group.addTask {
                    if number % 5 == 0 {
                        do {
                            try processor.startSession(configuration: configuration)
                            starts.withLock { $0 += 1 }
                        } catch {
                            if code(error) != .sessionAlreadyActive { return .other }
                        }
                    }
                    let result = await Self.attempt(processor, number)
                    if number % 5 == 3 { processor.endSession() }
                    return result
                }
            }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(starts.withLock { $0 } >= 1)
        #expect(results[.right, default: 0] + results[.notStarted, default: 0] == 40)
        processor.endSession()
        try processor.startSession(configuration: configuration)
        try await expectUsable(processor)
    }

    /// Of many concurrent starts, exactly one succeeds.
    @Test func oneOfManyStartsSucceeds() async throws {
        let processor = FrameProcessor(context: .serial)
        let configuration = try FrameRateConversionConfiguration(frameWidth: 64, frameHeight: 48)
        let started = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                group.addTask { (try? processor.startSession(configuration: configuration)) != nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(started == 1)
        try await expectUsable(processor)
    }

    /// A destination given to many concurrent calls is written by one at a time, and completely.
    @Test func oneDestinationManyCalls() async throws {
        let processors = try (0..<3).map { _ in try startedProcessor() }
        let target = try sessionFrame(99)
        let results = await withTaskGroup(of: Result.self) { group in
            for number in 0..<30 {
                group.addTask {
                    do {
                        let parameters = try FrameRateConversionParameters(
                            sourceFrame: sessionFrame(0, dx: number), nextFrame: sessionFrame(1),
                            interpolationPhase: [0], submissionMode: .random, destinationFrames: [target])
                        try await run(processors[number % 3], parameters)
                        return .right
                    } catch {
                        return code(error) == .invalidParameterError ? .notStarted : .other
                    }
                }
            }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(results[.right, default: 0] >= 1)
        #expect(results[.right, default: 0] + results[.notStarted, default: 0] == 30)
        let last = try target.buffer
        #expect(try (0..<30).contains { try last.hasSameSamples(as: GeneratedPicture.waves(dx: $0)) })
    }
}
