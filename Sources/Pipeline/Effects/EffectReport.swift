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
