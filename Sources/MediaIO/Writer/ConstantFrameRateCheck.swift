package import FrameCore

/// Checks that frames have a constant rate, for formats without times.
package struct ConstantFrameRateCheck {
    package let rate: Rational
    private let start: MediaTime
    private let tolerance: MediaTime
    private var count: Int64 = 0

    /// - Parameter tick: the coarsest clock the times went through; rounding to it is forgiven.
    package init(rate: Rational, start: MediaTime, tick: MediaTime) {
        self.rate = rate
        self.start = start
        // A coarse clock must not hide a frame that is missing.
        let quarter = MediaTime(value: Int64(rate.denominator), timescale: rate.numerator).multiplied(
            by: Rational(1, 4))
        tolerance = min(tick, quarter)
    }

    /// The rate to state for a stream that begins with frames `first` and `second`.
    package static func rate(first: Frame, second: Frame?, nominal: Rational?, tick: MediaTime) -> Rational? {
        guard let step = second.map({ $0.presentationTime - first.presentationTime }) ?? first.duration, step.value > 0
        else { return nominal }
        if let nominal, nominal.isPositive {
            let even = ConstantFrameRateCheck(rate: nominal, start: first.presentationTime, tick: tick)
            if even.accepts(first.presentationTime + step, index: 1) { return nominal }
        }
        return Rational(reducing: Int64(step.timescale), step.value)
    }

    package mutating func check(_ time: MediaTime, format: String) throws(FrameError) {
        defer { count += 1 }
        guard !accepts(time, index: count) else { return }
        throw FrameError(
            .output,
            "\(format) holds no times, and the frames are not evenly spaced at \(rate) per second; write .mkv or .mp4, or bring the video to an even rate first (vfx rate --fps \(rate))",
            at: .init(time: time))
    }

    private func accepts(_ time: MediaTime, index: Int64) -> Bool {
        let expected = start + MediaTime(ticks: index, base: Rational(rate.denominator, rate.numerator))
        let off = time - expected
        return off < tolerance && MediaTime.zero - off < tolerance
    }
}
