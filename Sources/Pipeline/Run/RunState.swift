internal import FrameCore

/// A kind of stage in a run.
public enum PipelineStage: String, Sendable, Hashable, Codable, CaseIterable {
    /// Reading from the source.
    case reading
    /// Running the effects.
    case making
    /// Writing to the sink.
    case writing
}

/// The state shared by the threads of a run: the first failure, which ends them all.
package final class RunState: Sendable {
    private struct Contents {
        var failure: (any Error)?
        var stage: PipelineStage?
        var hasSucceeded = false
        var onFailure: [@Sendable () -> Void] = []
        var rest = SideData()
    }

    private let contents = Lock(Contents())

    /// The first failure, if any.
    var failure: (any Error)? { contents.withLock { $0.failure } }

    /// Whether the output is complete.
    var hasSucceeded: Bool { contents.withLock { $0.hasSucceeded } }

    /// The stage in which the first failure occurred; nil for a cancellation from outside.
    var failedStage: PipelineStage? { contents.withLock { $0.stage } }

    /// The side data of source frames at the end that are not in the output.
    var rest: SideData { contents.withLock { $0.rest } }

    /// Adds to ``rest``.
    func addToLastFrame(_ sideData: SideData) {
        contents.withLock { $0.rest.entries += sideData.entries }
    }

    /// Runs `action` at the first failure, or immediately if one has already occurred.
    func atFailure(_ action: @escaping @Sendable () -> Void) {
        let failed = contents.withLock { contents in
            if contents.failure == nil { contents.onFailure.append(action) }
            return contents.failure != nil
        }
        if failed { action() }
    }

    /// Marks the output as complete: failures while it was being finished, and any later ones, are ignored.
    func succeed() {
        contents.withLock {
            $0.hasSucceeded = true
            $0.failure = nil
            $0.stage = nil
        }
    }

    /// Records `error` unless something has failed earlier or the output is complete.
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
