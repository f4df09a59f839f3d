import FrameCore

/// The parts of a video stream between which its times jump: told by the reader, asked by whoever carries the other
/// streams, whose times jump at the same places.
final class TimeJoints: Sendable {
    /// Frames whose times go on from one to the next.
    struct Part {
        /// As the container states them; the last one met so far.
        fileprivate(set) var first: MediaTime
        fileprivate(set) var last: MediaTime
        /// Added to the container's times.
        let shift: MediaTime

        /// Whether a packet of another stream may belong to it, which may lead or trail the pictures.
        func mayHold(_ time: MediaTime) -> Bool { time >= first - TimeJoints.lead && time <= last + TimeJoints.lead }
    }

    /// How far streams of one file lie apart at most.
    static let lead = MediaTime(value: 5, timescale: 1)

    private let parts = Lock<[Part]>([])

    /// Notes the time of the next frame.
    /// - Parameter isJoint: the times have jumped before it.
    func append(_ time: MediaTime, shift: MediaTime, isJoint: Bool) {
        parts.withLock { parts in
            if isJoint || parts.isEmpty { return parts.append(Part(first: time, last: time, shift: shift)) }
            let end = parts.count - 1
            parts[end].first = min(parts[end].first, time)
            parts[end].last = max(parts[end].last, time)
        }
    }

    /// Begins anew, for frames from elsewhere.
    func removeAll() { parts.withLock { $0 = [] } }

    subscript(index: Int) -> Part? { parts.withLock { $0.indices.contains(index) ? $0[index] : nil } }

    /// The first part behind part `index` that may hold `time`.
    func part(after index: Int, holding time: MediaTime) -> Int? {
        parts.withLock { parts in
            guard index + 1 < parts.count else { return nil }
            return (index + 1..<parts.count).first { parts[$0].mayHold(time) }
        }
    }

    /// The latest time after the shift; nil before the first frame.
    var end: MediaTime? { parts.withLock { $0.last.map { $0.last + $0.shift } } }
}
