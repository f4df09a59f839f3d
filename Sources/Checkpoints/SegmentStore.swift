public import FrameCore

/// Keeps the finished segments of a video while it is made, so that another run can go on behind them.
///
/// A writer makes the file of a segment at ``partPath(of:)``, sees it safely on disk and then calls ``keep(_:)``.
public protocol SegmentStore: AnyObject, Sendable {
    /// Those that are there already, from the first segment on and without gaps.
    var finished: [FinishedSegment] { get }
    /// Where the file of a finished segment lies.
    func path(of index: Int) -> String
    /// Where the file of a segment is written.
    func partPath(of index: Int) -> String
    /// Takes the file at ``partPath(of:)`` for good.
    /// - Throws: what keeps it from being kept.
    func keep(_ segment: FinishedSegment) throws
    /// Called when the whole output is complete and about to get its name.
    /// - Parameter output: where the output lies until then.
    /// - Throws: what keeps that from being noted.
    func willPublish(_ output: String) throws
}

extension SegmentStore {
    /// Where a run goes on that takes over what is there.
    public var resumePoint: ResumePoint {
        let finished = finished
        guard let last = finished.last else { return .start }
        return ResumePoint(segment: last.next ?? .max, framesWritten: finished.reduce(0) { $0 + $1.frames })
    }
}

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
