internal import CommandLineCore

/// A job has been divided by `--plan`.
struct PlanEvent: JSONEvent {
    static let type = "plan"

    /// The folder of the job.
    let folder: String
    /// The number of segments.
    let segments: Int
    /// The number of frames in the input.
    let frames: Int
    /// Whether the input was decoded for the plan, rather than only its packets read.
    let decoded: Bool
    /// The number of threads for which each worker is scheduled; the result does not depend on it.
    let threads: Int
    /// The number of segments at which reading cannot begin, so that their workers decode more of the input.
    let segmentsWithoutSeeking: Int
}

/// `vfx work` has made a segment.
struct SegmentEvent: JSONEvent {
    static let type = "segment"

    /// The number of the segment, counted from 0.
    let segment: Int
    /// The number of frames written.
    let frames: Int
    /// The size of the segment in bytes.
    let bytes: Int
    /// The number of the first source frame that was decoded.
    let firstFrameRead: Int
    /// The number of bytes that the process has read so far; null if unknown.
    let bytesRead: Int?
}

/// `vfx work` has finished.
struct WorkFinishedEvent: JSONEvent {
    static let type = "finished"

    /// The number of segments that were made.
    let segmentsMade: Int
    /// The number of segments that already existed.
    let segmentsReused: Int
    /// The number of bytes that the process has read; null if unknown.
    let bytesRead: Int?
    /// The exit code of the program.
    let exitCode: Int32
}

/// `vfx join` has finished.
struct JoinFinishedEvent: JSONEvent {
    static let type = "finished"

    /// The output, as named when the job was planned.
    let output: String
    /// The number of segments joined.
    let segments: Int
    /// The number of frames written.
    let framesWritten: Int
    /// The exit code of the program.
    let exitCode: Int32
}

/// How much of a divided job is done, printed by `vfx status`.
struct StatusEvent: JSONEvent {
    static let type = "status"

    /// The number of segments in the job.
    let segments: Int
    /// The number of segments that are done.
    let done: Int
    /// The number of segments that a worker is making.
    let running: Int
    /// The segments that have failed.
    let failed: [Failure]
    /// The number of frames in the segments that are done.
    let frames: Int
    /// The number of frames written per second by all workers; null if unknown.
    let fps: Double?
    /// The estimated number of seconds left; null if unknown.
    let etaSeconds: Double?
    /// Whether the segments have been joined.
    let joined: Bool
    /// The number of the job's tasks in Slurm, by state such as `pending`; empty without Slurm.
    let slurm: NamedValues<Int>

    /// A segment that has failed.
    struct Failure: Encodable {
        /// The number of the segment, counted from 0.
        let segment: Int
        /// Why it failed.
        let message: String
    }
}
