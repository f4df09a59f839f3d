public import FrameCore
internal import Motion

/// An effect over a clip: a value that says which frames it looks at and what its output will be, and starts runs that
/// make the frames.
///
/// Effects are chained by ``ConversionPipeline``, each on a thread of its own. What remembers nothing from frame to frame
/// can be its own ``EffectRun``.
public protocol ClipEffect: Sendable {
    /// Names the effect in reports.
    var name: String { get }
    /// What the effect does, in words and figures: effects with the same words make the same pictures of the same clip.
    var summary: String { get }
    /// The frames round each that the effect looks at.
    var window: TemporalWindow { get }
    /// Whether what the effect makes of a frame depends on how many frames of the clip came before or on when the first one
    /// was shown: then an effect that is not the first in its chain is given the whole clip again when a job is gone on with.
    var countsFrames: Bool { get }
    /// Whether things lie and move in the output as they do in the source, but for the pictures' size: then motion that was
    /// found before the effect serves those behind it. One that mirrors, crops or steadies pictures must not say so.
    var keepsMotion: Bool { get }
    /// Pictures of its own that are alive at most while it works on one frame, for the memory bound.
    var picturesAtOnce: Int { get }
    /// What the output of a source so described will be: size, clock, rate, shape of a pixel.
    ///
    /// - Throws: when the source cannot be worked on.
    func outputStream(for source: VideoStreamDescription) throws -> VideoStreamDescription
    /// Begins a clip. Called on the thread that uses the run.
    ///
    /// - Parameter source: with the size and format of the clip's first frame.
    func makeRun(for source: VideoStreamDescription) throws -> any EffectRun
}

/// An effect at work on one clip, one call at a time.
public protocol EffectRun {
    /// What was done so far.
    var report: EffectReport { get }
    /// Called once for each frame of the clip, in order; writes all frames that are shown from this one to the next.
    mutating func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws
    /// Called instead, in a run that goes on with the work of an earlier one, for frames before the reset point from
    /// which on ``process(_:to:)`` is called. A run that counts frames or looks back over resets takes note of them.
    mutating func pass(_ neighbourhood: Neighbourhood)
}

/// Where a frame lies that an effect has made.
public enum FramePlace: Sendable, Hashable {
    /// It shows the frame that is worked on.
    case current
    /// Between that frame and the one that follows.
    case afterCurrent
    /// Between that frame and the one before it.
    case beforeCurrent
    /// Shown over a cut, mixed from both sides or taken from either: effects further along look at it alone.
    case acrossCut
}

/// Takes the frames that an effect makes, in presentation order, while it works on one frame.
public struct EffectOutput {
    private let take: (Frame, FramePlace, OpticalFlow?) throws -> Void
    private let takeCut: () -> Void
    /// Whether an effect further along can use motion.
    let wantsMotion: Bool

    init(
        wantsMotion: Bool, _ take: @escaping (Frame, FramePlace, OpticalFlow?) throws -> Void,
        cut: @escaping () -> Void
    ) {
        self.wantsMotion = wantsMotion
        self.take = take
        takeCut = cut
    }

    /// Hands a frame on; waits while nobody takes it.
    ///
    /// - Throws: `FrameError` for a picture of another size or format than the effect has announced, and when the run
    ///   has ended; let it through.
    public func write(_ frame: Frame, _ place: FramePlace = .current) throws { try take(frame, place, nil) }

    /// The same with the motion from the frame written before to this one.
    func write(_ frame: Frame, _ place: FramePlace = .current, motion: OpticalFlow?) throws {
        try take(frame, place, wantsMotion ? motion : nil)
    }

    /// Says that a scene begins with the frame that is worked on; for effects before which nobody looks for cuts.
    func noteCut() { takeCut() }
}

extension ClipEffect {
    /// The type's name.
    public var name: String { String(describing: Self.self) }
    /// The name; enough for an effect without settings.
    public var summary: String { name }
    /// No frame but the one that is worked on.
    public var window: TemporalWindow { TemporalWindow() }
    /// false.
    public var countsFrames: Bool { false }
    /// false.
    public var keepsMotion: Bool { false }
    /// One.
    public var picturesAtOnce: Int { 1 }
    /// The same as the source.
    public func outputStream(for source: VideoStreamDescription) throws -> VideoStreamDescription { source }
}

extension ClipEffect where Self: EffectRun {
    /// The effect itself.
    public func makeRun(for source: VideoStreamDescription) throws -> any EffectRun { self }
}

extension EffectRun {
    /// Nothing to tell.
    public var report: EffectReport { EffectReport() }
    /// Nothing is remembered over resets.
    public mutating func pass(_ neighbourhood: Neighbourhood) {}
}
