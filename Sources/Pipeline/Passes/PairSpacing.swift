package import FrameCore
package import FrameEffects

/// Decides which neighbouring pairs tell about the content between the two frames of a pair; a pure value.
///
/// The path through four frames is known only if the frames are equally spaced in time. Timestamps are rounded and real
/// cameras waver a little, so lengths count as equal if they differ by less than an eighth.
package struct PairSpacing: Sendable {
    /// The index and the length of the latest pair.
    private var latest: (index: Int, interval: MediaTime)?
    /// The pair before the latest one.
    private var before: (index: Int, interval: MediaTime)?

    package init() {}

    /// Returns the pairs to use. Call it in order, once for each batch of phases of each pair.
    ///
    /// - Parameters:
    ///   - index: position of the pair's earlier frame.
    ///   - interval: the time between its frames; nil if it is not known.
    ///   - next: the time between the frames of the next pair; nil if there is none.
    package mutating func neighbours(ofPair index: Int, interval: MediaTime?, next: MediaTime?) -> NeighbouringPairs {
        guard let interval else { return .none }
        if latest?.index != index { (before, latest) = (latest, (index, interval)) }
        let previous = before.flatMap { $0.index == index - 1 ? $0.interval : nil }
        return NeighbouringPairs(before: Self.areEqual(previous, interval), after: Self.areEqual(next, interval))
    }

    private static func areEqual(_ a: MediaTime?, _ b: MediaTime) -> Bool {
        guard let a else { return false }
        let shorter = min(a, b), longer = max(a, b)
        return shorter > .zero && (longer - shorter).seconds * 8 < longer.seconds
    }
}
