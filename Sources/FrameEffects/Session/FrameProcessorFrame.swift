public import FrameCore

/// A picture and its time on the way through a ``FrameProcessor``: source, reference or destination.
///
/// A destination's buffer is allocated by the caller. While its frame is being processed the processor holds the buffer;
/// afterwards the frame has it back with its new contents. Reading it meanwhile is an error, not a race.
public final class FrameProcessorFrame: Sendable {
    package let contents: GuardedContents<Frame>
    /// When the frame is shown; a destination's is the caller's choice.
    public let presentationTimeStamp: MediaTime
    /// How long the frame is shown; nil when unknown. A destination's is the caller's choice.
    public let duration: MediaTime?
    /// Layout of the buffer. Layout and size never change, so they can be read at any time.
    public let format: PixelFormat
    /// Luma samples per row.
    public let width: Int
    /// Rows of luma.
    public let height: Int

    /// Takes a frame with all that rides on it.
    ///
    /// - Parameter frame: the picture; for a destination, memory of the right format and size, of which only the times
    ///   matter.
    public init(_ frame: Frame) {
        presentationTimeStamp = frame.presentationTime
        duration = frame.duration
        format = frame.buffer.format
        width = frame.buffer.width
        height = frame.buffer.height
        contents = GuardedContents(frame)
    }

    /// Takes a picture by itself.
    ///
    /// - Parameters:
    ///   - buffer: the picture; for a destination, memory of the right format and size whose contents do not matter.
    ///   - presentationTimeStamp: when it is shown; calls check that source and reference frames are in order.
    ///   - color: how the code values are meant; a destination receives that of the source frame.
    public convenience init(
        buffer: PixelBuffer, presentationTimeStamp: MediaTime, color: ColorDescription = .unspecified
    ) {
        self.init(Frame(buffer: buffer, presentationTime: presentationTimeStamp, color: color))
    }

    /// The picture with its times and all that rides on it: a destination has the colour, sample aspect ratio and side
    /// data of the source frame as the effect keeps or changes them.
    /// - Throws: ``FrameProcessorError`` while the frame is being written.
    public var frame: Frame {
        get throws(FrameProcessorError) { try read() }
    }

    /// The picture.
    /// - Throws: ``FrameProcessorError`` while the frame is being written.
    public var buffer: PixelBuffer {
        get throws(FrameProcessorError) { try read().buffer }
    }

    /// How the code values are meant.
    /// - Throws: ``FrameProcessorError`` while the frame is being written.
    public var color: ColorDescription {
        get throws(FrameProcessorError) { try read().color }
    }

    /// `640x360 yuv420p`, for sentences.
    package var layout: String { "\(width)x\(height) \(format)" }
}

extension FrameProcessorFrame: SessionBuffer {
    package var label: String { "the frame at \(presentationTimeStamp.text)" }
}

extension FrameProcessorFrame {
    /// A finished destination frame; later results may refer to its samples, so it cannot be written.
    public struct ReadOnlyFrame: Sendable {
        /// The picture.
        public var frame: PixelBuffer
        /// The destination's presentation time.
        public var timeStamp: MediaTime

        /// A picture at a time.
        public init(frame: PixelBuffer, timeStamp: MediaTime) {
            self.frame = frame
            self.timeStamp = timeStamp
        }
    }
}

extension MediaTime {
    /// Whether it is a time at all: `timescale` can be set, or decoded, to what no division allows.
    var isValid: Bool { timescale > 0 }

    /// `1.000000 s`, for sentences; an invalid time as it stands.
    var text: String { isValid ? "\(self) s" : "\(value)/\(timescale)" }
}
