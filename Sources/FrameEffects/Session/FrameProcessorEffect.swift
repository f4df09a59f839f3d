package import FrameCore

/// The engine of an effect as a session calls it. It keeps the state that one call leaves for the next, and is called
/// from one thread at a time.
package protocol FrameProcessorEffect<Parameters>: AnyObject {
    associatedtype Parameters: EffectParameters

    /// Reads the inputs in `parameters` and completes each output.
    ///
    /// Size, formats, times and order have been checked, and no other call accesses the buffers. The source frame has
    /// the pixel format that the effect was created for.
    /// - Parameters:
    ///   - relation: how the call relates to the latest one, whose state may be reused accordingly;
    ///     ``PairRelation/none`` after a call that failed.
    ///   - results: receives each output as soon as it is complete.
    /// - Throws: `FrameError`, ``FrameProcessorError``, or the error of ``CallResults/checkCancellation()``.
    func process(_ parameters: Parameters, relation: PairRelation, results: CallResults) throws
}

/// A configuration of one of this package's effects.
package protocol EffectConfiguration: FrameProcessorConfiguration {
    associatedtype Effect: FrameProcessorEffect
    typealias Parameters = Effect.Parameters

    /// - Parameters:
    ///   - format: one of the source buffers' pixel formats.
    ///   - context: the threads and kernels to use.
    func makeEffect(format: PixelFormat, context: ExecutionContext) throws -> Effect

    /// Rejects parameters that do not fit this configuration before they become a call, so that a rejected call does
    /// not affect the sequence. Size and formats are checked elsewhere. Accepts all parameters by default.
    func check(_ parameters: Parameters) throws(FrameProcessorError)
}

extension EffectConfiguration {
    package func check(_ parameters: Parameters) throws(FrameProcessorError) {}
}

/// Parameters of one of this package's effects.
package protocol EffectParameters: FrameProcessorParameters {
    var frames: CallFrames { get }
    /// How the call relates to the previous one; `random` for effects that keep no state between calls.
    var submissionMode: SubmissionMode { get }
}

/// Receives an effect's results, and tells it whether the call has been cancelled.
package struct CallResults {
    let frames: CallFrames
    /// The source frame's contents.
    let source: Frame
    let buffers: InFlightBuffers
    /// Whether the call was cancelled, so that the remaining results are not needed.
    package let isCancelled: () -> Bool
    let deliver: (FrameProcessorFrame.ReadOnlyFrame) -> Void

    /// Completes the destination frame at `index` with `picture` and the source frame's metadata. Call it once per
    /// frame.
    ///
    /// - Parameter change: adjusts that metadata, such as the pixel aspect ratio.
    package func complete(_ index: Int, with picture: PixelBuffer, change: (inout Frame) -> Void = { _ in }) {
        guard frames.destinations.indices.contains(index) else { return }
        let destination = frames.destinations[index], time = destination.presentationTimeStamp
        var made = source.replacing(buffer: picture, presentationTime: time, duration: destination.duration)
        change(&made)
        if buffers.complete(destination, with: made) { deliver(.init(frame: picture, timeStamp: time)) }
    }

    /// Completes an output that is not a frame. Call it once per output.
    package func complete<Buffer: SessionBuffer>(_ buffer: Buffer, with contents: Buffer.Contents) {
        _ = buffers.complete(buffer, with: contents)
    }

    /// Checks for cancellation; call it between long steps.
    /// - Throws: `CancellationError` if the call was cancelled.
    package func checkCancellation() throws(CancellationError) {
        if isCancelled() { throw CancellationError() }
    }

    /// Whether all outputs have been completed.
    package var isComplete: Bool { buffers.isComplete }
}
