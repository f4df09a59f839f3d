internal import FrameCore

/// A multiple of the frame rate at the same speed: every source frame is shown at its own time, and frames at evenly spaced
/// phases between it and the next. A frame that stands still until h is shown until the first phase between h and the next.
struct RateMultiplicationPlan: TimingPlan {
    /// The number of frames shown from one source frame up to, but not including, the next.
    let framesPerFrame: Int

    /// The phases between two source frames.
    var phases: [Rational] {
        let count = Int32(framesPerFrame)
        return (1..<count).map { Rational($0, count) }
    }

    /// The number as text.
    var summary: String { "\(framesPerFrame)" }
    /// Even, if the source frames are.
    var spacing: FrameSpacing { .kept }
    /// Nothing: the frames from a source frame to the next depend on these two only.
    var history: TimingHistory { .nothing }

    mutating func frames(
        from source: MediaTime, heldUntil hold: MediaTime?, to next: MediaTime, end: MediaTime?
    ) -> PlannedFrames {
        let change = hold ?? source, span = next - change, phases = phases
        let share = span.multiplied(by: Rational(1, Int32(framesPerFrame)))
        return PlannedFrames(count: framesPerFrame) { index in
            guard index > 0 else {
                return PlannedFrame(content: .source, time: source, duration: change - source + share)
            }
            return PlannedFrame(
                content: .between(phase: Float(phases[index - 1].doubleValue)),
                time: change + span.multiplied(by: phases[index - 1]), duration: share,
                heldUntil: index == 1 ? hold : nil)
        }
    }

    mutating func closingFrames(last: MediaTime, end: MediaTime?) -> PlannedFrames {
        PlannedFrames(count: 1) { _ in PlannedFrame(content: .source, time: last, duration: end.map { $0 - last }) }
    }

    mutating func skip(frames: Int, from first: MediaTime, to time: MediaTime) -> Int {
        let product = frames.multipliedReportingOverflow(by: framesPerFrame)
        return product.overflow ? .max / 2 : product.partialValue
    }

    /// Returns a description with a finer time base and a higher frame rate.
    func outputStream(for source: VideoStreamDescription) -> VideoStreamDescription {
        let count = Int64(framesPerFrame)
        var output = source
        output.nominalFrameRate = source.nominalFrameRate.flatMap {
            Rational(reducing: Int64($0.numerator) * count, Int64($0.denominator))
        }
        output.timeBase =
            Rational(reducing: Int64(source.timeBase.numerator), Int64(source.timeBase.denominator) * count)
            ?? source.timeBase
        output.frameCount = expectedFrameCount(sourceFrames: source.likelyFrameCount, duration: source.duration)
        return output
    }

    func expectedFrameCount(sourceFrames: Int?, duration: MediaTime?) -> Int? {
        sourceFrames.flatMap { frames in
            let (product, isTooLarge) = max(0, frames - 1).multipliedReportingOverflow(by: framesPerFrame)
            return isTooLarge || product == .max ? nil : product + 1
        }
    }
}
