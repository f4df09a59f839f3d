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
}
