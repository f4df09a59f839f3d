import FrameCore

/// The timestamp discontinuities of a video stream. The reader finds them; the remuxer queries them for the auxiliary
/// streams, whose times jump at the same places.
///
/// Reader and writer run on different threads, so a lock protects the spans between discontinuities.
final class TimestampDiscontinuities: Sendable {
    /// The frames between two discontinuities.
    struct Span {
        /// Earliest and latest presentation time seen so far, as stored in the container but counted from the beginning of
        /// the clip, as all times here.
        fileprivate(set) var first: MediaTime
        fileprivate(set) var last: MediaTime
        /// Offset that is added to the container's times.
        let shift: MediaTime

        /// Whether a packet of another stream at `time` may belong to the span; it may lead or trail the video.
        func mayHold(_ time: MediaTime) -> Bool {
            time >= first - TimestampDiscontinuities.lead && time <= last + TimestampDiscontinuities.lead
        }
    }

    /// The largest time difference expected between the streams of a file at the same place.
    static let lead = MediaTime(value: 5, timescale: 1)

    private let spans = Lock<[Span]>([])

    /// Records the time of the next frame.
    ///
    /// - Parameters:
    ///   - time: presentation time as stored in the container.
    ///   - shift: the current offset of the times.
    ///   - isDiscontinuity: whether the times have jumped before this frame.
    func append(_ time: MediaTime, shift: MediaTime, isDiscontinuity: Bool) {
        spans.withLock { spans in
            if isDiscontinuity || spans.isEmpty { return spans.append(Span(first: time, last: time, shift: shift)) }
            let end = spans.count - 1
            spans[end].first = min(spans[end].first, time)
            spans[end].last = max(spans[end].last, time)
        }
    }

    /// Forgets all spans, after a seek.
    func removeAll() { spans.withLock { $0 = [] } }

    /// All spans so far, from which another process can continue.
    var state: [SourcePosition.Span] {
        spans.withLock { $0.map { SourcePosition.Span(first: $0.first, last: $0.last, shift: $0.shift) } }
    }

    /// Continues from recorded spans.
    func restore(_ state: [SourcePosition.Span]) {
        spans.withLock { $0 = state.map { Span(first: $0.first, last: $0.last, shift: $0.shift) } }
    }

    subscript(index: Int) -> Span? { spans.withLock { $0.indices.contains(index) ? $0[index] : nil } }

    /// Returns the index of the first span after span `index` that may contain `time`; nil when there is none.
    func span(after index: Int, holding time: MediaTime) -> Int? {
        spans.withLock { spans in
            guard index + 1 < spans.count else { return nil }
            return (index + 1..<spans.count).first { spans[$0].mayHold(time) }
        }
    }

    /// The latest shifted presentation time; nil before the first frame.
    var end: MediaTime? { spans.withLock { $0.last.map { $0.last + $0.shift } } }
}

/// Finds the offset for the times of each packet of an auxiliary stream: that of the video in the same span.
///
/// Discontinuities are detected separately in each stream, since its packets may lead or trail the video's in the file.
struct TimestampCorrection {
    private struct Position {
        /// Index of the video's span that the stream has reached.
        var span = 0
        /// The latest time in that span, as stored in the container.
        var last: MediaTime?
    }

    private let discontinuities: TimestampDiscontinuities
    /// Whether a jump ahead may be a discontinuity.
    private let allowsDiscontinuities: Bool
    private var positions: [Int: Position] = [:]
    /// The furthest span that any stream that is not sparse has reached.
    private var furthest = 0

    private static let smallestStepBack = MediaTime(value: 1, timescale: 1)
    private static let smallestStepAhead = MediaTime(value: 5, timescale: 1)

    init(_ discontinuities: TimestampDiscontinuities, allowsDiscontinuities: Bool) {
        self.discontinuities = discontinuities
        self.allowsDiscontinuities = allowsDiscontinuities
    }

    /// Returns the offset to add to a packet's times; nil when the reader has not reached the discontinuity before the
    /// packet yet, so that the packet must wait.
    ///
    /// - Parameters:
    ///   - time: time of the packet, as stored in the container.
    ///   - stream: index of the packet's stream.
    ///   - isSparse: whether the stream is sparse, so that a jump ahead is no sign of a discontinuity.
    ///   - isLast: whether the reader has finished, so that no more discontinuities will be found.
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
                    // A jump ahead is a pause if the video reaches the same time; a jump back that the video does not
                    // share is damage.
                    let end = isBack ? last + shift + TimestampDiscontinuities.lead : time + shift
                    if !isLast, discontinuities.end.map({ $0 < end }) ?? true { return nil }
                    // The position is not updated: the packet may belong to a discontinuity that comes later than
                    // usual.
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
