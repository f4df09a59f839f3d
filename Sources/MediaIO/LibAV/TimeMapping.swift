import CLibAV
import FrameCore

extension Rational {
    /// nil for libav's "unknown" (a zero or negative term).
    init?(_ q: AVRational) {
        guard q.num > 0, q.den > 0 else { return nil }
        self.init(q.num, q.den)
    }

    var av: AVRational { AVRational(num: numerator, den: denominator) }
}

extension MediaTime {
    /// `ticks` of `base` seconds each, in lowest terms of the base.
    init(ticks: Int64, base: Rational) {
        let whole = ticks.multipliedReportingOverflow(by: Int64(base.numerator))
        self.init(value: whole.overflow ? (ticks < 0 ? .min : .max) : whole.partialValue, timescale: base.denominator)
    }
}

/// libav's time stamp as an optional.
func known(_ timestamp: Int64) -> Int64? { timestamp == vfx_av_no_time ? nil : timestamp }
