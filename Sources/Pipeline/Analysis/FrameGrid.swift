internal import FrameCore

/// An even grid of times and how well frames lie on it: a pure value in exact arithmetic.
struct FrameGrid {
    let rate: Rational
    /// A tick and a grid step, both in units of 1/(base denominator · rate numerator) seconds.
    private let tick: Int128
    private let step: Int128
    private let tolerance: Int128
    /// Where the grid hangs, in ticks.
    private var anchor: Int64?
    private var anchorIndex: Int128 = 0
    /// The last frame when it lay off the grid: the grid may go on from there.
    private var stray: Int64?
    private var previous: Int64?
    private(set) var offGrid = 0
    private(set) var missing = 0
    /// Times that the grid had to be moved under frames that lie evenly, because its rate is not theirs.
    private(set) var slips = 0
    /// Largest distance of a frame on the grid from its place, in the units of ``tick``.
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

    /// What speaks against the grid.
    var faults: Int { Int(clamping: Int128(offGrid) + Int128(missing) + Int128(slips)) }

    /// Whether `ticks` is one step of the grid within the tolerance.
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
            // Evenly spaced, yet past the tolerance by now: the rate is a little off.
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
