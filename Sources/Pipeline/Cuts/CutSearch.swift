/// How cuts are looked for.
public enum CutSearch: Sendable, Hashable, CaseIterable {
    /// With the help of frames to come; duplicates and flashes are found too.
    case lookingAhead
    /// By the frames so far, for effects that wait for none to come.
    case live
    /// Not at all, or by the effect: all frames are taken as of one scene.
    case none
}
