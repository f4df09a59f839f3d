internal import FrameCore

/// How many pictures are made of an interlaced frame.
public enum FieldRate: String, Sendable, Hashable, Codable, CaseIterable {
    /// One of each field, at the time of the field: twice the frame rate.
    case field
    /// One, at the time of the frame.
    case frame
}

/// Twice the frame rate: each source frame is shown at its own time and halfway to the next, as the fields of an interlaced
/// frame are.
///
/// A frame that stands still for long has its second field when a frame of the usual length would have it. The last frame
/// is shown twice if it is known when it ends. All times are exact (see `MediaTime`).
struct FieldRatePlan: TimingPlan {
    /// Nothing more than the name.
    var summary: String { "fields" }
    /// Even, if the source frames are.
    var spacing: FrameSpacing { .kept }
    /// Nothing: the times of a frame's fields depend on it and the next one only.
    var history: TimingHistory { .nothing }

    mutating func frames(
        from source: MediaTime, heldUntil hold: MediaTime?, to next: MediaTime, end: MediaTime?
    ) -> PlannedFrames {
        Self.pair(at: source, usualEnd: hold.map { source + (next - $0) } ?? next, until: next)
    }

    mutating func closingFrames(last: MediaTime, end: MediaTime?) -> PlannedFrames {
        if let end { return Self.pair(at: last, usualEnd: end, until: end) }
        return PlannedFrames(count: 1) { _ in PlannedFrame(content: .source, time: last, duration: nil) }
    }

    /// Returns both fields of a frame; one if the time between them cannot be stated.
    private static func pair(at start: MediaTime, usualEnd: MediaTime, until end: MediaTime) -> PlannedFrames {
        let second = start + (usualEnd - start).multiplied(by: Rational(1, 2))
        let hasBoth = start < second && second < end
        return PlannedFrames(count: hasBoth ? 2 : 1) { index in
            index == 0
                ? PlannedFrame(content: .source, time: start, duration: (hasBoth ? second : end) - start)
                : PlannedFrame(content: .between(phase: 0.5), time: second, duration: end - second)
        }
    }

    mutating func skip(frames: Int, from first: MediaTime, to time: MediaTime) -> Int {
        number(ofSourceFrame: frames) ?? .max / 2
    }

    func number(ofSourceFrame frame: Int) -> Int? {
        let product = frame.multipliedReportingOverflow(by: 2)
        return product.overflow ? nil : product.partialValue
    }

    /// Returns a description with half the tick and twice the frame rate.
    func outputStream(for source: VideoStreamDescription) -> VideoStreamDescription {
        var output = RateMultiplicationPlan(framesPerFrame: 2).outputStream(for: source)
        output.frameCount = expectedFrameCount(sourceFrames: source.likelyFrameCount, duration: source.duration)
        return output
    }

    func expectedFrameCount(sourceFrames: Int?, duration: MediaTime?) -> Int? {
        sourceFrames.flatMap { number(ofSourceFrame: $0) }
    }
}
