public import FrameCore

/// A frame that a ``FrameProcessor`` reads or writes: source, reference or destination.
///
/// The caller allocates the buffer of a destination. While a call writes the frame, the processor holds the buffer;
/// then the frame gets it back with new contents. Reading the frame in the meantime throws an error; it is not a data
/// race.
public final class FrameProcessorFrame: Sendable {
    package let contents: GuardedContents<Frame>
    /// When the frame is shown. For a destination, the caller chooses it.
    public let presentationTimeStamp: MediaTime
    /// How long the frame is shown; nil if unknown. For a destination, the caller chooses it.
    public let duration: MediaTime?
    /// The pixel format of the buffer. Format and size never change, so they can be read at any time.
    public let format: PixelFormat
    /// Width in luma samples.
    public let width: Int
    /// Height in luma rows.
    public let height: Int

    /// Wraps a frame with all of its metadata.
    ///
    /// - Parameter frame: the frame; for a destination, only its format, size and times matter.
    public init(_ frame: Frame) {
        presentationTimeStamp = frame.presentationTime
        duration = frame.duration
        format = frame.buffer.format
        width = frame.buffer.width
        height = frame.buffer.height
        contents = GuardedContents(frame)
    }

    /// Wraps a buffer without further metadata.
    ///
    /// - Parameters:
    ///   - buffer: the samples; for a destination, only format and size matter.
    ///   - presentationTimeStamp: when the frame is shown; calls check that source and reference frames are in order.
    ///   - color: how to interpret the code values; a destination receives the source frame's description instead.
    public convenience init(
        buffer: PixelBuffer, presentationTimeStamp: MediaTime, color: ColorDescription = .unspecified
    ) {
        self.init(Frame(buffer: buffer, presentationTime: presentationTimeStamp, color: color))
    }

    /// The frame with its times and metadata. A destination has the source frame's color, pixel aspect ratio and side
    /// data, as the effect keeps or changes them.
    /// - Throws: ``FrameProcessorError`` while a call writes the frame.
    public var frame: Frame {
        get throws(FrameProcessorError) { try read() }
    }

    /// The samples.
    /// - Throws: ``FrameProcessorError`` while a call writes the frame.
    public var buffer: PixelBuffer {
        get throws(FrameProcessorError) { try read().buffer }
    }

    /// How to interpret the code values.
    /// - Throws: ``FrameProcessorError`` while a call writes the frame.
    public var color: ColorDescription {
        get throws(FrameProcessorError) { try read().color }
    }

    /// Size and format for error messages: `640x360 yuv420p`.
    package var layout: String { "\(width)x\(height) \(format)" }
}

extension FrameProcessorFrame: SessionBuffer {
    package var label: String { "the frame at \(presentationTimeStamp.text)" }
}

extension FrameProcessorFrame {
    /// A finished destination frame. It is read-only because later results may depend on its samples.
    public struct ReadOnlyFrame: Sendable {
        /// The samples.
        public var frame: PixelBuffer
        /// The destination's presentation time.
        public var timeStamp: MediaTime

        /// Creates a read-only frame.
        public init(frame: PixelBuffer, timeStamp: MediaTime) {
            self.frame = frame
            self.timeStamp = timeStamp
        }
    }
}

extension MediaTime {
    /// Whether this is a valid time: `timescale` can be set or decoded to 0 or less.
    var isValid: Bool { timescale > 0 }

    /// The time for error messages: `1.000000 s`, or the raw value and timescale if it is invalid.
    var text: String { isValid ? "\(self) s" : "\(value)/\(timescale)" }
}
