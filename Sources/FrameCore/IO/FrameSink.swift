/// A destination for frames in presentation order. Calls block; make them from a thread of your own, one at a time.
///
/// A sink may write its output in self-contained segments, so that an interrupted run can resume after the last
/// finished segment. By default a sink has no segments: it starts with the first frame and keeps nothing.
public protocol FrameSink: AnyObject, Sendable {
    /// Where to resume: after the segments that an earlier run finished.
    var resumePoint: ResumePoint { get }
    /// Whether the sink accepts another frame. Once this is false after a call of ``write(_:)``, the run is complete: it ends
    /// early and calls ``finish()``.
    var wantsMore: Bool { get }
    /// The number of frames that were written last and are not in the output yet, because an encoder keeps them back or
    /// their duration is unknown.
    var framesHeld: Int { get }
    /// Passes the frames that an earlier run finished to `take`, in order and as they appear in the output. Called
    /// before the first frame is written, if at all.
    /// - Throws: an error if they cannot be read, or the error that `take` throws.
    func finishedFrames(_ take: (Frame) throws -> Void) throws
    /// Announces that the next frame begins segment `index`; indices ascend, possibly with gaps.
    /// - Throws: an error if the previous segment cannot be finished; nothing more may be written then.
    func beginSegment(_ index: Int) throws
    /// Writes the next frame, whose presentation time must be later than that of the previous one.
    /// - Throws: an error if the frame cannot be written; nothing more may be written then.
    func write(_ frame: Frame) throws
    /// Adds side data to the frame that was written last: that of frames at the end of the source that the output leaves
    /// out. Called before ``finish()``, if at all; ignored by default.
    func addToLastFrame(_ sideData: SideData)
    /// Flushes pending frames and makes the output visible under its final name.
    /// - Throws: an error if the output cannot be completed.
    func finish() throws
    /// Asks a long-running call to return soon, because the run has failed. Can be called from any thread.
    func stop()
    /// Discards the output and everything written for it. Has no effect after ``finish()``.
    func cancel()
    /// Removes what has been written so far without waiting for a call that is still in progress. Can be called from
    /// any thread; does nothing by default.
    func abandon()
}

extension FrameSink {
    public var resumePoint: ResumePoint { .start }
    /// By default true.
    public var wantsMore: Bool { true }
    /// By default 0: ``write(_:)`` returns when the frame is in the output.
    public var framesHeld: Int { 0 }
    public func finishedFrames(_ take: (Frame) throws -> Void) throws {}
    public func beginSegment(_ index: Int) throws {}
    public func addToLastFrame(_ sideData: SideData) {}
    public func stop() {}
    public func abandon() {}
}

/// Where a run resumes an earlier one.
public struct ResumePoint: Sendable, Hashable {
    /// The index of the source's reset point from which frames are made and written. If it is past the end of the
    /// source, no frames are made.
    public var segment: Int
    /// The number of frames the earlier run has written.
    public var framesWritten: Int

    /// Creates a resume point.
    ///
    /// - Parameters:
    ///   - segment: the segment to resume with, from 0; negative values count as 0.
    ///   - framesWritten: frames written by the earlier run.
    public init(segment: Int, framesWritten: Int) {
        self.segment = max(0, segment)
        self.framesWritten = max(0, framesWritten)
    }

    /// The start: nothing has been written yet.
    public static let start = ResumePoint(segment: 0, framesWritten: 0)
}
