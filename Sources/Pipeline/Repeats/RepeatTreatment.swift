/// What becomes of frames that repeat the picture before them, where frames are interpolated.
///
/// Between a frame and its repeat nothing moves, so frames interpolated there stand still, and then everything moves in one
/// step: it judders. Without the repeats the pictures are as evenly spaced in time as they were drawn or filmed.
public enum RepeatTreatment: String, Sendable, Hashable, Codable, CaseIterable {
    /// Those of a low frame rate inside the clip's and those in place of lost frames are left out; pictures that stand still
    /// for longer than usual do so until shortly before the next one.
    case auto
    /// They are frames like any other.
    case keep
    /// All are left out, except for one every half second.
    case drop
}
