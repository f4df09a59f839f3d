internal import FrameCore

/// The times of frames of which some are left out or shown again, as far as they are known before the clip has been seen: the
/// first frame keeps its time, and without a rate none is later than its source frame.
struct PictureTimesPlan: TimingPlan {
    /// Whether all times of an evenly timed source may be the source's.
    var isEven = false
    /// The rate of the result; nil if it is not constant.
    var rate: Rational?
    /// The time of the first frame, if it is known.
    private var first: MediaTime?

    /// The rate.
    var summary: String { rate.map { "\($0)" } ?? "the rate of the pictures" }
    /// Constant at the rate, or uneven.
    var spacing: FrameSpacing { rate.map { .constant(rate: $0) } ?? .uneven }
    /// Decisions look back at a fixed number of frames, and a constant rate counts from the first frame.
    var history: TimingHistory { rate != nil && first == nil ? .count : .nothing }
    /// The times of a constant rate; nil without one.
    var grid: PictureGrid? { rate.map { PictureGrid(rate: $0, first: first) } }

    func starting(at time: MediaTime, frame: Int?) -> PictureTimesPlan {
        var plan = self
        plan.first = time
        return plan
    }

    mutating func skip(frames: Int, from first: MediaTime, to time: MediaTime) -> Int {
        grid.map { max(0, $0.place(of: time, from: first)) } ?? frames
    }

    func outputStream(for source: VideoStreamDescription) -> VideoStreamDescription {
        var output = source
        output.frameCount = nil
        guard let plan = rate.flatMap({ try? RateConversionPlan(rate: $0) }) else {
            if !isEven { output.nominalFrameRate = nil }
            // Pictures are due at simple fractions of a frame.
            if let finer = (ExactTime(source.timeBase) / ExactTime(Self.ticksPerTick)).rational,
                source.timeBase.doubleValue > Self.longestTick
            {
                output.timeBase = finer
            }
            return output
        }
        return plan.outputStream(for: source)
    }

    func expectedFrameCount(sourceFrames: Int?, duration: MediaTime?) -> Int? { nil }

    /// The tick above which a finer one is needed, in seconds.
    private static let longestTick = 0.0001
    /// The number of fine ticks in one of the source's: a multiple of all numbers of pictures in short cadences.
    private static let ticksPerTick = 120
}
