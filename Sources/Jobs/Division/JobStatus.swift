/// How far a divided job is, from the files in its folder.
package struct JobStatus: Sendable, Hashable {
    /// The state of a segment.
    package enum Segment: Sendable, Hashable {
        case done(frames: Int, seconds: Double)
        case running
        case failed(String)
        case waiting
    }

    /// The state of each segment.
    package let segments: [Segment]

    /// A file that has not grown for this long belongs to a worker that is gone, in seconds.
    package static let longestPause = 600

    /// - Parameters:
    ///   - count: the number of segments.
    ///   - done: the records of finished segments.
    ///   - partial: the segments being written, and when their files last changed, in seconds.
    ///   - failures: why the last attempt at a segment failed.
    ///   - now: the time on the same clock as that of `partial`.
    package init(
        count: Int, done: [Int: SegmentResult], partial: [(number: Int, modified: Int)], failures: [Int: String],
        now: Int
    ) {
        let running = Set(partial.filter { now - $0.modified <= Self.longestPause }.map(\.number))
        segments = (0..<count).map { number in
            if let found = done[number] {
                return .done(frames: found.segment?.frames ?? 0, seconds: found.seconds)
            }
            if running.contains(number) { return .running }
            return failures[number].map { .failed($0) } ?? .waiting
        }
    }

    /// Reads the state of a job. Files are not verified; the join does that.
    package init(of plan: JobPlan, _ results: SegmentResults, now: Int) {
        var done: [Int: SegmentResult] = [:], failures: [Int: String] = [:]
        for number in 0..<plan.segmentCount {
            done[number] = results.likely(number)
            if done[number] == nil { failures[number] = results.failure(number) }
        }
        self.init(
            count: plan.segmentCount, done: done, partial: results.partial(), failures: failures, now: now)
    }

    /// The number of finished segments.
    package var done: Int { finished.count }
    /// The number of segments being made.
    package var running: Int { segments.count { $0 == .running } }
    /// The segments whose last attempt failed, and why.
    package var failed: [(number: Int, reason: String)] {
        segments.enumerated().compactMap { number, segment in
            if case .failed(let reason) = segment { (number, reason) } else { nil }
        }
    }

    private var finished: [(frames: Int, seconds: Double)] {
        segments.compactMap { if case .done(let frames, let seconds) = $0 { (frames, seconds) } else { nil } }
    }

    /// The number of finished output frames.
    package var frames: Int { finished.reduce(0) { $0 + $1.frames } }

    /// Frames per second of one worker; nil before the first segment is finished.
    package var framesPerSecondOfWorker: Double? {
        let seconds = finished.reduce(0) { $0 + $1.seconds }
        return seconds > 0 ? Double(frames) / seconds : nil
    }

    /// Frames per second of all running workers together; nil if that is unknown or none runs.
    package var framesPerSecond: Double? {
        running > 0 ? framesPerSecondOfWorker.map { $0 * Double(running) } : nil
    }

    /// The time left in seconds, if as many workers run as now; nil if that is unknown.
    package var secondsLeft: Double? {
        guard done > 0, running > 0 else { return nil }
        let mean = finished.reduce(0) { $0 + $1.seconds } / Double(done)
        return mean * Double(segments.count - done) / Double(running)
    }
}
