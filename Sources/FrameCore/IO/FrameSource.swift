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

/// Single key frames of a stream, reached without decoding what lies between. Calls block, one at a time.
public protocol KeyFrameSource: AnyObject, Sendable {
    /// What is known of the stream.
    var stream: VideoStreamDescription { get }
    /// What was lost so far; empty where the source does not tell.
    var damage: DamageReport { get }
    /// The last key frame at or before `time`, or the first of all; nil when it is the one returned last.
    ///
    /// - Throws: ``FrameError`` when nothing can be decoded there.
    func keyFrame(at time: MediaTime) throws -> Frame?
}

extension KeyFrameSource {
    /// Nothing was lost, as far as is known.
    public var damage: DamageReport { DamageReport() }
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
