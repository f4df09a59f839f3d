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
