package import FrameCore

/// The engine of an effect, as a session drives it: it keeps what one call leaves to the next. Called from one thread at
/// a time.
package protocol FrameProcessorEffect<Parameters>: AnyObject {
    associatedtype Parameters: EffectParameters

    /// Reads the parameters' inputs and completes each output.
    ///
    /// Size, formats, times and order have been checked, and no other call touches the buffers. The source frame has the
    /// pixel format that the effect was made for.
    /// - Parameters:
    ///   - relation: what of the latest call may be taken over; ``PairRelation/none`` after one that failed.
    ///   - results: receives each output as soon as it is complete.
    /// - Throws: `FrameError`, ``FrameProcessorError``, or what ``CallResults/checkCancellation()`` throws.
    func process(_ parameters: Parameters, relation: PairRelation, results: CallResults) throws
}

/// A configuration of one of the package's own effects.
package protocol EffectConfiguration: FrameProcessorConfiguration {
    associatedtype Effect: FrameProcessorEffect
    typealias Parameters = Effect.Parameters

    /// - Parameter format: one of the source buffers' pixel formats.
    func makeEffect(format: PixelFormat, threads: Int) throws -> Effect

    /// Refuses parameters that do not go with this configuration, before they become a call: one that is refused here
    /// leaves the sequence as it was. Size and formats are checked elsewhere. By default takes all.
    func check(_ parameters: Parameters) throws(FrameProcessorError)
}

extension EffectConfiguration {
    package func check(_ parameters: Parameters) throws(FrameProcessorError) {}
}

/// Parameters of one of the package's own effects.
package protocol EffectParameters: FrameProcessorParameters {
    var frames: CallFrames { get }
    /// Effects that keep nothing between calls say `random`.
    var submissionMode: SubmissionMode { get }
}

/// Where an effect puts its results, and learns whether they are still wanted.
package struct CallResults {
    let frames: CallFrames
    /// The source frame's contents.
    let source: Frame
    let buffers: InFlightBuffers
    /// Whether nobody waits for the rest.
    package let isCancelled: () -> Bool
    let deliver: (FrameProcessorFrame.ReadOnlyFrame) -> Void

    /// Gives a destination frame, by its position, its picture and what rides on the source frame. Each once.
    ///
    /// - Parameter change: what the effect changes of that, such as the shape of pixels.
    package func complete(_ index: Int, with picture: PixelBuffer, change: (inout Frame) -> Void = { _ in }) {
        guard frames.destinations.indices.contains(index) else { return }
        let destination = frames.destinations[index], time = destination.presentationTimeStamp
        var made = source.replacing(buffer: picture, presentationTime: time, duration: destination.duration)
        change(&made)
        if buffers.complete(destination, with: made) { deliver(.init(frame: picture, timeStamp: time)) }
    }

    /// Gives an output that is no frame its new contents. Each once.
    package func complete<Buffer: SessionBuffer>(_ buffer: Buffer, with contents: Buffer.Contents) {
        _ = buffers.complete(buffer, with: contents)
    }

    /// To be called between parts of the work that take long.
    /// - Throws: `CancellationError` when nobody waits for the rest.
    package func checkCancellation() throws(CancellationError) {
        if isCancelled() { throw CancellationError() }
    }

    /// Whether each output has been completed.
    package var isComplete: Bool { buffers.isComplete }
}
