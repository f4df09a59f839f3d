internal import CommandLineCore

/// A conversion begins.
struct StartEvent: JSONEvent {
    static let type = "start"

    /// The input, as named on the command line.
    let input: String
    /// The output, as named on the command line.
    let output: String
    /// The container of the output.
    let container: String
    /// The encoder; null if the output is not encoded.
    let encoder: String?
    /// The width of the output.
    let width: Int
    /// The height of the output.
    let height: Int
    /// The pixel format of the output.
    let pixelFormat: String
    /// The number of frames to write; null if unknown.
    let expectedFrames: Int?
}
