public import FrameEffects

/// What an effect did in a run.
public struct EffectReport: Sendable {
    /// Which effect; filled in by the pipeline, as are the numbers of frames and ``latency``.
    public var name = ""
    /// Frames that reached it.
    public var framesIn = 0
    /// Frames that it made or handed on.
    public var framesOut = 0
    /// How long frames took.
    public var latency = FrameLatency()
    /// Frames cross-faded over a cut.
    public var blendedOverCut = 0
    /// Frames that repeat the one before a cut.
    public var heldAtCut = 0
    /// How frames between others were filled; nil for effects that make none.
    public var fallbacks: InterpolationModeCounts?
    /// Of an effect that finds the motion between neighbours for its own sake; nil for others.
    public var flow: FlowStatistics?
    /// What the effect measured of the clip.
    public var measurements: [EffectMeasurement] = []
    /// Frames that show the source's moments though their samples are not the source's.
    package var sourceMomentsShown = 0

    /// Nothing done.
    public init() {}
}

/// What was done to find the motion of a clip's pairs of neighbours.
public struct FlowStatistics: Sendable, Hashable {
    /// Pairs whose motion was found.
    public var pairs: Int
    /// Wall-clock milliseconds that both directions of a pair took; nil without a pair, as is the next.
    public var medianMilliseconds: Double?
    /// What 19 of 20 pairs stayed below.
    public var slowMilliseconds: Double?

    /// - Parameters:
    ///   - pairs: whose motion was found.
    ///   - medianMilliseconds: of both directions of a pair.
    ///   - slowMilliseconds: what 19 of 20 pairs stayed below.
    package init(pairs: Int = 0, medianMilliseconds: Double? = nil, slowMilliseconds: Double? = nil) {
        self.pairs = pairs
        self.medianMilliseconds = medianMilliseconds
        self.slowMilliseconds = slowMilliseconds
    }
}

/// A figure that an effect measured of a clip.
public struct EffectMeasurement: Sendable, Hashable {
    /// In lower-case words, e.g. `noise sigma`.
    public var name: String
    /// The figure, in the unit that the name implies.
    public var value: Double

    /// - Parameters:
    ///   - name: in lower-case words.
    ///   - value: the figure.
    public init(name: String, value: Double) {
        self.name = name
        self.value = value
    }
}
