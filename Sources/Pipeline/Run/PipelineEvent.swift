public import FrameCore
public import FrameEffects

/// How far a run has come.
public struct PipelineProgress: Sendable, Hashable {
    public var framesRead: Int
    public var framesWritten: Int
    /// Output frames expected in all; nil when the source does not say how long it is.
    public var expectedFrames: Int?
    /// Wall-clock seconds since the start.
    public var seconds: Double
    /// Output frames per second since the start.
    public var framesPerSecond: Double
    /// Seconds left at this speed; nil when the total is unknown.
    public var secondsLeft: Double?

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

/// A scene cut in the source.
public struct SceneCut: Sendable, Hashable {
    /// Position in the source of the first frame after the cut, counted from 0.
    public var frame: Int
    /// That frame's presentation time in the source.
    public var time: MediaTime

    public init(frame: Int, time: MediaTime) {
        self.frame = frame
        self.time = time
    }
}

/// The three sides of a run.
public enum PipelineStage: String, Sendable, Hashable, Codable, CaseIterable {
    case reading, making, writing
}

/// What a run tells while it goes on.
public enum PipelineEvent: Sendable {
    /// Sent at most ten times a second.
    case progress(PipelineProgress)
    case cut(SceneCut)
}

/// What a run did.
public struct ConversionReport: Sendable {
    public var framesRead = 0
    public var framesWritten = 0
    /// Output frames that show a source frame untouched, held ones included.
    public var sourceFramesShown = 0
    /// Output frames cross-faded over a cut.
    public var blendedOverCut = 0
    /// Output frames that repeat the frame before a cut.
    public var heldAtCut = 0
    /// Wall-clock seconds.
    public var seconds = 0.0
    public var cuts: [SceneCut] = []
    /// Source frames that repeat the one before.
    public var duplicates = 0
    /// How the made frames were filled.
    public var fallbacks = FallbackCounts()
    /// What was lost or repaired while reading.
    public var damage = DamageReport()
    /// How long frames took; nil for effects that make frames between others.
    public var latency: FrameLatency?
    /// What the effect found out about the clip.
    public var findings: [EffectFinding] = []

    public init() {}
    public var framesPerSecond: Double { seconds > 0 ? Double(framesWritten) / seconds : 0 }
}
