internal import CommandLineCore
internal import Pipeline

/// The progress of a conversion, at most ten times a second.
struct ProgressEvent: JSONEvent {
    static let type = "progress"

    /// The number of frames read so far.
    let framesRead: Int
    /// The number of frames written so far.
    let framesWritten: Int
    /// The number of frames to write; null if unknown.
    let expectedFrames: Int?
    /// The seconds since the conversion began.
    let seconds: Double
    /// The number of frames written per second.
    let fps: Double
    /// The estimated number of seconds left; null if unknown.
    let etaSeconds: Double?
}

extension ProgressEvent {
    init(_ progress: PipelineProgress) {
        self.init(
            framesRead: progress.framesRead, framesWritten: progress.framesWritten,
            expectedFrames: progress.expectedFrames, seconds: progress.seconds, fps: progress.framesPerSecond,
            etaSeconds: progress.secondsLeft)
    }
}
