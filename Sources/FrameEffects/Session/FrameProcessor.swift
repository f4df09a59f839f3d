internal import Dispatch
internal import Foundation
internal import Synchronization

/// Runs one effect on frames: start a session with a configuration, process parameters, end the session.
///
///     let processor = FrameProcessor()
///     try processor.startSession(configuration: configuration)
///     try await processor.process(parameters: parameters)
///     processor.endSession()
///
/// Calls are processed one after another in the order in which they were made, on a queue of the processor's own.
/// From the call until it ends, destination frames belong to the processor (see ``FrameProcessorFrame``).
public final class FrameProcessor: Sendable {
    /// The effect of a running session.
    ///
    /// `@unchecked Sendable`: the effect is touched on the processor's queue only.
    private final class Session: @unchecked Sendable {
        let effect: any FrameProcessorEffect
        init(effect: any FrameProcessorEffect) { self.effect = effect }
    }

    private let session = Mutex<Session?>(nil)
    private let queue = DispatchQueue(label: "FrameProcessor", qos: .userInitiated)
    private let threads: Int

    /// - Parameter threads: threads that work on one picture; nil takes one per core. The result does not depend on it.
    public init(threads: Int? = nil) {
        self.threads = max(1, threads ?? ProcessInfo.processInfo.activeProcessorCount)
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
        let fresh = Session(effect: try configuration.makeEffect(threads: threads))
        let isFirst = session.withLock { session in
            if session == nil { session = fresh }
            return session === fresh
        }
        guard isFirst else { throw Self.alreadyActive }
    }

    private static var alreadyActive: FrameProcessorError {
        FrameProcessorError(.sessionAlreadyActive, "a session is active already; end it before starting another one")
    }

    /// Finishes what was handed in, then drops the session; the processor can start another one. Blocks meanwhile.
    ///
    /// Must not be called from a completion handler.
    public func endSession() {
        session.withLock { $0 = nil }
        queue.sync {}
    }

    /// Processes `parameters` and calls `completionHandler` with them, on a queue of the processor.
    public func process(
        parameters: any FrameProcessorParameters,
        completionHandler: @escaping @Sendable (any FrameProcessorParameters, (any Error)?) -> Void
    ) {
        submit(parameters, deliver: { _ in }) { completionHandler(parameters, $0) }
    }

    /// Processes `parameters`; returns them once the destination frames are complete.
    /// - Throws: ``FrameProcessorError``.
    @discardableResult
    public func process(parameters: any FrameProcessorParameters) async throws -> any FrameProcessorParameters {
        try await withCheckedThrowingContinuation { continuation in
            submit(parameters, deliver: { _ in }) { error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: parameters)
                }
            }
        }
    }

    /// Processes `parameters` and gives each destination frame as it becomes complete.
    ///
    /// Work starts with the call. The sequence throws ``FrameProcessorError``.
    public func process(
        parameters: any FrameProcessorParameters
    ) -> some AsyncSequence<FrameProcessorFrame.ReadOnlyFrame, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: FrameProcessorFrame.ReadOnlyFrame.self)
        submit(parameters, deliver: { continuation.yield($0) }) { continuation.finish(throwing: $0) }
        return stream
    }

    private func submit(
        _ parameters: any FrameProcessorParameters,
        deliver: @escaping @Sendable (FrameProcessorFrame.ReadOnlyFrame) -> Void,
        completion: @escaping @Sendable (FrameProcessorError?) -> Void
    ) {
        // Held while the work is queued, so that calls keep their order and a session that ends finds them all.
        session.withLock { session in
            do throws(FrameProcessorError) {
                guard let session else {
                    throw FrameProcessorError(
                        .sessionNotStarted, "no session is active; call startSession(configuration:) first")
                }
                let destinations = try InFlightFrames(parameters.destinationFrames)
                queue.async {
                    do throws(FrameProcessorError) {
                        let color = try parameters.sourceFrame.color
                        try session.effect.process(parameters) { index, picture in
                            destinations.complete(index, with: picture, color: color).map(deliver)
                        }
                        destinations.putBackRest()
                        completion(nil)
                    } catch {
                        destinations.putBackRest()
                        completion(error)
                    }
                }
            } catch {
                queue.async { completion(error) }
            }
        }
    }
}
