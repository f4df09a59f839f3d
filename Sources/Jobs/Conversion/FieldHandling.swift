package import Pipeline

/// What becomes of interlaced frames before the effects see them.
public enum FieldHandling: String, Sendable, Hashable, Codable, CaseIterable {
    /// Frames that say that they are interlaced are deinterlaced.
    case auto
    /// All frames are deinterlaced, top field first.
    case topFirst = "tff"
    /// All frames are deinterlaced, bottom field first.
    case bottomFirst = "bff"
    /// Interlaced frames are processed as they are.
    case off

    /// Which frames are deinterlaced; nil for none.
    package var fields: DeinterlacePass.Fields? { DeinterlacePass.Fields(rawValue: rawValue) }
}
