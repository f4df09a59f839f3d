public import FrameCore
internal import Motion

/// An effect over a clip: a value that states which frames it needs and what its output will be, and that starts the
/// runs that make the frames.
///
/// Chain effects with ``ConversionPipeline``, which runs each on its own thread. An effect that keeps no state between
/// frames can be its own ``EffectRun``.
public protocol ClipEffect: Sendable {
    /// The effect's name in reports.
    var name: String { get }
    /// A description of the effect and its settings. Effects with equal descriptions make equal frames from the same
    /// clip.
    var summary: String { get }
    /// The frames around each frame that the effect looks at.
    var window: TemporalWindow { get }
    /// Whether the result for a frame depends on how many frames came before it or on the time of the first frame. If
    /// so, and if the effect is not the first in its chain, it is given the whole clip again when a job is resumed.
    var countsFrames: Bool { get }
    /// Whether the effect, as the first of its chain, can begin in the middle of a clip with ``EffectRun/skip(frames:from:to:)``
    /// instead of the frames before.
    var canSkip: Bool { get }
    /// How the effect changes the number and the times of frames; nil if it keeps them.
    var timing: (any TimingPlan)? { get }
    /// How cuts must be found for the effect; nil if they do not matter to it.
    var cuts: CutSearch? { get }
    /// Whether the effect's settings depend on how strongly the source was compressed.
    var adaptsToCompression: Bool { get }
    /// Whether the effect's result no longer shows how the source was compressed, so that no later effect is adapted to
    /// it.
    var hidesCompression: Bool { get }
    /// Whether everything in the output is in the same place, and moves in the same way, as in the source, apart from
    /// scaling. If so, motion found before this effect is reused after it. An effect that mirrors, crops or stabilises
    /// frames must return false.
    var keepsMotion: Bool { get }
    /// The maximum number of buffers that the effect itself holds while it processes one frame; used for the memory
    /// bound.
    var picturesAtOnce: Int { get }
    /// Returns the output for a given source: size, time base, frame rate, sample aspect ratio.
    ///
    /// - Throws: an error if the effect cannot process the source.
    func outputStream(for source: VideoStreamDescription) throws -> VideoStreamDescription
    /// Returns what the effect does not keep of a source, as sentences for the user.
    func notes(over source: VideoStreamDescription) -> [String]
    /// Starts a clip. Called on the thread that uses the run.
    ///
    /// - Parameter source: a description with the size and format of the clip's first frame.
    func makeRun(for source: VideoStreamDescription) throws -> any EffectRun
    /// Returns the effect for a part of a clip, if its output is counted or timed from the part's first frame.
    ///
    /// - Parameters:
    ///   - time: the time of that frame, as it reaches the effect.
    ///   - frame: its number; nil if it is not known.
    func starting(at time: MediaTime, frame: Int?) -> Self
    /// Returns the effect with the settings for a source that was compressed.
    func adapted(to compression: SourceCompression) -> Self
}

/// An effect in progress on one clip; receives one call at a time.
public protocol EffectRun {
    /// A report of the work done so far.
    var report: EffectReport { get }
    /// Processes one frame and writes every frame shown from this one until the next. Called once per frame, in order.
    mutating func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws
    /// Called instead of ``process(_:to:)`` in a resumed run, for frames before the reset point at which processing
    /// starts: all of them if the effect counts frames (see ``ClipEffect/countsFrames``), otherwise only those that its
    /// window looks back at.
    mutating func pass(_ neighbourhood: Neighbourhood)
    /// Called once before the first frame of a run that begins in the middle of a clip, if the effect is the first of its
    /// chain and ``ClipEffect/canSkip`` is true. The run continues as after ``pass(_:)`` with each of the frames before.
    ///
    /// - Parameters:
    ///   - frames: the number of these frames.
    ///   - first: the time of the first of them.
    ///   - time: the time of the frame that follows them.
    mutating func skip(frames: Int, from first: MediaTime, to time: MediaTime)
}

/// Where a frame made by an effect belongs relative to the current input frame.
public enum FramePlace: Sendable, Hashable {
    /// The frame shows the current frame.
    case current
    /// Between the current frame and the next.
    case afterCurrent
    /// Between the previous frame and the current one.
    case beforeCurrent
    /// Shown across a cut, mixed from both sides or taken from either; later effects treat it as having no neighbours.
    case acrossCut
}

/// Receives, in presentation order, the frames that an effect makes while it processes one frame.
public struct EffectOutput {
    /// Until when the frame before a written one stands still.
    enum Hold {
        /// As before the input frame.
        case asReceived
        /// Until this time of the output; nil if it does not.
        case until(MediaTime?)
    }

    private let take: (Frame, FramePlace, OpticalFlow?, Hold) throws -> Void
    private let takeCut: () -> Void
    private let takeRest: (SideData) -> Void
    /// Whether a later effect can use motion.
    let wantsMotion: Bool

    init(
        wantsMotion: Bool, _ take: @escaping (Frame, FramePlace, OpticalFlow?, Hold) throws -> Void,
        cut: @escaping () -> Void, rest: @escaping (SideData) -> Void = { _ in }
    ) {
        self.wantsMotion = wantsMotion
        self.take = take
        takeCut = cut
        takeRest = rest
    }

    /// Sends a frame to the next stage; blocks while that stage is full.
    ///
    /// - Throws: `FrameError` if the frame's size or format differs from what the effect has declared, and an error
    ///   when the run has ended; do not catch that one.
    public func write(_ frame: Frame, _ place: FramePlace = .current) throws {
        try take(frame, place, nil, .asReceived)
    }

    /// Sends a frame together with what is known of the time from the previously written frame to this one.
    ///
    /// - Parameters:
    ///   - motion: the motion from that frame to this one.
    ///   - hold: until when that frame stands still.
    func write(
        _ frame: Frame, _ place: FramePlace = .current, motion: OpticalFlow?, hold: Hold = .asReceived
    ) throws {
        try take(frame, place, wantsMotion ? motion : nil, hold)
    }

    /// Adds side data to the last frame of the output, for effects that leave out frames at the end of the clip.
    func addToLastFrame(_ sideData: SideData) { takeRest(sideData) }

    /// Records that a scene begins with the current frame; for effects in pipelines without cut detection.
    func noteCut() { takeCut() }
}

extension ClipEffect {
    /// By default, the name of the type.
    public var name: String { String(describing: Self.self) }
    /// By default, the name; sufficient for an effect without settings.
    public var summary: String { name }
    /// By default, only the current frame.
    public var window: TemporalWindow { TemporalWindow() }
    /// By default, whether the timing does.
    public var countsFrames: Bool { timing.map { $0.history != .nothing } ?? false }
    /// By default, true if the effect does not count frames, or if only its timing counts them.
    public var canSkip: Bool { !countsFrames || timing?.history == .count }
    /// By default, nil.
    public var timing: (any TimingPlan)? { nil }
    /// By default, with the help of later frames.
    public var cuts: CutSearch? { .lookingAhead }
    /// By default, false.
    public var adaptsToCompression: Bool { false }
    /// By default, false.
    public var hidesCompression: Bool { false }
    /// By default, false.
    public var keepsMotion: Bool { false }
    /// By default, one.
    public var picturesAtOnce: Int { 1 }
    /// By default, none.
    public func notes(over source: VideoStreamDescription) -> [String] { [] }
    /// By default, the source's description unchanged.
    public func outputStream(for source: VideoStreamDescription) throws -> VideoStreamDescription { source }
    /// By default, returns the effect itself.
    public func starting(at time: MediaTime, frame: Int?) -> Self { self }
    /// By default, returns the effect itself.
    public func adapted(to compression: SourceCompression) -> Self { self }
}

extension ClipEffect where Self: EffectRun {
    /// Returns the effect itself.
    public func makeRun(for source: VideoStreamDescription) throws -> any EffectRun { self }
}

extension EffectRun {
    /// By default, an empty report.
    public var report: EffectReport { EffectReport() }
    /// By default, does nothing.
    public mutating func pass(_ neighbourhood: Neighbourhood) {}
    /// By default, does nothing.
    public mutating func skip(frames: Int, from first: MediaTime, to time: MediaTime) {}
}
