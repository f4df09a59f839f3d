public import FrameCore
internal import Synchronization

/// A picture and its time on the way through a ``FrameProcessor``: source, reference or destination.
///
/// A destination's buffer is allocated by the caller. While its frame is being processed the processor holds the buffer;
/// afterwards the frame has it back with its new contents. Reading it meanwhile is an error, not a race.
public final class FrameProcessorFrame: Sendable {
    private enum Contents {
        case present(PixelBuffer, ColorDescription)
        case inFlight
    }

    private let contents: Mutex<Contents>
    public let presentationTimeStamp: MediaTime
    /// Layout and size never change, so they can be read at any time.
    public let format: PixelFormat
    public let width: Int
    public let height: Int

    /// - Parameters:
    ///   - buffer: the picture; for a destination, memory of the right format and size whose contents do not matter.
    ///   - color: how the code values are meant; a destination receives that of the source frame.
    public init(buffer: PixelBuffer, presentationTimeStamp: MediaTime, color: ColorDescription = .unspecified) {
        self.presentationTimeStamp = presentationTimeStamp
        format = buffer.format
        width = buffer.width
        height = buffer.height
        contents = Mutex(.present(buffer, color))
    }

    /// The picture.
    /// - Throws: ``FrameProcessorError`` while the frame is being written.
    public var buffer: PixelBuffer {
        get throws(FrameProcessorError) { try present().buffer }
    }

    /// How the code values are meant.
    /// - Throws: ``FrameProcessorError`` while the frame is being written.
    public var color: ColorDescription {
        get throws(FrameProcessorError) { try present().color }
    }

    private func present() throws(FrameProcessorError) -> (buffer: PixelBuffer, color: ColorDescription) {
        let found: (buffer: PixelBuffer, color: ColorDescription)? = contents.withLock { contents in
            if case .present(let buffer, let color) = contents { (buffer, color) } else { nil }
        }
        guard let found else {
            throw FrameProcessorError(
                .invalidParameterError,
                "the frame at \(presentationTimeStamp) s is being written; its buffer can be used once processing has ended"
            )
        }
        return found
    }

    /// Takes the buffer out; the frame is in flight until ``putBack(_:color:)``.
    func takeBuffer() throws(FrameProcessorError) -> PixelBuffer {
        let taken: PixelBuffer? = contents.withLock { contents in
            guard case .present(let buffer, _) = contents else { return nil }
            contents = .inFlight
            return buffer
        }
        guard let taken else {
            throw FrameProcessorError(
                .invalidParameterError,
                "the destination frame at \(presentationTimeStamp) s is already being written by an earlier call")
        }
        return taken
    }

    func putBack(_ buffer: PixelBuffer, color: ColorDescription) {
        contents.withLock { $0 = .present(buffer, color) }
    }

    /// `640x360 yuv420p`, for sentences.
    var layout: String { "\(width)x\(height) \(format)" }

    func hasLayout(of other: FrameProcessorFrame) -> Bool {
        format == other.format && width == other.width && height == other.height
    }
}

extension FrameProcessorFrame {
    /// A finished destination frame; later results may refer to its samples, so it cannot be written.
    public struct ReadOnlyFrame: Sendable {
        public var frame: PixelBuffer
        public var timeStamp: MediaTime

        public init(frame: PixelBuffer, timeStamp: MediaTime) {
            self.frame = frame
            self.timeStamp = timeStamp
        }
    }
}
