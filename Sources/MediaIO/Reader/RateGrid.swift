import FrameCore

/// The even times behind timestamps that a container has rounded to its ticks: 30000/1001 frames per second in
/// milliseconds become 0, 33, 67, 100 …
///
/// Position 0 is a timestamp, which is rounded too, so a timestamp belongs to a position if it is at most one tick away
/// from it, or, for film shown in fields of video, half a field.
struct RateGrid: Sendable {
    /// Frames per second.
    let rate: Rational
    /// The timestamp at position 0.
    private let anchor: Int64
    /// One tick and one step of the grid, in units of 1/(base denominator · rate numerator) seconds.
    private let tick: Int128
    private let step: Int128
    /// How far a timestamp may be from its position, in the same units.
    private let tolerance: Int128
    /// Whether the frames are those of film that players show for three fields and for two in turn.
    let isFilm: Bool

    /// The shortest step in ticks; shorter ones would accept almost any timestamp.
    private static let shortestStep: Int128 = 4
    /// The number of timestamps that show the rate of a stream that states no usual one.
    private static let enough = 16

    /// - Returns: nil if the timestamps of frames at this rate need no rounding, or are too coarse to determine the rate.
    private init?(rate: Rational, base: Rational, anchor: Int64, isFilm: Bool = false) {
        guard rate.isPositive, base.isPositive else { return nil }
        self.rate = rate.reduced
        self.anchor = anchor
        tick = Int128(base.numerator) * Int128(self.rate.numerator)
        step = Int128(self.rate.denominator) * Int128(base.denominator)
        // A film frame of two and a half fields begins up to half a field before or after its field. A break in the turns
        // moves it by a whole one; between the two, there is room for timestamps that were rounded again and again.
        tolerance = isFilm ? step / 4 : tick
        self.isFilm = isFilm
        guard isFilm || step % tick != 0, step >= Self.shortestStep * tick else { return nil }
    }

    /// Finds the even times of film whose frames a stream shows for three fields and for two in turn, as MPEG-2 video on
    /// NTSC discs does ("soft telecine").
    ///
    /// - Parameters:
    ///   - stamps: the timestamps of frames, in any order. Of the last ones, some may be missing, since frames are reordered.
    ///   - base: the duration of a tick in seconds.
    /// - Returns: nil if the timestamps are not so.
    init?(film stamps: [Int64], base: Rational) {
        let stamps = stamps.sorted()
        guard let first = stamps.first, let last = stamps.last, !last.subtractingReportingOverflow(first).overflow
        else { return nil }
        let steps = zip(stamps, stamps.dropFirst()).map { $1 - $0 }
        let found = Self.filmRates.map { rate in
            let turns = Self.turns(steps, field: 0.4 / (rate.doubleValue * base.doubleValue))
            // Two frames have five fields.
            let pairs = turns / 2, length = Double(stamps[2 * pairs] - first) * base.doubleValue * rate.doubleValue
            return (rate: rate, turns: turns, error: abs(length - Double(2 * pairs)))
        }
        guard let best = found.max(by: { ($0.turns, $1.error) < ($1.turns, $0.error) }),
            best.turns + 1 >= Self.enough, steps.count - best.turns <= Self.mostReordered,
            let grid = Self(rate: best.rate, base: base, anchor: first, isFilm: true),
            grid.holds(Array(stamps[...best.turns]))
        else { return nil }
        self = grid
    }

    /// Takes the rate of film from the durations of its frames, where not all of them have timestamps.
    ///
    /// - Parameters:
    ///   - rate: the rate of the film.
    ///   - stamps: the timestamps of some frames, in any order.
    ///   - base: the duration of a tick in seconds.
    /// - Returns: nil if the timestamps are not those of such film.
    init?(filmAt rate: Rational, from stamps: [Int64], base: Rational) {
        let stamps = stamps.sorted()
        guard let first = stamps.first, stamps.count > 1,
            let grid = Self(rate: rate, base: base, anchor: first, isFilm: true), grid.holds(stamps)
        else { return nil }
        self = grid
    }

    /// The rates of film on discs.
    private static let filmRates = [Rational(24000, 1001), Rational(24, 1)]
    /// The number of opening frames that may come before one whose packet has not been read yet.
    private static let mostReordered = 17

    /// Returns the rate of film whose frames last for three fields and for two, as many for each; nil for other durations.
    ///
    /// - Parameters:
    ///   - durations: the durations of frames in the order of the file, where those of both kinds do not take turns.
    ///   - base: the duration of a tick in seconds.
    static func filmRate(_ durations: [Int64], base: Rational) -> Rational? {
        guard durations.count >= enough, let short = durations.min(), short > 0, short < 1 << 40 else { return nil }
        let long = durations.filter { $0 > short + 1 }, count = durations.count
        guard long.allSatisfy({ abs(2 * min($0, 2 * short) - 3 * short) <= 3 }), abs(2 * long.count - count) <= 2 else {
            return nil
        }
        let fields = 2 * count + long.count, sum = durations.reduce(0) { $0 + Double($1) }
        // A film frame has two and a half fields on average.
        let length = 2.5 * base.doubleValue * sum / Double(fields)
        return filmRates.min { abs($0.doubleValue * length - 1) < abs($1.doubleValue * length - 1) }
            .flatMap { abs($0.doubleValue * length - 1) < 0.01 ? $0 : nil }
    }

    /// Returns the number of steps before the first that breaks the turns of three fields and two.
    private static func turns(_ steps: [Int64], field: Double) -> Int {
        // Both timestamps are rounded.
        func lasts(_ fields: Double, _ step: Int64) -> Bool { abs(Double(step) - fields * field) < 1.5 }
        guard field >= 4, let first = steps.first, lasts(3, first) || lasts(2, first) else { return 0 }
        let beginsLong = lasts(3, first)
        return steps.enumerated().first { !lasts(($0 % 2 == 0) == beginsLong ? 3 : 2, $1) }?.offset ?? steps.count
    }

    /// Finds the rate that all of the opening timestamps of a stream fit.
    ///
    /// - Parameters:
    ///   - stamps: the timestamps of frames, in any order.
    ///   - base: the duration of a tick in seconds.
    ///   - stated: the frame rate that the header states; nil if it states none.
    /// - Returns: nil if there is no such rate or if timestamps need no rounding.
    init?(of stamps: [Int64], base: Rational, stated: Rational?) {
        let stamps = stamps.sorted()
        guard let first = stamps.first, let last = stamps.last, stamps.count > 1, last > first,
            !last.subtractingReportingOverflow(first).overflow,
            stated.map(Self.isUsual) == true || stamps.count >= Self.enough,
            let likely = stated ?? Self.meanRate(stamps, base)
        else { return nil }
        let distance = { (rate: Rational) in abs(rate.doubleValue / likely.doubleValue - 1) }
        let usual = Rational.usualFrameRates.filter { distance($0) < 0.01 }.sorted { distance($0) < distance($1) }
        let found = (usual + [likely]).lazy.compactMap { Self(rate: $0, base: base, anchor: first) }
            .first { $0.holds(stamps) }
        guard let found else { return nil }
        self = found
    }

    /// Takes the rate that the header states, if it is a usual one.
    ///
    /// - Parameters:
    ///   - stated: the frame rate that the header states.
    ///   - base: the duration of a tick in seconds.
    ///   - stamps: timestamps of frames, the first of them at position 0.
    init?(stating stated: Rational, base: Rational, from stamps: [Int64]) {
        let distance = { (rate: Rational) in abs(rate.doubleValue / stated.doubleValue - 1) }
        guard Self.isUsual(stated), let first = stamps.min(),
            let rate = Rational.usualFrameRates.min(by: { distance($0) < distance($1) })
        else { return nil }
        self.init(rate: rate, base: base, anchor: first)
    }

    /// Whether a rate is a usual one but for rounding: for 60000/1001 in Matroska, libavformat states 19001/317.
    private static func isUsual(_ rate: Rational) -> Bool {
        Rational.usualFrameRates.contains { abs($0.doubleValue / rate.doubleValue - 1) < 0.0001 }
    }

    /// Whether frames at a rate have timestamps that need no rounding.
    static func isExact(_ rate: Rational, base: Rational) -> Bool {
        guard rate.isPositive, base.isPositive else { return true }
        return Int128(rate.denominator) * Int128(base.denominator)
            % (Int128(base.numerator) * Int128(rate.numerator)) == 0
    }

    /// The median step, as a rate; nil if it does not fit 31 bits.
    private static func meanRate(_ stamps: [Int64], _ base: Rational) -> Rational? {
        let steps = zip(stamps, stamps.dropFirst()).map { $1 - $0 }.sorted()
        let median = steps[(steps.count - 1) / 2]
        let usual = steps.filter { abs($0 - median) <= 1 }
        return Rational(reducing: Int64(usual.count), usual.reduce(0, +)).flatMap {
            Rational(
                reducing: Int64($0.numerator) * Int64(base.denominator),
                Int64($0.denominator) * Int64(base.numerator))
        }
    }

    /// Whether all of the ascending timestamps have positions of their own.
    private func holds(_ stamps: [Int64]) -> Bool {
        var previous: Int64?
        for stamp in stamps {
            guard let position = position(of: stamp), previous.map({ $0 < position }) ?? true else { return false }
            previous = position
        }
        return true
    }

    /// Returns the position of a timestamp; nil if it is off the grid.
    func position(of stamp: Int64) -> Int64? {
        let distance = (Int128(stamp) - Int128(anchor)) * tick
        let nearest = nearest(to: stamp)
        let error = distance - Int128(nearest) * step
        return -tolerance <= error && error <= tolerance ? nearest : nil
    }

    /// Returns the position nearest to a timestamp.
    func nearest(to stamp: Int64) -> Int64 {
        let doubled = 2 * (Int128(stamp) - Int128(anchor)) * tick + step
        let quotient = doubled / (2 * step)
        return Int64(clamping: doubled % (2 * step) < 0 ? quotient - 1 : quotient)
    }

    /// Returns the latest timestamp that a frame at a position can have.
    func latestStamp(at position: Int64) -> Int64 {
        let distance = Int128(position) * step + tolerance
        let quotient = distance / tick
        return Int64(clamping: Int128(anchor) + (distance % tick < 0 ? quotient - 1 : quotient))
    }

    /// Returns the time from position 0 to a position.
    func time(of position: Int64) -> MediaTime {
        MediaTime(ticks: position, base: Rational(rate.denominator, rate.numerator))
    }
}
