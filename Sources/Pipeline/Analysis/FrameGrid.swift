internal import FrameCore

/// An evenly spaced grid of times, and a measure of how well frames fit it; a pure value in exact arithmetic.
struct FrameGrid {
    let rate: Rational
    /// One tick and one grid step, both in units of 1/(base denominator · rate numerator) seconds.
    private let tick: Int128
    private let step: Int128
    private let tolerance: Int128
    /// The frame time, in ticks, that grid position 0 is aligned to.
    private var anchor: Int64?
    private var anchorIndex: Int128 = 0
    /// The last frame if it is off the grid; the grid may be realigned to it.
    private var stray: Int64?
    private var previous: Int64?
    private(set) var offGrid = 0
    private(set) var missing = 0
    /// How often the grid was shifted to follow evenly spaced frames whose rate differs slightly from the grid's.
    private(set) var slips = 0
    /// The largest distance of an on-grid frame from its grid position, in the units of ``tick``.
    private(set) var largestError: Int128 = 0

    /// - Parameters:
    ///   - rate: frames per second, above 0.
    ///   - base: seconds per tick, above 0.
    init(rate: Rational, base: Rational) {
        self.rate = rate
        tick = Int128(base.numerator) * Int128(rate.numerator)
        step = Int128(rate.denominator) * Int128(base.denominator)
        let millisecond = Int128(base.denominator) * Int128(rate.numerator) / 1000
        tolerance = max(tick, min(millisecond, step / 4))
    }

    /// The number of irregularities that count against this grid.
    var faults: Int { Int(clamping: Int128(offGrid) + Int128(missing) + Int128(slips)) }

    /// Whether a step of `ticks` equals one grid step within the tolerance.
    func isOneStep(_ ticks: Int64) -> Bool { distance(Int128(ticks) * tick, step) <= tolerance }

    mutating func append(_ ticks: Int64) {
        defer { previous = ticks }
        guard let anchor, let previous else {
            self.anchor = ticks
            return
        }
        let sinceAnchor = Int128(ticks) - Int128(anchor)
        let index = nearestIndex(sinceAnchor)
        let error = distance(sinceAnchor * tick, index * step)
        if error <= tolerance, index > anchorIndex {
            largestError = max(largestError, error)
            if stray == nil { miss(index - anchorIndex - 1) }
            anchorIndex = index
            stray = nil
            return
        }
        let sincePrevious = Int128(ticks) - Int128(previous)
        let own = nearestIndex(sincePrevious)
        let isEven = own > 0 && distance(sincePrevious * tick, own * step) <= tolerance
        if stray == nil, isEven {
            // Evenly spaced, but drifted past the tolerance: the rate is slightly wrong.
            slips += 1
            hang(at: ticks)
            miss(own - 1)
        } else if let stray, isEven {
            hang(at: stray)
            anchorIndex = own
            miss(own - 1)
        } else {
            offGrid += 1
            stray = ticks
        }
    }

    private mutating func hang(at ticks: Int64) {
        anchor = ticks
        anchorIndex = 0
        stray = nil
    }

    private mutating func miss(_ positions: Int128) {
        missing = Int(clamping: Int128(missing) + Int128(Int(clamping: positions)))
    }

    private func nearestIndex(_ ticks: Int128) -> Int128 { (ticks * tick + step / 2) / step }
    private func distance(_ a: Int128, _ b: Int128) -> Int128 { a < b ? b - a : a - b }
}
