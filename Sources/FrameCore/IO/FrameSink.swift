/// Where frames go, in presentation order. Calls block; call from a thread of your own, one at a time.
///
/// An output may be made in segments that each stand alone, so that a run that was interrupted can be continued behind
/// those that are finished. By default a sink has none: it starts with the first frame and holds nothing.
public protocol FrameSink: AnyObject, Sendable {
    /// Where frames are due: behind those that an earlier run has finished.
    var resumePoint: ResumePoint { get }
    /// Hands out, in order, the frames that an earlier run has finished, as the output will show them. Called before
    /// the first frame is written, if at all.
    /// - Throws: what keeps them from being read, and what `take` throws.
    func finishedFrames(_ take: (Frame) throws -> Void) throws
    /// Says that the next frame begins segment `index`; numbers ascend, and some may be left out.
    /// - Throws: what keeps the segment before from being finished; nothing more may be written then.
    func beginSegment(_ index: Int) throws
    /// Takes the next frame; its time lies after that of the one before.
    /// - Throws: what keeps it from being written; nothing more may be written then.
    func write(_ frame: Frame) throws
    /// Writes what is pending and makes the output visible under its name.
    /// - Throws: what kept it from being completed.
    func finish() throws
    /// Has a call that takes long end soon, because the run has failed. From any thread.
    func stop()
    /// Drops the output and everything written for it. Harmless after ``finish()``.
    func cancel()
    /// Removes what was written so far, while another call may still be at work on it: for a run that waits no longer. From
    /// any thread; by default nothing happens.
    func abandon()
}

extension FrameSink {
    public var resumePoint: ResumePoint { .start }
    public func finishedFrames(_ take: (Frame) throws -> Void) throws {}
    public func beginSegment(_ index: Int) throws {}
    public func stop() {}
    public func abandon() {}
}

/// Where a run continues the work of an earlier one.
public struct ResumePoint: Sendable, Hashable {
    /// Number of the source's reset point from which on frames are made and written. One that lies behind the source's
    /// end makes nothing.
    public var segment: Int
    /// Frames that the earlier run has written.
    public var framesWritten: Int

    /// - Parameters:
    ///   - segment: from 0; less is taken as 0.
    ///   - framesWritten: by the earlier run.
    public init(segment: Int, framesWritten: Int) {
        self.segment = max(0, segment)
        self.framesWritten = max(0, framesWritten)
    }

    /// Nothing is done yet.
    public static let start = ResumePoint(segment: 0, framesWritten: 0)
}
