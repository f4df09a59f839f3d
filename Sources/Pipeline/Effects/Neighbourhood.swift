public import FrameCore
package import Motion

/// The frames round each that an effect looks at.
public struct TemporalWindow: Sendable, Hashable {
    /// Frames before a frame that the effect can use; at the clip's ends, at cuts and round flashes there are fewer.
    public var previous: Int
    /// The same for frames after it; they are waited for.
    public var next: Int
    /// Whether a neighbour serves only when all frames between are neighbours too. Else the frames on the other side
    /// of a flash, which are lit alike, are handed in as well.
    public var needsUnbroken: Bool
    /// Whether the effect is told which frame follows, on whichever side of a cut, and when the clip ends: for those that
    /// make frames between others.
    public var seesFollowing: Bool
    /// Whether nothing at all is waited for, not even to see whether a clip has more than one frame.
    package var isImmediate = false
    /// Whether the effect can use motion that one before it has found.
    package var usesMotion = false

    /// A window; negative numbers are taken as 0.
    public init(previous: Int = 0, next: Int = 0, needsUnbroken: Bool = false, seesFollowing: Bool = false) {
        self.previous = max(0, previous)
        self.next = max(0, next)
        self.needsUnbroken = needsUnbroken
        self.seesFollowing = seesFollowing
    }

    /// Each frame as it comes, for low latency: the effect sees none but those so far.
    public static var immediate: TemporalWindow {
        var window = TemporalWindow()
        window.isImmediate = true
        return window
    }

    /// The same window for an effect that can use motion.
    func usingMotion() -> TemporalWindow {
        var window = self
        window.usesMotion = true
        return window
    }
}

/// A frame and those round it that an effect may use: never one from the other side of a cut, nor one of other light.
public struct Neighbourhood: Sendable {
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
    /// For windows that see what follows: the frame shown next, whatever lies between; nil with the last one.
    public var following: Frame?
    /// Whether a scene begins with ``following``: nothing may be made of both frames.
    public var cutFollows = false
    /// Whether one of ``current`` and ``following`` is lit by a flash, so that motion means nothing between them.
    public var flashFollows = false
    /// For windows that see what follows: when the clip ends, as far as the source tells; given with the last two frames.
    public var end: MediaTime?

    /// From the frame before ``current`` to it, and from it to the next one, where an earlier effect has found them.
    package var motion: (before: OpticalFlow?, after: OpticalFlow?) = (nil, nil)

    init(previous: [Frame], current: Frame, next: [Frame], index: Int, resets: Bool, isOnlyFrame: Bool) {
        self.previous = previous
        self.current = current
        self.next = next
        self.index = index
        self.resets = resets
        self.isOnlyFrame = isOnlyFrame
    }
}
