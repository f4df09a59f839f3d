import FrameCore

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
