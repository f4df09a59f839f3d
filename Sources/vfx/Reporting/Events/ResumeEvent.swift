internal import CommandLineCore

/// A run continues an interrupted one.
struct ResumeEvent: JSONEvent {
    static let type = "resume"

    /// The number of finished segments that are reused.
    let segments: Int
    /// The number of frames in those segments.
    let framesWritten: Int
    /// The number of the first source frame to be decoded.
    let firstFrameRead: Int
}
