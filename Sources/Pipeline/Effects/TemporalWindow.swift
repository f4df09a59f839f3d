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
}
