internal import CommandLineCore

/// A resumed or joined job has finished without writing a frame, because its output was already complete.
struct AlreadyCompleteEvent: JSONEvent {
    static let type = "finished"

    /// The number of frames written, which is 0.
    let framesWritten = 0
    /// The exit code of the program.
    let exitCode: Int32
}
