/// Keeps the finished segments of a video while it is being made, so that a later run can continue after them.
///
/// A writer writes the file of a segment to ``partPath(of:)``, syncs it to disk and then calls ``keep(_:)``.
public protocol SegmentStore: AnyObject, Sendable {
    /// The segments that already exist, from the first on and without gaps.
    var finished: [FinishedSegment] { get }
    /// Returns the path of a finished segment's file.
    func path(of index: Int) -> String
    /// Returns the path to which a segment's file is written.
    func partPath(of index: Int) -> String
    /// Keeps the file at ``partPath(of:)`` as a finished segment.
    /// - Throws: an error if the segment cannot be kept.
    func keep(_ segment: FinishedSegment) throws
    /// Called when the whole output is complete and about to be renamed to its final name.
    /// - Parameter output: the path of the output until then.
    /// - Throws: an error if this cannot be recorded.
    func willPublish(_ output: String) throws
}

extension SegmentStore {
    /// The point at which a run that reuses the finished segments continues.
    public var resumePoint: ResumePoint {
        let finished = finished
        guard let last = finished.last else { return .start }
        return ResumePoint(
            segment: last.next ?? ResetSchedule.noPoint, framesWritten: finished.reduce(0) { $0 + $1.frames })
    }
}

/// A finished part of a video, encoded independently of the others.
public struct FinishedSegment: Sendable, Hashable, Codable {
    /// The number of the source's reset point at which the segment begins.
    public var index: Int
    /// The number of the following segment; nil for the last one.
    public var next: Int?
    /// The number of frames in the segment.
    public var frames: Int
    /// The offset added to the times of all frames of the video.
    public var shift: MediaTime
    /// The time from the segment's last frame to the first frame of the next segment; for the last segment, how long
    /// its last frame is shown.
    public var step: MediaTime
    /// The size of the file in bytes.
    public var bytes: Int
    /// The CRC-32 of the file.
    public var checksum: UInt32
    /// What could not be written of the frames up to the segment's end; nil in records of earlier versions.
    public var notes: [Note]?

    /// Creates a description of a segment.
    public init(
        index: Int, next: Int?, frames: Int, shift: MediaTime, step: MediaTime, bytes: Int, checksum: UInt32,
        notes: [Note]? = nil
    ) {
        self.notes = notes
        self.index = index
        self.next = next
        self.frames = frames
        self.shift = shift
        self.step = step
        self.bytes = bytes
        self.checksum = checksum
    }
}
