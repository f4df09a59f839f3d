public import FrameCore

/// What a run tells while it goes on.
public enum PipelineEvent: Sendable {
    /// Sent at most ten times a second.
    case progress(PipelineProgress)
    /// A cut was found.
    case cut(SceneCut)
}

/// How far a run has come.
public struct PipelineProgress: Sendable, Hashable {
    /// Source frames read so far.
    public var framesRead: Int
    /// Output frames written so far.
    public var framesWritten: Int
    /// Output frames expected in all; nil when the source does not say how long it is.
    public var expectedFrames: Int?
    /// Wall-clock seconds since the start.
    public var seconds: Double
    /// Output frames per second since the start.
    public var framesPerSecond: Double
    /// Seconds left at this speed; nil when the total is unknown.
    public var secondsLeft: Double?

    /// Reckons speed and time left from what has been done.
    package init(framesRead: Int, framesWritten: Int, expectedFrames: Int?, seconds: Double) {
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

/// A scene cut in the source.
public struct SceneCut: Sendable, Hashable {
    /// Position in the source of the first frame after the cut, counted from 0.
    public var frame: Int
    /// That frame's presentation time in the source.
    public var time: MediaTime

    /// A cut before that frame.
    package init(frame: Int, time: MediaTime) {
        self.frame = frame
        self.time = time
    }
}
