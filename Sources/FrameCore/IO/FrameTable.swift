/// The frames of a video in presentation order, known without decoding them.
package protocol FrameTable {
    /// The number of frames of the clip, or of the clip up to the end of a part.
    var count: Int { get }
    /// Returns the presentation time of a frame.
    ///
    /// - Parameter number: the frame's number, below ``count``.
    func time(of number: Int) -> MediaTime
    /// Returns where a reader can begin with a frame; nil if no keyframe leads to it.
    func position(of number: Int) -> SourcePosition?
}
