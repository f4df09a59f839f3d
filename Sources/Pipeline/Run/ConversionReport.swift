public import FrameCore
public import FrameEffects

/// A report of what a run did.
public struct ConversionReport: Sendable {
    /// The number of source frames read.
    public var framesRead = 0
    /// The number of output frames written.
    public var framesWritten = 0
    /// The number of output frames that show an unmodified source frame, including held ones.
    public var sourceFramesShown = 0
    /// The number of output frames cross-faded across a cut.
    public var blendedOverCut = 0
    /// The number of output frames that repeat the frame before a cut.
    public var heldAtCut = 0
    /// The number of frames that stood still for much longer than the frames round them, so that none were interpolated
    /// in that time.
    public var longHolds = 0
    /// The number of frames that were left out because they repeat the picture before them.
    public var repeatsLeftOut = 0
    /// The number of frames that were left out because another one is shown at their time.
    public var framesLeftOut = 0
    /// The wall-clock duration of the run in seconds.
    public var seconds = 0.0
    /// The report of each effect, in chain order.
    public var effects: [EffectReport] = []
    /// The largest number of frames alive at once: the frames read, then the frames made by each effect.
    public var framePeaks: [Int] = []
    /// The cuts that were found, in order of time.
    public var cuts: [SceneCut] = []
    /// The number of source frames that repeat the one before.
    public var duplicates = 0
    /// How interpolated frames were filled.
    public var interpolationModes = InterpolationModeCounts()
    /// What was lost or repaired while reading.
    public var damage = DamageReport()
    /// How long frames took, from the source into the output; nil for a chain of several effects and for effects that
    /// count how they filled the frames between others.
    public var latency: FrameLatency?
    /// Figures that the effects measured from the clip.
    public var measurements: [EffectMeasurement] = []

    /// An empty report.
    public init() {}

    /// Combines the reports of the effects of a chain.
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
            repeatsLeftOut += effect.repeatsLeftOut
            framesLeftOut += effect.framesLeftOut
            // A later effect is given the holds of the one before.
            longHolds = max(longHolds, effect.longHolds)
            if let cells = effect.interpolationModes { interpolationModes += cells }
            measurements += effect.measurements
        }
        if effects.count == 1, effects[0].interpolationModes == nil { latency = effects[0].latency }
    }

    /// Output frames per second of wall-clock time; 0 if the run took no time.
    public var framesPerSecond: Double { seconds > 0 ? Double(framesWritten) / seconds : 0 }
}
