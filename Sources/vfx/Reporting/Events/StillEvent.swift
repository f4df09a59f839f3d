internal import CommandLineCore
internal import FrameCore

/// `vfx still` has written an image.
struct StillEvent: JSONEvent {
    static let type = "still"

    /// The input, as named on the command line.
    let input: String
    /// The output, as named on the command line.
    let output: String
    /// The requested time.
    let time: MediaTime
    /// The time of the frame.
    let actualTime: MediaTime
    /// The width of the image.
    let width: Int
    /// The height of the image.
    let height: Int
    /// The size of the file in bytes.
    let bytes: Int
    /// The width of the embedded thumbnail; null if there is none.
    let thumbnailWidth: Int?
    /// The height of the embedded thumbnail; null if there is none.
    let thumbnailHeight: Int?
    /// Notes, each with the keys of a `note`.
    let notes: [NoteEvent]
    /// The exit code of the program.
    let exitCode: Int32
}
