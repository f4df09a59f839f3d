import FrameCore

/// Turns the timestamps of a video stream into times of the clip.
///
/// The clip's clock is that of a player: it begins at zero, whatever times the container states. Sound and picture
/// begin a fraction of a second apart in most files, so zero is the first frame; if the earliest stream begins
/// ``latePicture`` or more before it, zero is the beginning of that stream. Where the timestamps are rounded times of a
/// constant frame rate, times are those of the rate.
struct ClipClock: Sendable {
    /// Duration of a tick of the container's timestamps, in seconds.
    let stampBase: Rational
    /// The tick of which all times are multiples, in seconds.
    let base: Rational
    /// The time of the first frame: zero, unless the sound begins much earlier.
    let start: MediaTime
    /// The time from the beginning of the earliest stream to the first frame.
    let delay: MediaTime
    let grid: RateGrid?
    /// The timestamp of the first frame.
    private let first: Int64
    private let firstPosition: Int64

    /// From this delay of the picture on, a player's clock shows another second than zero at the first frame.
    static let latePicture = MediaTime(value: 1, timescale: 1)

    /// A stream that begins earlier than this before the first frame is damaged.
    static let longestDelay = MediaTime(value: 86_400, timescale: 1)

    /// - Parameters:
    ///   - stampBase: duration of a tick of the container's timestamps, in seconds.
    ///   - first: the timestamp of the first frame.
    ///   - fileStart: the beginning of the earliest stream in the container; nil if unknown.
    ///   - grid: the constant frame rate behind rounded timestamps; nil if there is none.
    init(stampBase: Rational, first: Int64, fileStart: MediaTime?, grid: RateGrid?) {
        self.stampBase = stampBase
        self.first = first
        self.grid = grid
        let firstTime = MediaTime(ticks: first, base: stampBase)
        let distance = firstTime - (fileStart ?? firstTime)
        delay = .zero < distance && distance <= Self.longestDelay ? distance : .zero
        start = delay >= Self.latePicture ? delay : .zero
        firstPosition = grid?.nearest(to: first) ?? 0
        base =
            grid.flatMap { Self.commonTick(stampBase, Rational($0.rate.denominator, $0.rate.numerator)) } ?? stampBase
    }

    /// The container's time at which the clip's clock is zero.
    var origin: MediaTime { MediaTime(ticks: first, base: stampBase) - start }

    /// Returns the time of a timestamp without regard to a frame rate.
    func plainTime(of stamp: Int64) -> MediaTime {
        let distance = stamp.subtractingReportingOverflow(first)
        let ticks = distance.overflow ? (stamp < first ? Int64.min : .max) : distance.partialValue
        return start + MediaTime(ticks: ticks, base: stampBase)
    }

    /// Returns the time of a frame.
    ///
    /// - Parameters:
    ///   - stamp: its timestamp.
    ///   - previous: the timestamp of the frame before; nil for the first.
    ///   - isOnGrid: whether all frames so far have been at the constant rate. From the first other one on, the container's
    ///     times are kept.
    func time(of stamp: Int64, after previous: Int64?, isOnGrid: inout Bool) -> MediaTime {
        guard let grid, isOnGrid else { return plainTime(of: stamp) }
        if let position = grid.position(of: stamp), previous.map({ grid.nearest(to: $0) < position }) ?? true {
            return start + grid.time(of: position - firstPosition)
        }
        isOnGrid = false
        return plainTime(of: stamp)
    }

    /// Returns the time of a frame whose predecessors are unknown.
    func time(of stamp: Int64) -> MediaTime {
        var isOnGrid = true
        return time(of: stamp, after: nil, isOnGrid: &isOnGrid)
    }

    /// Returns a duration as whole steps of the constant rate if it is that long but for rounding.
    func exactDuration(_ duration: MediaTime) -> MediaTime {
        guard let grid else { return duration }
        let frame = Rational(grid.rate.denominator, grid.rate.numerator)
        let exact = MediaTime(ticks: max(1, duration.ticks(of: frame)), base: frame)
        let error = exact - duration, rounding = MediaTime(ticks: 2, base: stampBase)
        return error <= rounding && .zero - error <= rounding ? exact : duration
    }

    /// Returns the latest timestamp of a frame that is not shown after `time`.
    func stamp(notAfter time: MediaTime) -> Int64 {
        let distance = time - start
        guard let grid else {
            let ticks = distance.ticks(of: stampBase)
            let isLater = MediaTime(ticks: ticks, base: stampBase) > distance
            return first.addingReportingOverflow(isLater ? ticks - 1 : ticks).partialValue
        }
        let frame = Rational(grid.rate.denominator, grid.rate.numerator)
        let nearest = distance.ticks(of: frame)
        let position = MediaTime(ticks: nearest, base: frame) > distance ? nearest - 1 : nearest
        return grid.latestStamp(at: position.addingReportingOverflow(firstPosition).partialValue)
    }

    /// The longest tick of which both are multiples; nil if it does not fit 31 bits.
    private static func commonTick(_ a: Rational, _ b: Rational) -> Rational? {
        let numerator = greatestCommonDivisor(
            Int64(a.numerator) * Int64(b.denominator), Int64(b.numerator) * Int64(a.denominator))
        return Rational(reducing: numerator, Int64(a.denominator) * Int64(b.denominator))
    }
}
