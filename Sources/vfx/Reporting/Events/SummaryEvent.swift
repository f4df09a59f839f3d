internal import CommandLineCore

/// All of several inputs have been processed.
struct SummaryEvent: JSONEvent {
    static let type = "summary"

    /// The number of inputs.
    let files: Int
    /// The number of inputs that were processed without damage.
    let done: Int
    /// The number of damaged inputs of which the rest was processed.
    let damaged: Int
    /// The number of inputs that were skipped, because their outputs are complete.
    let skipped: Int
    /// The inputs that failed.
    let failed: [String]
    /// The exit code of the program.
    let exitCode: Int32
}
