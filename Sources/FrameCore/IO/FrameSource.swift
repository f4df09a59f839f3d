/// A source of frames in presentation order. Calls block; make them from a thread of your own, one at a time.
public protocol FrameSource: AnyObject, Sendable {
    /// Properties of the stream that are known before its first frame is decoded.
    var stream: VideoStreamDescription { get }
    /// What has been lost or repaired so far; grows as frames are read.
    var damage: DamageReport { get }
    /// Returns the next frame, or nil after the last.
    /// - Throws: an error if the frame cannot be read; all earlier frames have been returned by then.
    func nextFrame() throws -> Frame?
}

/// A source that can continue from another position.
public protocol SeekableFrameSource: FrameSource {
    /// Whether ``seek(to:)`` works; pipes and streams without timestamps can only be read from the start.
    var isSeekable: Bool { get }
    /// Continues with the last keyframe at or before `time` according to the input's index, or with the first frame. If
    /// the index is wrong, the next frame may be later than `time`.
    ///
    /// - Throws: ``FrameError`` if the source is not seekable or nothing can be decoded there.
    func seek(to time: MediaTime) throws
}

/// Random access to a stream's keyframes without decoding the frames between them. Calls block; make one at a time.
public protocol KeyFrameSource: AnyObject, Sendable {
    /// Properties of the stream.
    var stream: VideoStreamDescription { get }
    /// What has been lost so far; empty if the source does not report it.
    var damage: DamageReport { get }
    /// Returns the last keyframe at or before `time`, or the stream's first one; nil if the previous call returned it.
    ///
    /// - Throws: ``FrameError`` if nothing can be decoded there.
    func keyFrame(at time: MediaTime) throws -> Frame?
    /// The mean quantizer step of luma in the latest keyframe, in 8-bit code values of an orthonormal transform, as in an
    /// H.264 picture with comparable artefacts; nil if it is not known.
    var quantizerStep: Float? { get }
}

extension KeyFrameSource {
    /// Nil: nothing is known.
    public var quantizerStep: Float? { nil }
    /// Empty: no losses are known.
    public var damage: DamageReport { DamageReport() }
}

/// Losses in an input that could still be read.
public struct DamageReport: Sendable, Hashable {
    /// One sentence for each kind of damage, in order of occurrence.
    public var notes: [String] = []
    /// The number of packets or frames that could not be decoded.
    public var lostUnits = 0
    /// One sentence for each kind of repair of timestamps, by which nothing is lost.
    public var repairs: [String] = []
    /// Whether nothing was lost; timestamps may have been repaired.
    public var isEmpty: Bool { notes.isEmpty && lostUnits == 0 }

    /// Creates a report without losses.
    public init() {}

    /// Adds a sentence unless it is already there.
    public mutating func note(_ sentence: String) {
        if !notes.contains(sentence) { notes.append(sentence) }
    }

    /// Adds a repair unless it is already there.
    public mutating func note(repair sentence: String) {
        if !repairs.contains(sentence) { repairs.append(sentence) }
    }

    /// Adds the losses from another pass over the same input.
    public mutating func add(_ other: DamageReport) {
        for sentence in other.notes { note(sentence) }
        for sentence in other.repairs { note(repair: sentence) }
        lostUnits += other.lostUnits
    }
}
