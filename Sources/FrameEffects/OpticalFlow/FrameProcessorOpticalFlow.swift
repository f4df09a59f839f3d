internal import FrameCore
public import Motion

/// The motion between two frames as a ``FrameProcessor`` uses it: the destination of optical flow, or precomputed flow
/// that another effect reads.
///
/// The caller allocates the fields of a destination (see ``OpticalFlowConfiguration/makeDestination()``). Reading them
/// while a call writes them throws an error; it is not a data race.
public final class FrameProcessorOpticalFlow: Sendable, SessionBuffer {
    package let contents: GuardedContents<OpticalFlow>
    /// Width of the frames that the flow belongs to, in luma samples; never changes.
    public let frameWidth: Int
    /// Height of the frames that the flow belongs to, in luma samples; never changes.
    public let frameHeight: Int

    /// Combines two fields, as a destination or as precomputed flow.
    ///
    /// - Parameters:
    ///   - forwardFlow: flow from the source frame to the next; for a destination, its vectors do not matter.
    ///   - backwardFlow: flow from the next frame to the source, with the same size and cell size.
    /// - Throws: ``FrameProcessorError`` if the two fields do not match.
    public init(forwardFlow: FlowField, backwardFlow: FlowField) throws(FrameProcessorError) {
        do {
            let flow = try OpticalFlow(forward: forwardFlow, backward: backwardFlow)
            contents = GuardedContents(flow)
            (frameWidth, frameHeight) = (flow.width, flow.height)
        } catch {
            throw FrameProcessorError(.invalidParameterError, error.message, cause: error)
        }
    }

    /// Wraps flow that was computed earlier or read from a file.
    public init(_ opticalFlow: OpticalFlow) {
        contents = GuardedContents(opticalFlow)
        (frameWidth, frameHeight) = (opticalFlow.width, opticalFlow.height)
    }

    /// The flow in both directions.
    /// - Throws: ``FrameProcessorError`` while a call writes it.
    public var opticalFlow: OpticalFlow {
        get throws(FrameProcessorError) { try read() }
    }

    /// The flow from the source frame to the next.
    /// - Throws: ``FrameProcessorError`` while a call writes it.
    public var forwardFlow: FlowField {
        get throws(FrameProcessorError) { try read().forward }
    }

    /// The flow from the next frame to the source.
    /// - Throws: ``FrameProcessorError`` while a call writes it.
    public var backwardFlow: FlowField {
        get throws(FrameProcessorError) { try read().backward }
    }

    package var label: String { "the optical flow of \(frameWidth)x\(frameHeight)" }

    /// - Throws: ``FrameProcessorError`` if the flow belongs to frames of another size.
    func check(against frame: FrameProcessorFrame) throws(FrameProcessorError) {
        guard frameWidth == frame.width, frameHeight == frame.height else {
            throw FrameProcessorError(
                .unsupportedInput,
                "the optical flow is for frames of \(frameWidth)x\(frameHeight), the source frame is \(frame.width)x\(frame.height); they must match"
            )
        }
    }
}
