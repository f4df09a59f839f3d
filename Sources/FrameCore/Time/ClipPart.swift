/// A place in a clip: a time on the clip's own clock, or the number of a frame.
public enum ClipPosition: Sendable, Hashable, CustomStringConvertible {
    /// A presentation time in seconds.
    case time(MediaTime)
    /// A frame's number in presentation order, from 0.
    case frame(Int)

    /// The position as text, such as `2.5 s` or `frame 300`.
    public var description: String {
        switch self {
        case .time(let time): "\(time) s"
        case .frame(let number): "frame \(number)"
        }
    }
}

extension ClipPosition {
    /// The time; nil for a frame.
    package var time: MediaTime? { if case .time(let time) = self { time } else { nil } }

    /// The length of a stretch as long as from the clip's beginning to the position, which may be given in frames.
    ///
    /// - Parameter rate: the clip's frame rate; nil if unknown.
    /// - Throws: `FrameError` if it is needed and unknown.
    package func length(at rate: Rational?) throws(FrameError) -> MediaTime {
        switch self {
        case .time(let time): return time
        case .frame(let count):
            guard let rate, rate.isPositive, let frames = Int32(exactly: count) else {
                throw FrameError(
                    .invalidArgument,
                    "the length of \(count) frames is unknown, because this input states no frame rate; give a time")
            }
            return MediaTime(value: Int64(rate.denominator), timescale: rate.numerator)
                .multiplied(by: Rational(frames, 1))
        }
    }
}

/// A part of a clip: from one position up to, but not including, another.
public struct ClipPart: Sendable, Hashable, CustomStringConvertible {
    /// Where a part ends.
    public enum End: Sendable, Hashable {
        /// Before this position.
        case position(ClipPosition)
        /// A time, or a number of frames, after the beginning.
        case length(ClipPosition)
    }

    /// Where the part begins; nil for the clip's first frame.
    public var start: ClipPosition?
    /// Where the part ends; nil for the clip's end.
    public var end: End?

    /// Creates a part.
    ///
    /// - Throws: `FrameError` if a position is negative, or if the part ends where it begins or before.
    public init(start: ClipPosition?, end: End?) throws(FrameError) {
        self.start = start
        self.end = end
        switch (start ?? .frame(0), end) {
        case (.time(let from), .position(.time(let to))) where to <= from:
            throw FrameError(
                .invalidArgument, "the part ends at \(to) s, which is not after its beginning at \(from) s")
        case (.frame(let from), .position(.frame(let to))) where to <= from:
            throw FrameError(
                .invalidArgument, "the part ends before frame \(to), which is not after its first frame \(from)")
        case (_, .length(.time(let length))) where length <= .zero:
            throw FrameError(.invalidArgument, "a part of \(length) s has no frames; its duration must be above 0")
        case (_, .length(.frame(let length))) where length <= 0:
            throw FrameError(.invalidArgument, "a part of \(length) frames is empty; it needs at least 1")
        default: break
        }
    }

    /// The part as text.
    public var description: String {
        let from = start.map { "from \($0)" } ?? "from the first frame"
        switch end {
        case nil: return from
        case .position(let position): return "\(from) to \(position)"
        case .length(.time(let time)): return "\(from) for \(time) s"
        case .length(.frame(let count)): return "\(from) for \(count) frames"
        }
    }
}
