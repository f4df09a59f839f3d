internal import FrameCore

/// Contents that calls read or replace, with the guard that keeps the two apart while calls are in flight.
///
/// Any number of calls may read at once; one that writes has them for itself. Until it has ended the contents cannot be
/// seen from outside.
package final class GuardedContents<Value: Sendable>: Sendable {
    package enum Use: Sendable, Hashable { case free, read, written }

    private struct State {
        var value: Value
        var readers = 0
        var isWritten = false

        var use: Use { isWritten ? .written : readers > 0 ? .read : .free }
    }

    private let state: Lock<State>

    package init(_ value: Value) { state = Lock(State(value: value)) }

    /// nil while a call writes them.
    package var value: Value? { state.withLock { $0.isWritten ? nil : $0.value } }

    /// - Returns: what the contents are used for already; reading has begun unless they are being written.
    func beginReading() -> Use {
        state.withLock { state in
            let use = state.use
            if use != .written { state.readers += 1 }
            return use
        }
    }

    func endReading() { state.withLock { $0.readers -= 1 } }

    /// - Returns: what the contents are used for already; writing has begun when they are free.
    func beginWriting() -> Use {
        state.withLock { state in
            let use = state.use
            if use == .free { state.isWritten = true }
            return use
        }
    }

    /// - Parameter value: the new contents; nil leaves what was there before.
    func endWriting(_ value: Value?) {
        state.withLock { state in
            if let value { state.value = value }
            state.isWritten = false
        }
    }
}

/// What a call reads or writes: frames, and whatever else an effect takes or makes.
package protocol SessionBuffer: AnyObject, Sendable {
    associatedtype Contents: Sendable
    var contents: GuardedContents<Contents> { get }
    /// What it is, for sentences: "the frame at 1.000000 s".
    var label: String { get }
}

extension SessionBuffer {
    /// The contents.
    /// - Throws: ``FrameProcessorError`` while a call writes them.
    package func read() throws(FrameProcessorError) -> Contents {
        guard let value = contents.value else {
            throw FrameProcessorError(
                .invalidParameterError, "\(label) is being written; it can be read once processing has ended")
        }
        return value
    }
}
