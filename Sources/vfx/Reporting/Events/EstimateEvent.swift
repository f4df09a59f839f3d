internal import CommandLineCore

/// The cost of a job, printed by `--estimate`.
struct EstimateEvent: JSONEvent {
    static let type = "estimate"

    /// The input, as named on the command line.
    let input: String
    /// The output, as named on the command line.
    let output: String
    /// The number of frames that the job writes.
    let frames: Int
    /// The size of the output in bytes; null if nothing is written.
    let bytes: Int?
    /// The wall-clock time of the job in seconds.
    let seconds: Double
    /// The peak memory in KiB; null if unknown.
    let peakMemoryKib: Int?
    /// The number of source frames that were processed for the estimate.
    let sampledFrames: Int
    /// The exit code of the program.
    let exitCode: Int32
}
