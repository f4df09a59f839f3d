public import FrameCore

/// Reads the frames of a part of a clip, and no others.
///
/// If the input is seekable, decoding begins with the keyframe at or before the part.
///
/// `@unchecked Sendable`: `FrameSource` promises calls from one thread at a time.
public final class PartReader: SeekableFrameSource, @unchecked Sendable {
    /// The part that is read.
    public let part: LocatedPart

    private let reader: MediaReader
    private var isPastEnd = false
    private var firstTime: MediaTime?

    /// Prepares to read a part.
    ///
    /// - Parameters:
    ///   - reader: a reader that has not returned any frame yet; it is restricted to the part, and must not be used to read
    ///     frames afterwards.
    ///   - part: the part to read.
    /// - Throws: `FrameError` if the part begins after the clip's last frame or holds no frame, or if nothing can be decoded
    ///   there.
    public init(_ reader: MediaReader, part: ClipPart) throws {
        self.reader = reader
        self.part = try reader.restrict(to: part)
        guard reader.isSeekable, self.part.start > self.part.clipStart else { return }
        if let first = self.part.firstFrame, let position = reader.position(ofFrame: first, of: self.part)?.position,
            try reader.resume(at: position)
        {
            return
        }
        try reader.seek(to: self.part.start)
    }

    /// The properties of the part; see ``MediaReader/restrict(to:)-(ClipPart)``.
    public var stream: VideoStreamDescription { reader.stream }

    /// What has been lost or repaired so far.
    public var damage: DamageReport { reader.damage }

    /// The time from the clip's first frame to the first one read.
    public var offset: MediaTime { (firstTime ?? part.start) - part.clipStart }

    /// Returns the next frame of the part, with its time in the clip, or nil after the last.
    public func nextFrame() throws -> Frame? {
        while !isPastEnd, let frame = try reader.nextFrame() {
            if frame.presentationTime < part.start { continue }
            if let end = part.end, frame.presentationTime >= end {
                isPastEnd = true
                return nil
            }
            firstTime = firstTime ?? frame.presentationTime
            return frame
        }
        return nil
    }

    /// Whether ``seek(to:)`` works.
    public var isSeekable: Bool { reader.isSeekable }

    /// Continues with the last keyframe at or before `time`, but not before the part.
    public func seek(to time: MediaTime) throws {
        try reader.seek(to: time)
        isPastEnd = false
    }
}

/// Random access to the keyframes in a part of a clip.
///
/// `@unchecked Sendable`: `KeyFrameSource` promises calls from one thread at a time.
public final class PartKeyFrameReader: KeyFrameSource, @unchecked Sendable {
    private let reader: KeyFrameReader
    private let part: LocatedPart

    /// Restricts a reader to a part.
    public init(_ reader: KeyFrameReader, part: LocatedPart) {
        self.reader = reader
        self.part = part
    }

    /// The properties of the whole clip.
    public var stream: VideoStreamDescription { reader.stream }

    /// What has been lost so far.
    public var damage: DamageReport { reader.damage }

    /// The mean quantizer step of luma in the latest keyframe, if known.
    public var quantizerStep: Float? { reader.quantizerStep }

    /// Returns the last keyframe at or before `time`; nil if it is not in the part, or if the previous call returned it.
    public func keyFrame(at time: MediaTime) throws -> Frame? {
        guard let frame = try reader.keyFrame(at: time), frame.presentationTime >= part.start,
            part.end.map({ frame.presentationTime < $0 }) ?? true
        else { return nil }
        return frame
    }
}
