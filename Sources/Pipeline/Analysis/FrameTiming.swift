public import FrameCore

/// The spacing of a clip's frames in time.
///
/// A step is the time from one frame to the next; the last frame has none. Steps are compared with a tolerance of one
/// millisecond (a quarter of a frame where frames are shorter than 4 ms) or one tick of the time base, whichever is
/// longer, because many containers round times to milliseconds.
public struct FrameTiming: Sendable, Hashable {
    /// Whether frames are evenly spaced.
    public enum Mode: String, Sendable, Hashable, Codable {
        /// There are fewer than two frames, so there is no step to compare.
        case single
        /// All steps are equal within the tolerance.
        case constant
        /// Steps differ by more than the tolerance.
        case variable
    }

    /// Whether frames are evenly spaced.
    public var mode = Mode.single
    /// Frames per second of the best-fitting even grid; nil if most frames of a variable-rate clip are off it.
    public var rate: Rational?
    /// The number of steps divided by their total time, in frames per second; nil if there is no step, or if the
    /// numerator or the denominator exceeds 31 bits.
    public var averageRate: Rational?
    /// The time of the first frame; nil without frames.
    public var firstTime: MediaTime?
    /// The time of the last frame; nil without frames.
    public var lastTime: MediaTime?
    /// The time at which the last frame ends, if known.
    public var endTime: MediaTime?
    /// The shortest step; nil if there is none.
    public var minimumStep: MediaTime?
    /// The median step (the lower of the two middle ones for an even count); nil if there is none.
    public var medianStep: MediaTime?
    /// The longest step; nil if there is none.
    public var maximumStep: MediaTime?
    /// The number of frames that are not a whole number of grid steps away from the frames before them.
    public var offGridFrames = 0
    /// The number of grid positions without a frame, between frames that are on the grid.
    public var missingFrames = 0

    /// The timing of a clip without frames.
    package init() {}
}

/// Measures the steps between frames as their times arrive; a pure value.
struct FrameIntervals {
    /// The number of opening frames from which the grid is chosen.
    private static let openingCount = 512

    private let base: Rational
    private let nominalRate: Rational?
    private var opening: [Int64] = []
    private var grid: FrameGrid?
    private var steps = StepHistogram()
    private var first: Int64?
    private var last: Int64?
    private var count: Int64 = 0
    private var lastDuration: MediaTime?

    /// - Parameters:
    ///   - base: seconds per tick; times are converted to whole ticks.
    ///   - nominalRate: the frame rate stated in the header, tried first.
    init(base: Rational, nominalRate: Rational?) {
        self.base = base.isPositive ? base : Rational(1, 90_000)
        self.nominalRate = nominalRate
    }

    mutating func append(_ time: MediaTime, duration: MediaTime?) {
        let ticks = time.ticks(of: base)
        if let last { steps.add(ticks.saturatingDifference(from: last)) }
        if first == nil { first = ticks }
        last = ticks
        lastDuration = duration
        count += 1
        if grid != nil {
            grid?.append(ticks)
        } else {
            opening.append(ticks)
            if opening.count == Self.openingCount { chooseGrid() }
        }
    }

    mutating func finish() -> FrameTiming {
        if grid == nil { chooseGrid() }
        var timing = FrameTiming()
        guard let first, let last else { return timing }
        timing.firstTime = time(first)
        timing.lastTime = time(last)
        timing.endTime = lastDuration.map { time(last) + $0 }
        guard count > 1, let grid else { return timing }
        timing.minimumStep = steps.minimum.map(time)
        timing.medianStep = steps.median.map(time)
        timing.maximumStep = steps.maximum.map(time)
        // Reduced here already so that the products below fit for long clips.
        let span = last.subtractingReportingOverflow(first)
        if !span.overflow, let perTick = Rational(reducing: count - 1, span.partialValue) {
            timing.averageRate = Rational(
                reducing: Int64(perTick.numerator) * Int64(base.denominator),
                Int64(perTick.denominator) * Int64(base.numerator))
        }
        let isEven = [steps.minimum, steps.maximum].allSatisfy { $0.map(grid.isOneStep) ?? false }
        timing.mode = isEven ? .constant : .variable
        timing.offGridFrames = isEven ? 0 : grid.offGrid
        timing.missingFrames = isEven ? 0 : grid.missing
        if Int64(timing.offGridFrames) * 2 <= count { timing.rate = grid.rate }
        return timing
    }

    private func time(_ ticks: Int64) -> MediaTime {
        let whole = ticks.multipliedReportingOverflow(by: Int64(base.numerator))
        let end: Int64 = ticks < 0 ? .min : .max
        return MediaTime(value: whole.overflow ? end : whole.partialValue, timescale: base.denominator).reduced
    }

    /// Chooses the grid that fits the opening frames best; of equal candidates the earlier one wins.
    private mutating func chooseGrid() {
        let tried = candidates().map { rate in
            var grid = FrameGrid(rate: rate, base: base)
            for ticks in opening { grid.append(ticks) }
            return grid
        }
        grid = tried.min { ($0.faults, $0.largestError) < ($1.faults, $1.largestError) }
        if let best = grid, let stated = tried.first, stated.faults == best.faults, nominalRate != nil { grid = stated }
        opening = []
    }

    private func candidates() -> [Rational] {
        var found: [Rational] = []
        if let nominalRate, nominalRate.isPositive { found.append(nominalRate.reduced) }
        let steps = zip(opening, opening.dropFirst()).map { $1.saturatingDifference(from: $0) }.sorted()
        guard !steps.isEmpty, case let median = steps[(steps.count - 1) / 2], median > 0 else { return found }
        let usual = steps.filter { $0.saturatingDifference(from: median).magnitude <= (median / 8 + 1).magnitude }
        let total = usual.reduce(Int128(0)) { $0 + Int128($1) }
        func rate(_ frames: Int64, _ ticks: Int64) -> Rational? {
            Rational(reducing: frames, ticks).flatMap {
                Rational(
                    reducing: Int64($0.numerator) * Int64(base.denominator),
                    Int64($0.denominator) * Int64(base.numerator))
            }
        }
        let mean = Int64(exactly: total).flatMap { rate(Int64(usual.count), $0) }
        if let mean {
            found += Rational.usualFrameRates.filter { abs($0.doubleValue / mean.doubleValue - 1) < 0.01 }
        }
        return found + [rate(1, median), mean].compactMap { $0?.isPositive == true ? $0 : nil }
    }
}

extension Int64 {
    /// `self - other`, saturated at the ends of the range, because a source may return any timestamp.
    fileprivate func saturatingDifference(from other: Int64) -> Int64 {
        let difference = subtractingReportingOverflow(other)
        return difference.overflow ? (self < other ? .min : .max) : difference.partialValue
    }
}
