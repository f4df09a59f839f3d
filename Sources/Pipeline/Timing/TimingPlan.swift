public import FrameCore

/// An output frame of a conversion: when it is shown, and what it shows.
public struct PlannedFrame: Sendable, Hashable {
    /// What a frame shows.
    public enum Content: Sendable, Hashable {
        /// The earlier source frame of the pair, unchanged.
        case source
        /// A frame interpolated at this fraction (strictly between 0 and 1) of the way to the later frame.
        case between(phase: Float)
    }

    /// What the frame shows.
    public var content: Content
    /// The presentation time on the output's clock.
    public var time: MediaTime
    /// How long the frame is shown; nil if the source does not state it.
    public var duration: MediaTime?
    /// On the output's clock, the time until which the output frame before this one stands still, as in a long hold; nil
    /// if it does not.
    public var heldUntil: MediaTime?
    /// The place among the moments of which an output frame is the mean; nil if it shows one moment.
    public var exposure: Exposure?

    /// The place of a moment among those of which an output frame is the mean. They all have the frame's time.
    public struct Exposure: Sendable, Hashable {
        /// The number of the moment, from 0.
        public var moment: Int
        /// How many moments there are, at least 2.
        public var count: Int
    }

    /// Creates a planned frame.
    public init(
        content: Content, time: MediaTime, duration: MediaTime?, heldUntil: MediaTime? = nil,
        exposure: Exposure? = nil
    ) {
        self.content = content
        self.time = time
        self.duration = duration
        self.heldUntil = heldUntil
        self.exposure = exposure
    }
}

/// A sequence of output frames computed on access, so that a long gap between two source frames costs no memory.
public struct PlannedFrames: RandomAccessCollection, Sendable {
    /// The number of frames.
    public let count: Int
    private let frame: @Sendable (Int) -> PlannedFrame

    /// Creates `count` frames, each computed from its position; a negative count is treated as 0.
    public init(count: Int, frame: @escaping @Sendable (Int) -> PlannedFrame) {
        self.count = Swift.max(0, count)
        self.frame = frame
    }

    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of frames.
    public var endIndex: Int { count }
    /// Returns the frame at a position counted from 0.
    public subscript(position: Int) -> PlannedFrame { frame(position) }
}

/// How far apart the output frames of a plan are.
public enum FrameSpacing: Sendable, Hashable {
    /// Evenly, if the source frames are.
    case kept
    /// Evenly at this rate in frames per second, whatever the times of the source frames.
    case constant(rate: Rational)
    /// Unevenly, even if the source frames are evenly spaced.
    case uneven
}

/// What a plan must know of the source frames before the one that it is given.
public enum TimingHistory: Sendable, Hashable {
    /// Nothing: each source frame stands for itself.
    case nothing
    /// Their number and the time of the first, as ``TimingPlan/skip(frames:from:to:)`` states them.
    case count
    /// The time of each.
    case everyFrame
}

/// Maps the times of source frames to the times and contents of output frames; a pure value, fed one pair of
/// neighbouring frames at a time.
public protocol TimingPlan: Sendable {
    /// The plan's settings as text.
    var summary: String { get }
    /// The factor by which the clip becomes longer; if that is not the same everywhere, the largest one.
    var factor: Rational { get }
    /// How the output's clock relates to the source's.
    var retiming: Retiming { get }
    /// The highest speed at which the clip plays, at least 1.
    var highestSpeed: Double { get }
    /// How far apart the output frames are.
    var spacing: FrameSpacing { get }
    /// What the plan must know of earlier source frames.
    var history: TimingHistory { get }

    /// Returns the plan for a part of a clip, if output frames are counted or timed from the part's first frame.
    ///
    /// - Parameters:
    ///   - time: the time of that frame.
    ///   - frame: its number; nil if it is not known.
    func starting(at time: MediaTime, frame: Int?) -> Self

    /// Returns the number of the output frame that a source frame is shown as; nil if that takes more than its number.
    ///
    /// - Parameter frame: the number of the source frame, counted from 0.
    func number(ofSourceFrame frame: Int) -> Int?

    /// Advances past source frames before the first one that is given, and returns the number of output frames shown
    /// from `first` to `time`. Called only if ``history`` does not ask for every frame.
    ///
    /// - Parameters:
    ///   - frames: the number of source frames, at least 1.
    ///   - first: the time of the first of them.
    ///   - time: the time of the source frame that follows them.
    mutating func skip(frames: Int, from first: MediaTime, to time: MediaTime) -> Int

    /// Returns the output frames shown from `source` (inclusive) to `next` (exclusive).
    ///
    /// - Parameters:
    ///   - source: time of the earlier frame.
    ///   - hold: the time until which that frame stands still, between `source` and `next`; nil if the picture begins to
    ///     change at once. No frame is interpolated before it.
    ///   - next: time of the later frame, after `source`.
    ///   - end: when the clip ends, given when `next` is its last frame.
    mutating func frames(
        from source: MediaTime, heldUntil hold: MediaTime?, to next: MediaTime, end: MediaTime?
    ) -> PlannedFrames

    /// Returns the output frames from the last source frame to the end; they all show that frame.
    ///
    /// - Parameters:
    ///   - last: time of the last source frame.
    ///   - end: when that frame stops being shown; nil if unknown.
    mutating func closingFrames(last: MediaTime, end: MediaTime?) -> PlannedFrames

    /// Returns the output's description for a given source: the same image format with another clock.
    func outputStream(for source: VideoStreamDescription) -> VideoStreamDescription

    /// Returns the number of output frames for `sourceFrames` frames with a total length of `duration`; nil if that
    /// cannot be determined.
    func expectedFrameCount(sourceFrames: Int?, duration: MediaTime?) -> Int?
}

extension TimingPlan {
    /// By default, 1: the clip remains as long as it is.
    public var factor: Rational { Rational(1, 1) }
    /// By default, times are multiplied by the factor.
    public var retiming: Retiming { .scaled(by: factor) }
    /// By default, 1.
    public var highestSpeed: Double { 1 }
    /// By default, uneven.
    public var spacing: FrameSpacing { .uneven }
    /// By default, every frame.
    public var history: TimingHistory { .everyFrame }
    /// By default, returns the plan itself.
    public func starting(at time: MediaTime, frame: Int?) -> Self { self }
    /// By default, nil.
    public func number(ofSourceFrame frame: Int) -> Int? { nil }
    /// By default, each source frame once, at its time.
    public mutating func frames(
        from source: MediaTime, heldUntil hold: MediaTime?, to next: MediaTime, end: MediaTime?
    ) -> PlannedFrames {
        PlannedFrames(count: 1) { _ in PlannedFrame(content: .source, time: source, duration: next - source) }
    }
    /// By default, the last source frame once, at its time.
    public mutating func closingFrames(last: MediaTime, end: MediaTime?) -> PlannedFrames {
        PlannedFrames(count: 1) { _ in PlannedFrame(content: .source, time: last, duration: end.map { $0 - last }) }
    }
    /// By default, does nothing and returns 0.
    public mutating func skip(frames: Int, from first: MediaTime, to time: MediaTime) -> Int { 0 }

    /// Returns the output frames shown from `source` (inclusive) to `next` (exclusive), if the picture begins to change at
    /// once.
    public mutating func frames(from source: MediaTime, to next: MediaTime, end: MediaTime?) -> PlannedFrames {
        frames(from: source, heldUntil: nil, to: next, end: end)
    }
}

extension VideoStreamDescription {
    /// The number of frames that the container states, or else an estimate from duration and frame rate. For display
    /// only.
    package var likelyFrameCount: Int? {
        if let frameCount { return frameCount }
        guard let duration, let rate = nominalFrameRate, rate.isPositive else { return nil }
        return max(1, (ExactTime(duration) * ExactTime(rate)).rounded)
    }
}

/// Limits how many frames a plan may produce: a few damaged bytes may claim that a frame is shown for years, and
/// nothing else would stop the output.
struct OutputFrameLimit {
    /// The maximum number of output frames between two neighbouring source frames; more means that the source's times
    /// are wrong. Equals a day at 11 frames per second.
    static let mostOfPair = 1_000_000
    /// The additional allowance per source frame for the total: 16 s at 60 frames per second.
    static let mostOfEach = 1000

    /// The number of frames planned so far.
    private var total = 0

    /// Counts frames without checking the limits.
    mutating func count(_ planned: PlannedFrames) { total += planned.count }

    /// Counts a number of frames without checking the limits.
    mutating func count(_ frames: Int) { total += frames }

    /// Counts frames that are to be made, and checks the limits.
    ///
    /// - Parameters:
    ///   - planned: the frames from one source frame to the next.
    ///   - index: index of the source frame, from 0.
    ///   - time: time of the source frame.
    /// - Throws: `FrameError` if there are too many.
    mutating func take(_ planned: PlannedFrames, of index: Int, at time: MediaTime) throws(FrameError) {
        guard planned.count <= Self.mostOfPair else {
            throw FrameError(
                .input,
                "the frame is shown for so long that \(planned.count) output frames would be needed; at most \(Self.mostOfPair) are made, and a lower rate needs fewer",
                at: .init(time: time))
        }
        total += planned.count
        guard total <= Self.mostOfPair + Self.mostOfEach * index else {
            throw FrameError(
                .input,
                "the frames so far are shown for so long that \(total) output frames would be needed for \(index + 1); at most \(Self.mostOfPair) plus \(Self.mostOfEach) per source frame are made, and a lower rate needs fewer",
                at: .init(time: time))
        }
    }
}
