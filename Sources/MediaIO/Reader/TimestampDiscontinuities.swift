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

/// Finds for each packet of an auxiliary stream by how much the video beside it was moved at timestamp discontinuities.
///
/// Each stream meets a discontinuity in its own packets, since they lead or trail the video's in the file.
struct TimestampCorrection {
    private struct Position {
        /// Number of the video's span beside it.
        var span = 0
        /// The latest time in that span, as the container states it.
        var last: MediaTime?
    }

    private let discontinuities: TimestampDiscontinuities
    /// Whether a jump ahead may be a discontinuity.
    private let allowsDiscontinuities: Bool
    private var positions: [Int: Position] = [:]
    /// The furthest span that any stream with packets all the time has reached.
    private var furthest = 0

    private static let smallestStepBack = MediaTime(value: 1, timescale: 1)
    private static let smallestStepAhead = MediaTime(value: 5, timescale: 1)

    init(_ discontinuities: TimestampDiscontinuities, allowsDiscontinuities: Bool) {
        self.discontinuities = discontinuities
        self.allowsDiscontinuities = allowsDiscontinuities
    }

    /// What is to be added to a packet's times; nil when the reader has still to meet the discontinuity before the
    /// packet, so that it must wait.
    ///
    /// - Parameters:
    ///   - time: of the packet, as the container states it.
    ///   - isSparse: the stream has pauses of its own, so that a jump ahead says nothing.
    ///   - isLast: nothing more comes from the reader.
    mutating func shift(of time: MediaTime, stream: Int, isSparse: Bool, isLast: Bool) -> MediaTime? {
        var position = positions[stream] ?? Position()
        if isSparse || position.last == nil, furthest > position.span, discontinuities[furthest]?.mayHold(time) == true
        {
            position = Position(span: furthest)
        }
        let shift = discontinuities[position.span]?.shift ?? .zero
        if let last = position.last {
            let isBack = time < last - Self.smallestStepBack
            let isAhead = allowsDiscontinuities && !isSparse && time > last + Self.smallestStepAhead
            if isBack || isAhead {
                if let span = discontinuities.span(after: position.span, holding: time) {
                    position = Position(span: span)
                } else {
                    // A pause ends when the video gets there; a step back that the video does not share is damage.
                    let end = isBack ? last + shift + TimestampDiscontinuities.lead : time + shift
                    if !isLast, discontinuities.end.map({ $0 < end }) ?? true { return nil }
                    // It may still belong to a discontinuity that comes later than usual.
                    if isBack { return shift }
                }
            }
        }
        position.last = max(position.last ?? time, time)
        positions[stream] = position
        if !isSparse { furthest = max(furthest, position.span) }
        return discontinuities[position.span]?.shift ?? .zero
    }
}
