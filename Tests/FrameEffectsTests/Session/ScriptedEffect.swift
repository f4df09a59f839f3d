import Dispatch
import FrameCore
import FrameEffects
import TestSupport

/// An effect whose work is defined by a test. It also shows everything needed to add an effect.
struct ScriptedConfiguration: EffectConfiguration {
    typealias Work = @Sendable (ScriptedParameters, PairRelation, CallResults) throws -> Void

    var frameWidth = 64
    var frameHeight = 48
    /// An error to throw when the session starts.
    var obstacle: FrameError?
    /// Called with each format for which an effect is created.
    var made: @Sendable (PixelFormat) -> Void = { _ in }
    var work: Work = { parameters, _, results in
        for index in parameters.destinationFrames.indices {
            results.complete(index, with: try parameters.sourceFrame.buffer)
        }
        if let number = parameters.number { results.complete(number, with: 42) }
    }

    func makeEffect(format: PixelFormat, context: ExecutionContext) throws -> ScriptedEffect {
        if let obstacle { throw obstacle }
        made(format)
        return ScriptedEffect(work: work)
    }
}

struct ScriptedParameters: EffectParameters {
    let sourceFrame: FrameProcessorFrame
    var destinationFrames: [FrameProcessorFrame] = []
    var number: NumberBuffer?
    var submissionMode: SubmissionMode = .random

    var frames: CallFrames {
        CallFrames(source: sourceFrame, destinations: destinationFrames, otherOutputs: number.map { [$0] } ?? [])
    }
}

/// An output that is not a frame.
final class NumberBuffer: SessionBuffer {
    let contents = GuardedContents(0)
    let label = "the number"
}

final class ScriptedEffect: FrameProcessorEffect {
    let work: ScriptedConfiguration.Work
    init(work: @escaping ScriptedConfiguration.Work) { self.work = work }

    func process(_ parameters: ScriptedParameters, relation: PairRelation, results: CallResults) throws {
        try work(parameters, relation, results)
    }
}

func scriptedProcessor(_ work: ScriptedConfiguration.Work? = nil) throws -> FrameProcessor {
    let processor = FrameProcessor(context: .serial)
    var configuration = ScriptedConfiguration()
    if let work { configuration.work = work }
    try processor.startSession(configuration: configuration)
    return processor
}

/// Work for an effect with one picture per destination, which waits for the test before each picture.
final class Steps: Sendable {
    let begun = DispatchSemaphore(value: 0)
    let goOn = DispatchSemaphore(value: 0)

    var work: ScriptedConfiguration.Work {
        { parameters, _, results in
            for index in parameters.destinationFrames.indices {
                self.begun.signal()
                self.goOn.wait()
                try results.checkCancellation()
                results.complete(index, with: try parameters.sourceFrame.buffer)
            }
        }
    }

    /// Waits, outside the threads of Swift concurrency, until the next picture has been started.
    func untilBegun() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                self.begun.wait()
                continuation.resume()
            }
        }
    }
}
