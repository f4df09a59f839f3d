public import FrameEffects

/// What an effect did in a run.
public struct EffectReport: Sendable {
    /// The effect's name; filled in by the pipeline, as are the frame counts and ``latency``.
    public var name = ""
    /// The number of frames that reached the effect.
    public var framesIn = 0
    /// The number of frames that the effect made or passed on.
    public var framesOut = 0
    /// How long the frames took.
    public var latency = FrameLatency()
    /// The number of frames cross-faded across a cut.
    public var blendedOverCut = 0
    /// The number of frames that repeat the frame before a cut.
    public var heldAtCut = 0
    /// The number of frames that stood still for much longer than the frames round them.
    public var longHolds = 0
    /// The number of frames that were left out because they repeat the picture before them.
    public var repeatsLeftOut = 0
    /// The number of frames that were left out because another one is shown at their time.
    public var framesLeftOut = 0
    /// How interpolated frames were filled; nil for effects that interpolate none.
    public var interpolationModes: InterpolationModeCounts?
    /// The motion statistics of an effect whose product is the motion between neighbours; nil for others.
    public var flow: FlowStatistics?
    /// Figures that the effect measured from the clip.
    public var measurements: [EffectMeasurement] = []
    /// The number of frames at source times whose samples are not the source's, such as enlarged ones.
    package var sourceMomentsShown = 0

    /// An empty report.
    public init() {}
}

/// Statistics of the motion estimation between the neighbouring frames of a clip.
public struct FlowStatistics: Sendable, Hashable {
    /// The number of pairs whose motion was estimated.
    public var pairs: Int
    /// The median wall-clock time for both directions of a pair, in milliseconds; nil without pairs.
    public var medianMilliseconds: Double?
    /// The 95th percentile of that time, in milliseconds; nil without pairs.
    public var slowMilliseconds: Double?
    /// The largest motion drawn at full scale, in pixels; nil if none is drawn.
    public var maximum: Float?

    /// - Parameters:
    ///   - pairs: number of pairs whose motion was estimated.
    ///   - medianMilliseconds: median time for both directions of a pair.
    ///   - slowMilliseconds: 95th percentile of that time.
    ///   - maximum: the largest motion drawn at full scale.
    public init(
        pairs: Int = 0, medianMilliseconds: Double? = nil, slowMilliseconds: Double? = nil, maximum: Float? = nil
    ) {
        self.maximum = maximum
        self.pairs = pairs
        self.medianMilliseconds = medianMilliseconds
        self.slowMilliseconds = slowMilliseconds
    }
}

/// A figure that an effect measured from a clip.
public struct EffectMeasurement: Sendable, Hashable {
    /// The name in lower-case words, e.g. `noise sigma`.
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
