internal import Dispatch
public import FrameCore

/// Applies one effect to frames: start a session with a configuration, process parameters, end the session.
///
///     let processor = FrameProcessor()
///     try processor.startSession(configuration: configuration)
///     try await processor.process(parameters: parameters)
///     processor.endSession()
///
/// All methods can be called from several tasks and threads at the same time. Calls are processed one after another, in
/// submission order, on the processor's own queue. From submission until a call ends, its frames belong to the
/// processor: destination frames cannot be read (see ``FrameProcessorFrame``), and no frame of the call can be the
/// destination of another call.
public final class FrameProcessor: Sendable {
    private let session = Lock<(any Session)?>(nil)
    private let queue = DispatchQueue(label: "FrameProcessor", qos: .userInitiated)
    private let context: ExecutionContext

    /// Identifies the queues of all processors.
    private static let mark = DispatchSpecificKey<Bool>()

    /// - Parameter context: the threads and kernels to use; by default one thread per core. Results do not depend on them.
    public init(context: ExecutionContext = ExecutionContext()) {
        self.context = context
        queue.setSpecific(key: Self.mark, value: true)
    }

    /// Starts a session for parameters that belong to `configuration`.
    /// - Throws: ``FrameProcessorError`` if a session is already active or the effect cannot be set up.
    public func startSession(configuration: any FrameProcessorConfiguration) throws(FrameProcessorError) {
        let isActive = session.withLock { $0 != nil }
        guard !isActive else { throw Self.alreadyActive }
        guard let configuration = configuration as? any EffectConfiguration else {
            throw FrameProcessorError(
                .initializationFailed,
                "\(type(of: configuration)) is not a configuration of an effect in this package")
        }
        let fresh = try Self.makeSession(configuration, context: context)
        let isFirst = session.withLock { session in
            if session == nil { session = fresh }
            return session === fresh
        }
        guard isFirst else { throw Self.alreadyActive }
    }

    private static func makeSession(
        _ configuration: some EffectConfiguration, context: ExecutionContext
    ) throws(FrameProcessorError) -> any Session {
        try EffectSession(configuration, context: context)
    }

    private static var alreadyActive: FrameProcessorError {
        FrameProcessorError(.sessionAlreadyActive, "a session is already active; end it before starting another")
    }

    /// Ends the session, so that the processor can start another. Blocks until all submitted calls have been processed.
    ///
    /// In a completion handler it does not block, because it would wait for that handler: the session accepts no more
    /// calls, and those already submitted are processed after the handler has returned.
    public func endSession() {
        session.withLock { $0 = nil }
        if DispatchQueue.getSpecific(key: Self.mark) == nil { queue.sync {} }
    }

    /// Processes `parameters`, then calls `completionHandler` with them on the processor's queue. The next call is
    /// processed once the handler has returned.
    ///
    /// The error is a ``FrameProcessorError``, or nil on success. The session remains usable after an error.
    public func process(
        parameters: any FrameProcessorParameters,
        completionHandler: @escaping @Sendable (any FrameProcessorParameters, (any Error)?) -> Void
    ) {
        submit(parameters, as: Call()) { completionHandler(parameters, $0) }
    }

    /// Processes `parameters`, and returns them once the destination frames are complete.
    ///
    /// If the task is cancelled while the call waits for its turn, the call is skipped and its buffers are released
    /// immediately. If it is already being processed, it stops as soon as possible; destination frames that are
    /// complete by then remain so.
    /// - Throws: ``FrameProcessorError``, or `CancellationError` if the task was cancelled. The session remains usable.
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

    /// Processes `parameters`, and returns each destination frame as soon as it is complete.
    ///
    /// Processing starts with this call. If the task that waits for a frame is cancelled, or the sequence and its
    /// iterator are released before the end, the call is cancelled as in the `async` form. Effects without destination
    /// frames do not support this form.
    /// - Returns: a sequence that can be iterated once and throws ``FrameProcessorError`` or `CancellationError`.
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
                    "\(type(of: parameters)) have no destination frames to wait for; use another form of process(parameters:)"
                ))
        } else {
            submit(parameters, as: call) { continuation.finish(throwing: $0) }
        }
        return CompletedFrames(stream: stream, count: parameters.destinationFrames.count)
    }

    private func submit(
        _ parameters: any FrameProcessorParameters, as call: Call, completion: @escaping Call.Completion
    ) {
        // Enqueuing under the lock keeps calls in order and lets endSession() wait for all of them.
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
    /// The number of frames in a successful call.
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
            // When its task is cancelled, the stream ends without an error.
            if missing > 0 { try Task.checkCancellation() }
            return nil
        }
    }
}
