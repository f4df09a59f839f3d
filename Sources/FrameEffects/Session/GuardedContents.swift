internal import FrameCore

/// Contents that calls read or replace, with a guard that keeps readers and writers apart while calls are in flight.
///
/// Any number of calls can read at the same time; a writing call has exclusive access. Until it has ended, the contents
/// cannot be read from outside.
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

    /// The contents, or nil while a call writes them.
    package var value: Value? { state.withLock { $0.isWritten ? nil : $0.value } }

    /// - Returns: the use before this call. Unless it is ``Use/written``, reading has now begun.
    func beginReading() -> Use {
        state.withLock { state in
            let use = state.use
            if use != .written { state.readers += 1 }
            return use
        }
    }

    func endReading() { state.withLock { $0.readers -= 1 } }

    /// - Returns: the use before this call. If it is ``Use/free``, writing has now begun.
    func beginWriting() -> Use {
        state.withLock { state in
            let use = state.use
            if use == .free { state.isWritten = true }
            return use
        }
    }

    /// - Parameter value: the new contents; nil keeps the previous ones.
    func endWriting(_ value: Value?) {
        state.withLock { state in
            if let value { state.value = value }
            state.isWritten = false
        }
    }
}

/// A buffer that calls read or write: a frame, or another input or output of an effect.
package protocol SessionBuffer: AnyObject, Sendable {
    associatedtype Contents: Sendable
    var contents: GuardedContents<Contents> { get }
    /// A description for error messages, such as "the frame at 1.000000 s".
    var label: String { get }
}

extension SessionBuffer {
    /// Returns the contents.
    /// - Throws: ``FrameProcessorError`` while a call writes them.
    package func read() throws(FrameProcessorError) -> Contents {
        guard let value = contents.value else {
            throw FrameProcessorError(
                .invalidParameterError, "\(label) is being written; it can be read once processing has ended")
        }
        return value
    }
}
