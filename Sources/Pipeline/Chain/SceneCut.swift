public import FrameCore

/// A scene cut in the source.
public struct SceneCut: Sendable, Hashable {
    /// The position in the source of the first frame after the cut, counted from 0.
    public var frame: Int
    /// The presentation time of that frame in the source.
    public var time: MediaTime

    /// Creates a cut before the given frame.
    public init(frame: Int, time: MediaTime) {
        self.frame = frame
        self.time = time
    }
}
