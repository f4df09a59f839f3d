internal import Dispatch
internal import FrameCore

/// Runs one effect on frames: start a session with a configuration, process parameters, end the session.
///
///     let processor = FrameProcessor()
///     try processor.startSession(configuration: configuration)
///     try await processor.process(parameters: parameters)
///     processor.endSession()
///
/// All of it may be used from several tasks and threads at once. Calls are processed one after another in the order in
/// which they were made, on a queue of the processor's own. From the call until it ends, its frames belong to the
/// processor: destination frames cannot be read (see ``FrameProcessorFrame``), and none can be the destination of another
/// call.
public final class FrameProcessor: Sendable {
    private let session = Lock<(any Session)?>(nil)
    private let queue = DispatchQueue(label: "FrameProcessor", qos: .userInitiated)
    private let threads: Int

    /// Marks the queues of all processors.
    private static let mark = DispatchSpecificKey<Bool>()

    /// - Parameter threads: threads that work on one picture; nil takes one per core. The result does not depend on it.
    public init(threads: Int? = nil) {
        self.threads = max(1, threads ?? processorCount)
        queue.setSpecific(key: Self.mark, value: true)
    }

    /// Gets ready to process parameters that belong to `configuration`.
    /// - Throws: ``FrameProcessorError`` when a session is active already or the effect cannot be set up.
    public func startSession(configuration: any FrameProcessorConfiguration) throws(FrameProcessorError) {
        let isActive = session.withLock { $0 != nil }
        guard !isActive else { throw Self.alreadyActive }
        guard let configuration = configuration as? any EffectConfiguration else {
            throw FrameProcessorError(
                .initializationFailed,
                "\(type(of: configuration)) is not the configuration of an effect of this package")
        }
        let fresh = try Self.makeSession(configuration, threads: threads)
        let isFirst = session.withLock { session in
            if session == nil { session = fresh }
            return session === fresh
        }
        guard isFirst else { throw Self.alreadyActive }
    }

    private static func makeSession(
        _ configuration: some EffectConfiguration, threads: Int
    ) throws(FrameProcessorError) -> any Session {
        try EffectSession(configuration, threads: threads)
    }

    private static var alreadyActive: FrameProcessorError {
        FrameProcessorError(.sessionAlreadyActive, "a session is active already; end it before starting another one")
    }

    /// Ends the session; the processor can start another one. Blocks until what was handed in has been processed.
    ///
    /// Called from a completion handler it does not wait, since that handler is part of what it would wait for: the
    /// session takes no more calls, and what was handed in is processed after the handler has returned.
    public func endSession() {
        session.withLock { $0 = nil }
        if DispatchQueue.getSpecific(key: Self.mark) == nil { queue.sync {} }
    }

    /// Processes `parameters` and calls `completionHandler` with them, on the processor's queue: the next call is processed
    /// once the handler has returned.
    ///
    /// The error is a ``FrameProcessorError``, nil when all went well. The session goes on after it.
    public func process(
        parameters: any FrameProcessorParameters,
        completionHandler: @escaping @Sendable (any FrameProcessorParameters, (any Error)?) -> Void
    ) {
        submit(parameters, as: Call()) { completionHandler(parameters, $0) }
    }

    /// Processes `parameters`; returns them once the destination frames are complete.
    ///
    /// When the task is cancelled while the call waits for its turn, the call is left out and its buffers are free at once;
    /// while it is being processed, it stops as soon as it can, and destination frames that are complete stay so.
    /// - Throws: ``FrameProcessorError``, or `CancellationError` when the task was cancelled. The session goes on after it.
    @discardableResult
    public func process(parameters: any FrameProcessorParameters) async throws -> any FrameProcessorParameters {
        let call = Call()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                submit(parameters, as: call) { error in
                    if let error {
                        continuation.resume(throwing: error)
                    } else {
                        continuation.resume(returning: parameters)
                    }
                }
            }
        } onCancel: {
            call.cancel()
        }
    }

    /// Processes `parameters` and gives each destination frame as soon as it is complete.
    ///
    /// Work starts with the call. When the task that waits for a frame is cancelled, or the sequence and its iterator are
    /// let go of before the end, the call is cancelled as in the `async` form. Effects without destination frames cannot
    /// be used in this form.
    /// - Returns: a sequence to be iterated once, which throws ``FrameProcessorError`` or `CancellationError`.
    public func process(
        parameters: any FrameProcessorParameters
    ) -> some AsyncSequence<FrameProcessorFrame.ReadOnlyFrame, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: FrameProcessorFrame.ReadOnlyFrame.self)
        let call = Call(deliver: { continuation.yield($0) })
        continuation.onTermination = { if case .cancelled = $0 { call.cancel() } }
        if parameters.destinationFrames.isEmpty {
            continuation.finish(
                throwing: FrameProcessorError(
                    .invalidParameterError,
                    "\(type(of: parameters)) have no destination frames to wait for; use one of the other forms of process(parameters:)"
                ))
        } else {
            submit(parameters, as: call) { continuation.finish(throwing: $0) }
        }
        return CompletedFrames(stream: stream, count: parameters.destinationFrames.count)
    }

    private func submit(
        _ parameters: any FrameProcessorParameters, as call: Call, completion: @escaping Call.Completion
    ) {
        // Held while the work is queued, so that calls keep their order and a session that ends finds them all.
        let wasCancelled = session.withLock { session in
            do throws(FrameProcessorError) {
                guard let session else {
                    throw FrameProcessorError(
                        .sessionNotStarted, "no session is active; call startSession(configuration:) first")
                }
                let buffers = try session.admit(parameters)
                guard call.submit(buffers, completion: completion) else {
                    buffers.release()
                    return true
                }
                queue.async {
                    guard let buffers = call.begin() else { return }
                    do {
                        try session.run(parameters, buffers, call)
                        call.end(nil)
                    } catch {
                        call.end(
                            error is CancellationError ? error : FrameProcessorError(failing: .processingError, error))
                    }
                }
            } catch {
                queue.async { completion(error) }
            }
            return false
        }
        if wasCancelled { completion(CancellationError()) }
    }
}

/// The destination frames of one call, in the order in which they become complete.
private struct CompletedFrames: AsyncSequence {
    typealias Element = FrameProcessorFrame.ReadOnlyFrame
    typealias Failure = any Error

    let stream: AsyncThrowingStream<Element, any Error>
    /// Frames of a call that goes well.
    let count: Int

    func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator(), missing: count) }

    struct Iterator: AsyncIteratorProtocol {
        var base: AsyncThrowingStream<Element, any Error>.Iterator
        var missing: Int

        mutating func next() async throws -> Element? {
            if let frame = try await base.next() {
                missing -= 1
                return frame
            }
            // A stream whose task is cancelled just ends.
            if missing > 0 { try Task.checkCancellation() }
            return nil
        }
    }
}
