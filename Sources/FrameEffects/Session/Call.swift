internal import FrameCore

/// One call of `process` on its way: waiting for its turn, running, ended. Ends exactly once.
final class Call: Sendable {
    typealias Completion = @Sendable ((any Error)?) -> Void

    private enum State {
        case new
        case waiting(InFlightBuffers, Completion)
        case running(InFlightBuffers, Completion)
        /// Running, and nobody wants the rest.
        case stopping(InFlightBuffers, Completion)
        case ended
    }

    private let state = Lock(State.new)
    /// Receives each destination frame as it becomes complete.
    let deliver: @Sendable (FrameProcessorFrame.ReadOnlyFrame) -> Void

    init(deliver: @escaping @Sendable (FrameProcessorFrame.ReadOnlyFrame) -> Void = { _ in }) { self.deliver = deliver }

    /// - Returns: false when it was cancelled before it was submitted; then nothing has been taken over.
    func submit(_ buffers: InFlightBuffers, completion: @escaping Completion) -> Bool {
        state.withLock { state in
            guard case .new = state else { return false }
            state = .waiting(buffers, completion)
            return true
        }
    }

    /// - Returns: its buffers; nil when it was cancelled meanwhile.
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

    /// Ends it at once while it waits; asks it to stop where it can while it runs.
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
