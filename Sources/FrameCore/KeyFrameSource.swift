/// Single key frames of a stream, reached without decoding what lies between. Calls block, one at a time.
public protocol KeyFrameSource: AnyObject, Sendable {
    /// What is known of the stream.
    var stream: VideoStreamDescription { get }
    /// The last key frame at or before `time`, or the first of all; nil when it is the one returned last.
    ///
    /// - Throws: ``FrameError`` when nothing can be decoded there.
    func keyFrame(at time: MediaTime) throws -> Frame?
}
