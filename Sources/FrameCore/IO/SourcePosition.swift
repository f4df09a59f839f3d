/// The place of a frame in an input, and what a reader must know to continue there as if it had read everything before.
///
/// Reading from a position may still find other frames, since an index can be wrong and a keyframe may need frames
/// before it. Compare the first frames with checksums taken when the position was recorded.
public struct SourcePosition: Sendable, Hashable, Codable {
    /// The packet of a keyframe, identified by its place in the file and its times in ticks of the stream.
    package struct Packet: Sendable, Hashable, Codable {
        /// The offset of the packet in the file, in bytes.
        package var offset: Int64
        /// The size in bytes.
        package var size: Int
        /// The presentation time; nil if the container states none.
        package var presentationTime: Int64?
        /// The decoding time; nil if the container states none.
        package var decodeTime: Int64?

        package init(offset: Int64, size: Int, presentationTime: Int64?, decodeTime: Int64?) {
            self.offset = offset
            self.size = size
            self.presentationTime = presentationTime
            self.decodeTime = decodeTime
        }
    }

    /// The state of the repair of timestamps before the frame, in ticks of the stream.
    package struct Clock: Sendable, Hashable, Codable {
        /// The repaired time of the frame before; nil for the first frame.
        package var last: Int64?
        /// The last time between two frames.
        package var lastStep: Int64
        /// Ticks added since the last discontinuity.
        package var shift: Int64
        /// Whether a frame so far was not at the constant rate of the others; nil if not.
        package var isOffGrid: Bool?

        package init(last: Int64?, lastStep: Int64, shift: Int64) {
            self.last = last
            self.lastStep = lastStep
            self.shift = shift
        }
    }

    /// The frames between two discontinuities of the timestamps.
    package struct Span: Sendable, Hashable, Codable {
        /// The earliest presentation time as stored in the container, counted from the beginning of the clip.
        package var first: MediaTime
        /// The latest presentation time as stored in the container, counted from the beginning of the clip.
        package var last: MediaTime
        /// The offset added to these times.
        package var shift: MediaTime

        package init(first: MediaTime, last: MediaTime, shift: MediaTime) {
            self.first = first
            self.last = last
            self.shift = shift
        }
    }

    /// The keyframe from which the frame can be decoded.
    package var key: Packet
    /// The frame's timestamp as stored in the container, in ticks of the stream.
    package var stamp: Int64
    /// The offset of the frame's packet in the file, in bytes: timestamps may repeat.
    package var offset: Int64
    /// The state of the repair of timestamps.
    package var clock: Clock
    /// The duration of the frame before; nil for the first frame.
    package var previousStep: MediaTime?
    /// The number of frames by which the decoder delays its output to reorder them.
    package var reorderDelay: Int
    /// The repairs of timestamps so far, as sentences.
    package var notes: [String]
    /// The spans between discontinuities so far.
    package var spans: [Span]

    package init(
        key: Packet, stamp: Int64, offset: Int64, clock: Clock, previousStep: MediaTime?, reorderDelay: Int,
        notes: [String],
        spans: [Span]
    ) {
        self.key = key
        self.stamp = stamp
        self.offset = offset
        self.clock = clock
        self.previousStep = previousStep
        self.reorderDelay = reorderDelay
        self.notes = notes
        self.spans = spans
    }
}

/// A source that can continue in another process from a recorded position, without reading what comes before.
public protocol ResumableFrameSource: FrameSource {
    /// The position of the frame that ``FrameSource/nextFrame()`` returns next; nil if reading cannot safely continue
    /// there, for example because the input before it is damaged.
    var position: SourcePosition? { get }
    /// Continues with the frame at `position`.
    ///
    /// - Returns: whether the frame was found. If not, or after an error, the source must be opened again.
    /// - Throws: ``FrameError`` if the input cannot be read.
    func resume(at position: SourcePosition) throws -> Bool
}
