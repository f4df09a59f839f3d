/// Where frames come from, in presentation order. Calls block; call from a thread of your own, one at a time.
public protocol FrameSource: AnyObject, Sendable {
    /// What is known of the stream before its first frame is decoded.
    var stream: VideoStreamDescription { get }
    /// What was lost or repaired so far; grows while frames are read.
    var damage: DamageReport { get }
    /// The next frame, or nil after the last.
    /// - Throws: what keeps it from being read; the frames before have been returned by then.
    func nextFrame() throws -> Frame?
}

/// Where frames go, in presentation order. Calls block; call from a thread of your own, one at a time.
public protocol FrameSink: AnyObject, Sendable {
    /// Takes the next frame; its time lies after that of the one before.
    /// - Throws: what keeps it from being written; nothing more may be written then.
    func write(_ frame: Frame) throws
    /// Writes what is pending and makes the output visible under its name.
    /// - Throws: what kept it from being completed.
    func finish() throws
    /// Drops the output and everything written for it. Harmless after ``finish()``.
    func cancel()
    /// Removes what was written so far, while another call may still be at work on it: for a run that waits no longer. From
    /// any thread; by default nothing happens.
    func abandon()
}

extension FrameSink {
    public func abandon() {}
}

/// A sink whose output is made in segments that stand by themselves, so that a run that was interrupted can go on behind
/// those that are finished.
public protocol SegmentedFrameSink: FrameSink {
    /// Says that the next frame begins segment `index`; numbers ascend, and some may be left out.
    /// - Throws: what keeps the segment before from being finished; nothing more may be written then.
    func beginSegment(_ index: Int) throws
    /// Hands out, in order, the frames that an earlier run has finished, as the output will show them. Called before
    /// the first frame is written, if at all.
    /// - Throws: what keeps them from being read, and what `take` throws.
    func finishedFrames(_ take: (Frame) throws -> Void) throws
    /// Has what is going on over finished segments end soon, because the run has failed. From any thread.
    func stop()
}

/// Losses in an input that could be read all the same.
public struct DamageReport: Sendable, Hashable {
    /// One sentence per kind of damage, in the order in which it was met.
    public var notes: [String] = []
    /// Packets or frames that could not be decoded.
    public var lostUnits = 0
    /// Whether nothing was lost or repaired.
    public var isEmpty: Bool { notes.isEmpty && lostUnits == 0 }

    /// No losses.
    public init() {}

    /// Adds a sentence unless it is there already.
    public mutating func note(_ sentence: String) {
        if !notes.contains(sentence) { notes.append(sentence) }
    }

    /// Adds what another reading of the same input met.
    public mutating func add(_ other: DamageReport) {
        for sentence in other.notes { note(sentence) }
        lostUnits += other.lostUnits
    }
}

/// A source that can go on elsewhere.
public protocol SeekableFrameSource: FrameSource {
    /// Whether ``seek(to:)`` works; pipes and streams without times must be read from the start.
    var isSeekable: Bool { get }
    /// Goes on with the last key frame at or before `time`, as far as the input's index knows it, or with the first
    /// frame. What comes may begin later than `time` where the index is wrong.
    ///
    /// - Throws: ``FrameError`` when the source is not seekable or nothing can be decoded there.
    func seek(to time: MediaTime) throws
}
