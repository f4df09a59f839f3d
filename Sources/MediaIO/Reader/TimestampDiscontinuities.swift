import FrameCore

/// The timestamp discontinuities of a video stream: found by the reader, asked for by the remuxer of the auxiliary
/// streams, whose times jump at the same places.
///
/// Reader and writer run on threads of their own, so the spans between discontinuities are behind a lock.
final class TimestampDiscontinuities: Sendable {
    /// Frames between two discontinuities.
    struct Span {
        /// As the container states them; the last one met so far.
        fileprivate(set) var first: MediaTime
        fileprivate(set) var last: MediaTime
        /// Added to the container's times.
        let shift: MediaTime

        /// Whether a packet of another stream may belong to it, which may lead or trail the pictures.
        func mayHold(_ time: MediaTime) -> Bool {
            time >= first - TimestampDiscontinuities.lead && time <= last + TimestampDiscontinuities.lead
        }
    }

    /// How far streams of one file lie apart at most.
    static let lead = MediaTime(value: 5, timescale: 1)

    private let spans = Lock<[Span]>([])

    /// Notes the time of the next frame.
    /// - Parameter isDiscontinuity: the times have jumped before this frame.
    func append(_ time: MediaTime, shift: MediaTime, isDiscontinuity: Bool) {
        spans.withLock { spans in
            if isDiscontinuity || spans.isEmpty { return spans.append(Span(first: time, last: time, shift: shift)) }
            let end = spans.count - 1
            spans[end].first = min(spans[end].first, time)
            spans[end].last = max(spans[end].last, time)
        }
    }

    /// Forgets all, for frames from elsewhere.
    func removeAll() { spans.withLock { $0 = [] } }

    subscript(index: Int) -> Span? { spans.withLock { $0.indices.contains(index) ? $0[index] : nil } }

    /// The first span behind span `index` that may hold `time`.
    func span(after index: Int, holding time: MediaTime) -> Int? {
        spans.withLock { spans in
            guard index + 1 < spans.count else { return nil }
            return (index + 1..<spans.count).first { spans[$0].mayHold(time) }
        }
    }

    /// The latest time after the shift; nil before the first frame.
    var end: MediaTime? { spans.withLock { $0.last.map { $0.last + $0.shift } } }
}
