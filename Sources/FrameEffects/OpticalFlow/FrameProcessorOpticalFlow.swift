internal import FrameCore
public import Motion

/// Motion between two frames on the way through a ``FrameProcessor``: the destination of optical flow, or precomputed
/// flow that another effect reads.
///
/// As a destination its fields are allocated by the caller (see ``OpticalFlowConfiguration/makeDestination()``). While a
/// call writes them, reading them is an error, not a race.
public final class FrameProcessorOpticalFlow: Sendable, SessionBuffer {
    package let contents: GuardedContents<OpticalFlow>
    /// Width of the frames that the flow belongs to, in luma samples; it never changes.
    public let frameWidth: Int
    /// Height of the frames that the flow belongs to, in luma samples; it never changes.
    public let frameHeight: Int

    /// Puts two fields together, as a destination or as precomputed flow.
    ///
    /// - Parameters:
    ///   - forwardFlow: from the source frame to the next; for a destination, one whose motion does not matter.
    ///   - backwardFlow: from the next frame to the source, alike in size and cells.
    /// - Throws: ``FrameProcessorError`` when they are not alike.
    public init(forwardFlow: FlowField, backwardFlow: FlowField) throws(FrameProcessorError) {
        do {
            let flow = try OpticalFlow(forward: forwardFlow, backward: backwardFlow)
            contents = GuardedContents(flow)
            (frameWidth, frameHeight) = (flow.width, flow.height)
        } catch {
            throw FrameProcessorError(.invalidParameterError, error.message, cause: error)
        }
    }

    /// Wraps flow that was computed ahead or read from a file.
    public init(_ opticalFlow: OpticalFlow) {
        contents = GuardedContents(opticalFlow)
        (frameWidth, frameHeight) = (opticalFlow.width, opticalFlow.height)
    }

    /// Both directions.
    /// - Throws: ``FrameProcessorError`` while they are being written.
    public var opticalFlow: OpticalFlow {
        get throws(FrameProcessorError) { try read() }
    }

    /// From the source frame to the next.
    /// - Throws: ``FrameProcessorError`` while it is being written.
    public var forwardFlow: FlowField {
        get throws(FrameProcessorError) { try read().forward }
    }

    /// From the next frame to the source.
    /// - Throws: ``FrameProcessorError`` while it is being written.
    public var backwardFlow: FlowField {
        get throws(FrameProcessorError) { try read().backward }
    }

    package var label: String { "the optical flow of \(frameWidth)x\(frameHeight)" }

    /// - Throws: ``FrameProcessorError`` when the flow belongs to frames of another size.
    func check(against frame: FrameProcessorFrame) throws(FrameProcessorError) {
        guard frameWidth == frame.width, frameHeight == frame.height else {
            throw FrameProcessorError(
                .unsupportedInput,
                "the optical flow is for frames of \(frameWidth)x\(frameHeight), the source frame is \(frame.width)x\(frame.height); both must be alike"
            )
        }
    }
}
