public import FrameCore

/// A frame chosen to stand for a clip.
public struct PickedFrame: Sendable, Hashable {
    /// The presentation time of the frame.
    public let time: MediaTime
    /// The aesthetics score, −1…1.
    public let score: Double

    package init(time: MediaTime, score: Double) {
        self.time = time
        self.score = score
    }
}
