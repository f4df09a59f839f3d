public import FrameCore

/// A part of a video that is encoded by itself and finished.
public struct FinishedSegment: Sendable, Hashable, Codable {
    /// Number of the reset point of the source with which it begins.
    public var index: Int
    /// Number of the segment that follows; nil for the last one.
    public var next: Int?
    /// Frames that it holds.
    public var frames: Int
    /// Added to the times of all frames of the video.
    public var shift: MediaTime
    /// From its last frame to the first of the next segment; for the last segment how long its last frame is shown.
    public var step: MediaTime
    /// Size of its file.
    public var bytes: Int
    /// CRC-32 of its file.
    public var checksum: UInt32

    /// Puts a description together.
    public init(
        index: Int, next: Int?, frames: Int, shift: MediaTime, step: MediaTime, bytes: Int, checksum: UInt32
    ) {
        self.index = index
        self.next = next
        self.frames = frames
        self.shift = shift
        self.step = step
        self.bytes = bytes
        self.checksum = checksum
    }
}
