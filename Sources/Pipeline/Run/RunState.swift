internal import FrameCore

/// The three sides of a run.
public enum PipelineStage: String, Sendable, Hashable, Codable, CaseIterable {
    /// The source.
    case reading
    /// The effect.
    case making
    /// The sink.
    case writing
}

/// What the threads of a run share: the first failure, which ends them all.
final class RunState: Sendable {
    private struct Contents {
        var failure: (any Error)?
        var stage: PipelineStage?
        var hasSucceeded = false
        var onFailure: [@Sendable () -> Void] = []
    }

    private let contents = Lock(Contents())

    /// The first failure, if any.
    var failure: (any Error)? { contents.withLock { $0.failure } }

    /// Where the first failure arose; nil for a cancellation from outside.
    var failedStage: PipelineStage? { contents.withLock { $0.stage } }

    /// Runs `action` at the first failure, at once when there was one already.
    func atFailure(_ action: @escaping @Sendable () -> Void) {
        let failed = contents.withLock { contents in
            if contents.failure == nil { contents.onFailure.append(action) }
            return contents.failure != nil
        }
        if failed { action() }
    }

    /// Says that the output is complete: what failed while it was finished no longer counts, nor does what fails later.
    func succeed() {
        contents.withLock {
            $0.hasSucceeded = true
            $0.failure = nil
            $0.stage = nil
        }
    }

    /// Records `error` unless something failed earlier or all is done.
    func fail(_ error: any Error, in stage: PipelineStage?) {
        let actions = contents.withLock { contents in
            guard contents.failure == nil, !contents.hasSucceeded else { return [@Sendable () -> Void]() }
            contents.failure = error
            contents.stage = stage
            defer { contents.onFailure = [] }
            return contents.onFailure
        }
        for action in actions { action() }
    }
}
