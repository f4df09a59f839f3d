internal import CommandLineCore
internal import Jobs

/// A job has failed, or the command line is invalid; the last event about an input.
struct ErrorEvent: JSONEvent {
    static let type = "error"

    /// The error as a sentence.
    let message: String
    /// The exit code of the program.
    let exitCode: Int32

    init(_ failure: JobFailure) {
        message = failure.message
        exitCode = failure.code.rawValue
    }
}
