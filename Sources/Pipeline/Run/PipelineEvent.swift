/// An event sent during a run.
public enum PipelineEvent: Sendable {
    /// The progress so far; sent at most ten times a second.
    case progress(PipelineProgress)
    /// A cut was found.
    case cut(SceneCut)
}

/// The progress of a run.
public struct PipelineProgress: Sendable, Hashable {
    /// The number of source frames read so far.
    public var framesRead: Int
    /// The number of output frames written so far.
    public var framesWritten: Int
    /// The expected total number of output frames; nil if the length of the source is unknown.
    public var expectedFrames: Int?
    /// Wall-clock seconds since the start.
    public var seconds: Double
    /// Output frames per second since the start.
    public var framesPerSecond: Double
    /// The estimated number of seconds left; nil if the total is unknown.
    public var secondsLeft: Double?

    /// Computes the speed and the time left from the counts so far.
    public init(framesRead: Int, framesWritten: Int, expectedFrames: Int?, seconds: Double) {
        self.framesRead = framesRead
        self.framesWritten = framesWritten
        self.expectedFrames = expectedFrames
        self.seconds = seconds
        framesPerSecond = seconds > 0 ? Double(framesWritten) / seconds : 0
        if let expectedFrames, framesPerSecond > 0 {
            secondsLeft = Double(max(0, expectedFrames - framesWritten)) / framesPerSecond
        }
    }
}
