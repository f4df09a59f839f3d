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
