internal import FrameCore

/// The state of one call of `process`: new, waiting for its turn, running or ended. A call ends exactly once.
final class Call: Sendable {
    typealias Completion = @Sendable ((any Error)?) -> Void

    private enum State {
        case new
        case waiting(InFlightBuffers, Completion)
        case running(InFlightBuffers, Completion)
        /// Running, but cancelled: the remaining results are not needed.
        case stopping(InFlightBuffers, Completion)
        case ended
    }

    private let state = Lock(State.new)
    /// Receives each destination frame as soon as it is complete.
    let deliver: @Sendable (FrameProcessorFrame.ReadOnlyFrame) -> Void

    init(deliver: @escaping @Sendable (FrameProcessorFrame.ReadOnlyFrame) -> Void = { _ in }) { self.deliver = deliver }

    /// - Returns: false if the call was cancelled before it was submitted; the caller then still owns the buffers.
    func submit(_ buffers: InFlightBuffers, completion: @escaping Completion) -> Bool {
        state.withLock { state in
            guard case .new = state else { return false }
            state = .waiting(buffers, completion)
            return true
        }
    }

    /// - Returns: the call's buffers, or nil if it has been cancelled in the meantime.
    func begin() -> InFlightBuffers? {
        state.withLock { state in
            guard case .waiting(let buffers, let completion) = state else { return nil }
            state = .running(buffers, completion)
            return buffers
        }
    }

    func end(_ error: (any Error)?) {
        let (buffers, completion) = state.withLock { state -> (InFlightBuffers?, Completion?) in
            defer { state = .ended }
            switch state {
            case .new, .ended: return (nil, nil)
            case .waiting(let buffers, let completion), .running(let buffers, let completion),
                .stopping(let buffers, let completion):
                return (buffers, completion)
            }
        }
        buffers?.release()
        completion?(error)
    }

    /// Ends a waiting call immediately; asks a running one to stop at the next opportunity.
    func cancel() {
        let (buffers, completion) = state.withLock { state -> (InFlightBuffers?, Completion?) in
            switch state {
            case .new:
                state = .ended
                return (nil, nil)
            case .waiting(let buffers, let completion):
                state = .ended
                return (buffers, completion)
            case .running(let buffers, let completion):
                state = .stopping(buffers, completion)
                return (nil, nil)
            case .stopping, .ended: return (nil, nil)
            }
        }
        buffers?.release()
        completion?(CancellationError())
    }

    var isCancelled: Bool {
        state.withLock { state in
            if case .stopping = state { true } else { false }
        }
    }
}
