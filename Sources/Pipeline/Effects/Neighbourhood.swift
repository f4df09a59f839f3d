public import FrameCore
package import Motion

/// A frame and those round it that an effect may use: never one from the other side of a cut, nor one of other light.
public struct Neighbourhood: Sendable {
    /// The frame shown next, whatever lies between.
    public struct Following: Sendable {
        /// The frame.
        public var frame: Frame
        /// Whether a scene begins with it: nothing may be made of both frames.
        public var isCut: Bool
        /// Whether one of the two is lit by a flash, so that motion means nothing between them.
        public var isFlash: Bool

        package init(frame: Frame, isCut: Bool = false, isFlash: Bool = false) {
            self.frame = frame
            self.isCut = isCut
            self.isFlash = isFlash
        }
    }

    /// Frames before ``current``, in presentation order: the nearest is the last.
    public var previous: [Frame]
    /// The frame that is worked on.
    public var current: Frame
    /// Frames after ``current``, in presentation order: the nearest is the first.
    public var next: [Frame]
    /// Position of ``current`` in the clip as it reaches this effect, counted from 0.
    public var index: Int
    /// Whether what the effect remembers of earlier frames must be forgotten: the clip or a scene begins with
    /// ``current``, or the source's timeline has a reset point here, as it has every 240 frames.
    public var resets: Bool
    /// Whether the clip has no other frame.
    public var isOnlyFrame: Bool
    /// For windows that see what follows: the next frame, nil with the last one.
    public var following: Following?
    /// For windows that see what follows: when the clip ends, as far as the source tells; given with the last two frames.
    public var end: MediaTime?

    /// From the frame before ``current`` to it, and from it to the next one, where an earlier effect has found them.
    package var motion: (before: OpticalFlow?, after: OpticalFlow?) = (nil, nil)

    package init(
        previous: [Frame], current: Frame, next: [Frame], index: Int, resets: Bool, isOnlyFrame: Bool = false,
        following: Following? = nil, end: MediaTime? = nil
    ) {
        self.previous = previous
        self.current = current
        self.next = next
        self.index = index
        self.resets = resets
        self.isOnlyFrame = isOnlyFrame
        self.following = following
        self.end = end
    }
}
