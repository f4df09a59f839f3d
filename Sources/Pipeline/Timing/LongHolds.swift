internal import FrameCore

/// Decides which frames of a clip stand still, from the times of the frames alone.
///
/// Screen recordings and slides have a new frame only where the picture changes. A frame that is shown for much longer
/// than the frames round it shows a picture that stands still, and then moves on or switches within one usual interval.
/// Frames interpolated all through such a hold would show a motion that never was.
///
/// Each decision depends on at most ``reach`` intervals on each side, so a run that begins a few frames earlier, or on
/// another machine, decides the same.
enum LongHolds {
    /// The number of intervals on each side of an interval that are looked at: as many as the search for cuts looks
    /// ahead, and less than a checkpoint lies before its reset point.
    static let reach = 6
    /// An interval is a hold if it is more than this many times as long as the usual one…
    private static let leastRatio = Rational(4, 1)
    /// …and longer than this; below that, frames are just missing.
    private static let leastLength = MediaTime(value: 1, timescale: 4)
    /// As many similar intervals in a row are a low frame rate, even next to a high one.
    private static let steadyCount = 6

    /// Returns the time until which a frame stands still; nil if the interval after it is not a hold.
    ///
    /// - Parameters:
    ///   - before: the times of up to ``reach`` frames before the frame and of the frame itself, in order.
    ///   - after: the times of the frame that follows it and of up to ``reach`` frames after that, in order.
    static func end(before: [MediaTime], after: [MediaTime]) -> MediaTime? {
        guard let start = before.last, let next = after.first, case let length = next - start, length > leastLength
        else { return nil }
        let earlier = steps(before), later = steps(after)
        let all = (earlier + later).sorted()
        guard !all.isEmpty, case let usual = all[(all.count - 1) / 2], usual > .zero,
            usual.multiplied(by: leastRatio) < length,
            !isSteady(length, earlier.reversed(), later)
        else { return nil }
        return next - usual
    }

    private static func steps(_ times: [MediaTime]) -> [MediaTime] {
        zip(times, times.dropFirst()).map { $1 - $0 }
    }

    /// Whether an interval is one of many in a row that are similar to it.
    ///
    /// - Parameters:
    ///   - earlier: the intervals before it, the nearest first.
    ///   - later: the intervals after it, the nearest first.
    private static func isSteady(_ length: MediaTime, _ earlier: [MediaTime], _ later: [MediaTime]) -> Bool {
        let least = length.multiplied(by: Rational(3, 4)), most = length.multiplied(by: Rational(5, 4))
        func run(_ steps: [MediaTime]) -> Int { steps.prefix { least <= $0 && $0 <= most }.count }
        return run(earlier) + 1 + run(later) >= steadyCount
    }
}
