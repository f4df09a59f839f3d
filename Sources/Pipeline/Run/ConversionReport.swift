public import FrameCore
public import FrameEffects

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
    package init() {}

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

    /// Output frames per second of wall-clock time; 0 for a run without length.
    public var framesPerSecond: Double { seconds > 0 ? Double(framesWritten) / seconds : 0 }
}
