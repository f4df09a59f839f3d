public import FrameCore
public import FrameEffects

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

    /// A cut before that frame.
    public init(frame: Int, time: MediaTime) {
        self.frame = frame
        self.time = time
    }
}

/// The three sides of a run.
public enum PipelineStage: String, Sendable, Hashable, Codable, CaseIterable {
    /// The source.
    case reading
    /// The effect.
    case making
    /// The sink.
    case writing
}

/// What a run tells while it goes on.
public enum PipelineEvent: Sendable {
    /// Sent at most ten times a second.
    case progress(PipelineProgress)
    /// A cut was found.
    case cut(SceneCut)
}

/// What a run did.
public struct ConversionReport: Sendable {
    /// Source frames read.
    public var framesRead = 0
    /// Output frames written.
    public var framesWritten = 0
    /// Output frames that show a source frame untouched, held ones included.
    public var sourceFramesShown = 0
    /// Output frames cross-faded over a cut.
    public var blendedOverCut = 0
    /// Output frames that repeat the frame before a cut.
    public var heldAtCut = 0
    /// Wall-clock seconds.
    public var seconds = 0.0
    /// What each effect of the chain did, in their order.
    public var effects: [EffectReport] = []
    /// Frames that were alive at once at most: those read, then those made by each effect.
    public var framePeaks: [Int] = []
    /// In the order of their times.
    public var cuts: [SceneCut] = []
    /// Source frames that repeat the one before.
    public var duplicates = 0
    /// How the made frames were filled.
    public var fallbacks = InterpolationModeCounts()
    /// What was lost or repaired while reading.
    public var damage = DamageReport()
    /// How long frames took; nil for a chain of several effects and for effects that make frames between others.
    public var latency: FrameLatency?
    /// What the effects measured of the clip.
    public var measurements: [EffectMeasurement] = []

    /// Nothing done.
    public init() {}

    /// Sums up what was told of each effect of a chain.
    init(_ parts: [ConversionReport]) {
        self.init()
        framesRead = parts.first?.framesRead ?? 0
        duplicates = parts.first?.duplicates ?? 0
        cuts = parts.flatMap(\.cuts)
        sourceFramesShown = parts.last?.sourceFramesShown ?? 0
        effects = parts.flatMap(\.effects)
        for effect in effects {
            heldAtCut += effect.heldAtCut
            blendedOverCut += effect.blendedOverCut
            if let cells = effect.fallbacks { fallbacks += cells }
            measurements += effect.measurements
        }
        if effects.count == 1, effects[0].fallbacks == nil { latency = effects[0].latency }
    }

    mutating func add(_ stage: EffectStage) {
        let effect = stage.report
        effects.append(effect)
        cuts += stage.cuts
        sourceFramesShown = stage.untouchedFrames + effect.sourceMomentsShown
    }

    /// Output frames per second of wall-clock time; 0 for a run without length.
    public var framesPerSecond: Double { seconds > 0 ? Double(framesWritten) / seconds : 0 }
}
