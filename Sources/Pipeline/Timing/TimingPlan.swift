public import FrameCore

/// A frame that a conversion has to deliver: when, and what it shows.
public struct PlannedFrame: Sendable, Hashable {
    /// What a frame shows.
    public enum Content: Sendable, Hashable {
        /// The earlier frame of the pair, samples untouched.
        case source
        /// A picture made at this share (0…1, both excluded) of the way to the later frame.
        case between(phase: Float)
    }

    /// What it shows.
    public var content: Content
    /// When it is shown, on the output's clock.
    public var time: MediaTime
    /// How long it is shown; nil when the source gives no hint.
    public var duration: MediaTime?

    /// A frame to be delivered.
    public init(content: Content, time: MediaTime, duration: MediaTime?) {
        self.content = content
        self.time = time
        self.duration = duration
    }
}

/// Output frames computed when they are asked for, so that a long gap between two source frames costs no memory.
public struct PlannedFrames: RandomAccessCollection, Sendable {
    /// Number of frames.
    public let count: Int
    private let frame: @Sendable (Int) -> PlannedFrame

    /// `count` frames, each given by its position; a negative count is taken as 0.
    public init(count: Int, frame: @escaping @Sendable (Int) -> PlannedFrame) {
        self.count = Swift.max(0, count)
        self.frame = frame
    }

    /// Always 0.
    public var startIndex: Int { 0 }
    /// As many as there are frames.
    public var endIndex: Int { count }
    /// The frame at a position from 0.
    public subscript(position: Int) -> PlannedFrame { frame(position) }
}

/// Turns the times of source frames into the times and contents of output frames: a pure value, fed one neighbouring
/// pair at a time.
public protocol TimingPlan: Sendable {
    /// What the plan asks for, in figures.
    var summary: String { get }

    /// Output frames shown from `source` (included) to `next` (excluded).
    ///
    /// - Parameters:
    ///   - source: time of the earlier frame.
    ///   - next: time of the later frame, after `source`.
    ///   - end: when the clip ends, given when `next` is its last frame.
    mutating func frames(from source: MediaTime, to next: MediaTime, end: MediaTime?) -> PlannedFrames

    /// Output frames from the last source frame to the end; they all show that frame.
    ///
    /// - Parameters:
    ///   - last: time of the last source frame.
    ///   - end: when it stops being shown; nil when nobody knows.
    mutating func closingFrames(last: MediaTime, end: MediaTime?) -> PlannedFrames

    /// What the output of a source so described will be: same pictures, other clock.
    func outputStream(for source: VideoStreamDescription) -> VideoStreamDescription

    /// Frames that `sourceFrames` frames lasting `duration` in all will give; nil when the facts do not suffice.
    func expectedFrameCount(sourceFrames: Int?, duration: MediaTime?) -> Int?
}

extension VideoStreamDescription {
    /// Frames the container announces, else what its duration and rate make likely. For display only.
    package var likelyFrameCount: Int? {
        if let frameCount { return frameCount }
        guard let duration, let rate = nominalFrameRate, rate.isPositive else { return nil }
        return max(1, (ExactTime(duration) * ExactTime(rate)).rounded)
    }
}

/// How many frames a plan may ask for: a few bytes may claim that their frames are shown for years, and nothing else would
/// end the writing.
struct OutputFrameLimit {
    /// Frames between two neighbours of the source beyond which the source's times are taken for wrong: a day at 11
    /// frames per second.
    static let mostOfPair = 1_000_000
    /// The same for each of many: 16 s at 60 frames per second.
    static let mostOfEach = 1000

    /// Frames planned so far.
    private var total = 0

    /// Counts frames without asking whether they are too many.
    mutating func count(_ planned: PlannedFrames) { total += planned.count }

    /// Counts frames that are to be made.
    ///
    /// - Parameters:
    ///   - planned: the frames from one source frame to the next.
    ///   - index: of the source frame, from 0.
    ///   - time: the source frame's.
    /// - Throws: `FrameError` when they are too many.
    mutating func take(_ planned: PlannedFrames, of index: Int, at time: MediaTime) throws(FrameError) {
        guard planned.count <= Self.mostOfPair else {
            throw FrameError(
                .input,
                "the frame is shown for so long that \(planned.count) frames would follow it; at most \(Self.mostOfPair) are made, and a lower rate makes fewer",
                at: .init(time: time))
        }
        total += planned.count
        guard total <= Self.mostOfPair + Self.mostOfEach * index else {
            throw FrameError(
                .input,
                "the frames so far are shown for so long that \(total) are made of \(index + 1); at most \(Self.mostOfPair) and \(Self.mostOfEach) for each are, and a lower rate makes fewer",
                at: .init(time: time))
        }
    }
}
