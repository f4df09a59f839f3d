public import FrameCore
package import Motion

/// The frames around each frame that an effect looks at.
public struct TemporalWindow: Sendable, Hashable {
    /// The number of earlier frames that the effect can use; fewer are available at the ends of the clip, at cuts and
    /// around flashes.
    public var previous: Int
    /// The number of later frames that the effect can use; the pipeline waits for them.
    public var next: Int
    /// Whether a frame counts as a neighbour only if all frames in between do too. If not, equally lit frames from
    /// beyond a flash are included.
    public var needsUnbroken: Bool
    /// Whether the effect learns which frame follows, even across a cut, and when the clip ends; for effects that make
    /// frames between others.
    public var seesFollowing: Bool
    /// Whether neighbours end at a frame that stands still for much longer than usual; for effects that depend on how fast
    /// things move at the time of a frame.
    package var endsAtHolds = false
    /// Whether the pipeline waits for nothing, not even to find out whether the clip has more than one frame.
    package var isImmediate = false
    /// Whether the effect can use motion found by an earlier effect.
    package var usesMotion = false
    /// The number of pairs of frames after the current one that the effect learns about; the pipeline waits for them.
    package var upcomingPairs = 0

    /// Creates a window; negative counts are treated as 0.
    public init(previous: Int = 0, next: Int = 0, needsUnbroken: Bool = false, seesFollowing: Bool = false) {
        self.previous = max(0, previous)
        self.next = max(0, next)
        self.needsUnbroken = needsUnbroken
        self.seesFollowing = seesFollowing
    }

    /// For low latency: each frame is processed as it arrives, with no later frames.
    public static var immediate: TemporalWindow {
        var window = TemporalWindow()
        window.isImmediate = true
        return window
    }

    /// Returns the same window for an effect that can use motion.
    func usingMotion() -> TemporalWindow {
        var window = self
        window.usesMotion = true
        return window
    }

    /// Returns the same window for an effect whose neighbours end at long holds.
    func endingAtHolds() -> TemporalWindow {
        var window = self
        window.endsAtHolds = true
        return window
    }

    /// Returns the same window for an effect that looks at the following frame and at the next pairs of frames.
    func seeingUpcoming(pairs: Int) -> TemporalWindow {
        var window = self
        window.upcomingPairs = pairs
        window.seesFollowing = true
        return window
    }
}

/// A frame and the frames around it that an effect may use: never across a cut, and never under different light.
public struct Neighbourhood: Sendable {
    /// Earlier frames in presentation order; the nearest is the last.
    public var previous: [Frame]
    /// The frame being processed.
    public var current: Frame
    /// Later frames in presentation order; the nearest is the first.
    public var next: [Frame]
    /// The position of ``current`` in the clip as it reaches this effect, counted from 0.
    public var index: Int
    /// Whether the effect must drop all state from earlier frames: the clip or a scene begins with ``current``, or the
    /// source's timeline has a reset point here (every 240 frames).
    public var resets: Bool
    /// Whether the clip has no other frame.
    public var isOnlyFrame: Bool
    /// The next frame shown, even across a cut; nil for the last frame. Set only if ``TemporalWindow/seesFollowing`` is
    /// true.
    public var following: Frame?
    /// Whether a scene begins with ``following``, so that nothing may be made from the two frames together.
    public var cutFollows = false
    /// Whether exactly one of ``current`` and ``following`` is lit by a flash, which makes motion between them
    /// meaningless.
    public var flashFollows = false
    /// Whether frames between ``current`` and ``following`` were left out.
    var gapFollows = false
    /// The time until which ``current`` stands still before ``following``, if that is a long hold.
    package var heldUntil: MediaTime?
    /// The time until which the frame before ``current`` stands still, if that is a long hold.
    package var previousHeldUntil: MediaTime?
    /// The time at which the clip ends, if the source states it; set for the last two frames, and only if
    /// ``TemporalWindow/seesFollowing`` is true.
    public var end: MediaTime?

    /// The time of the source frame that ``current`` belongs to. Effects before this one may have changed its own time.
    public var sourceTime: MediaTime
    /// The number of that source frame in the clip, and of the one that ``following`` belongs to.
    var sourceNumber = 0, followingNumber = 0

    /// The motion from the previous frame to ``current``, and from ``current`` to the next, if an earlier effect has
    /// found it.
    package var motion: (before: OpticalFlow?, after: OpticalFlow?) = (nil, nil)

    /// The next pairs of frames, of which the first begins with ``following``: as many as
    /// ``TemporalWindow/upcomingPairs`` says, fewer at the end of the clip.
    package var upcoming: [UpcomingPair] = []

    init(previous: [Frame], current: Frame, next: [Frame], index: Int, resets: Bool, isOnlyFrame: Bool) {
        self.previous = previous
        self.current = current
        sourceTime = current.presentationTime
        self.next = next
        self.index = index
        self.resets = resets
        self.isOnlyFrame = isOnlyFrame
    }
}

/// A frame and the one that follows it, before it is their turn.
package struct UpcomingPair: Sendable {
    /// The neighbourhood's ``Neighbourhood/index``, and the other properties of the same names.
    package var index: Int
    package var resets: Bool
    package var current: Frame
    package var following: Frame
    package var cutFollows: Bool
    package var flashFollows: Bool
    package var heldUntil: MediaTime?
    package var end: MediaTime?
    var gapFollows: Bool
    /// The motion between the two, if an earlier effect has found it.
    package var motion: OpticalFlow?
    /// The time from the frame to the one that follows it.
    var interval: MediaTime { following.presentationTime - current.presentationTime }

    /// - Returns: nil if `neighbourhood` is that of the last frame.
    init?(_ neighbourhood: Neighbourhood) {
        guard let following = neighbourhood.following else { return nil }
        index = neighbourhood.index
        resets = neighbourhood.resets
        current = neighbourhood.current
        self.following = following
        cutFollows = neighbourhood.cutFollows
        flashFollows = neighbourhood.flashFollows
        heldUntil = neighbourhood.heldUntil
        gapFollows = neighbourhood.gapFollows
        end = neighbourhood.end
        motion = neighbourhood.motion.after
    }
}
