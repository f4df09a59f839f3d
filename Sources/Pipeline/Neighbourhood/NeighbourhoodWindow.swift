internal import DequeModule
package import FrameCore
package import Motion

/// Holds frames until all that a frame's ``Neighbourhood`` takes is there and what lies between is known: a pure value.
///
/// A window ends at cuts. A flash divides a scene into frames of two kinds of light, and a window holds those of its own
/// frame's kind only, so that nothing lit shows through in a frame that is not, or the other way round: the lit frame of a
/// short flash stands alone, and its neighbours have each other.
package struct NeighbourhoodWindow: Sendable {
    /// Where a frame belongs.
    private struct Place {
        /// Position of the scene's first frame.
        var scene: Int
        /// Whether an odd number of flash edges lies between that frame and this one.
        var isOfOtherLight = false
    }

    private struct Entry {
        var frame: Frame
        /// nil as long as the transition before the frame is unknown.
        var place: Place?
    }

    private let previousCount: Int
    private let nextCount: Int
    private let needsUnbroken: Bool
    private var entries = Deque<Entry>()
    /// Position in the clip of the first entry.
    private var firstIndex = 0
    /// Position in the clip of the next frame to come out.
    private var index = 0
    /// Position of the first frame whose place is unknown.
    private var unsettled = 0
    /// The place of the frame before that one.
    private var latest: Place?
    private var hasEnded = false

    /// - Parameters:
    ///   - previous: frames before a frame that its neighbourhood takes.
    ///   - next: the same after it.
    ///   - needsUnbroken: leaves out what lies beyond a frame of other light.
    package init(previous: Int, next: Int, needsUnbroken: Bool = false) {
        previousCount = max(0, previous)
        nextCount = max(0, next)
        self.needsUnbroken = needsUnbroken
    }

    /// Frames that are held at most for a finder that looks `lookAhead` frames ahead of a pair.
    package static func capacity(previous: Int, next: Int, lookAhead: Int) -> Int {
        max(0, previous) + 1 + max(0, next) + max(1, lookAhead)
    }

    package var count: Int { entries.count }

    /// Takes the next frame and the transitions that it settled.
    package mutating func append(_ frame: Frame, settled: [Transition]) {
        entries.append(Entry(frame: frame))
        // Nothing lies before the clip's first frame.
        if latest == nil { settle(.cut, isFlash: false) }
        for transition in settled { settle(transition.kind, isFlash: transition.isFlash) }
    }

    /// Says that no frame follows; transitions that never came count as continuous.
    package mutating func finish(settled: [Transition]) {
        for transition in settled { settle(transition.kind, isFlash: transition.isFlash) }
        while unsettled < firstIndex + entries.count { settle(.continuous, isFlash: false) }
        hasEnded = true
    }

    private mutating func settle(_ kind: Transition.Kind, isFlash: Bool) {
        guard entries.indices.contains(unsettled - firstIndex) else { return }
        var place = latest ?? Place(scene: unsettled)
        if kind == .cut {
            place = Place(scene: unsettled)
        } else if isFlash {
            place.isOfOtherLight.toggle()
        }
        entries[unsettled - firstIndex].place = place
        latest = place
        unsettled += 1
    }

    /// The next frame with its neighbours; nil when more must be appended first, or none is left.
    package mutating func nextNeighbourhood() -> Neighbourhood? {
        let position = index - firstIndex
        guard position < entries.count, let place = entries[position].place, isReady(position, place) else {
            return nil
        }
        let neighbourhood = Neighbourhood(
            previous: neighbours(place, stride(from: position - 1, through: position - previousCount, by: -1))
                .reversed(),
            current: entries[position].frame,
            next: neighbours(place, stride(from: position + 1, through: position + nextCount, by: 1)),
            index: index, restarts: index == place.scene || index.isMultiple(of: MotionChain.restartInterval),
            isOnlyFrame: index == 0 && entries.count == 1)
        index += 1
        while firstIndex < index - previousCount {
            entries.removeFirst()
            firstIndex += 1
        }
        return neighbourhood
    }

    /// Whether all frames that may belong to the neighbourhood are known.
    private func isReady(_ position: Int, _ place: Place) -> Bool {
        if hasEnded { return true }
        // Whether the first frame is the only one shows with the second.
        guard index > 0 || entries.count > 1 else { return false }
        if unsettled - firstIndex > position + nextCount { return true }
        // A later scene has begun.
        return latest.map { $0.scene != place.scene } ?? false
    }

    /// Frames at the positions `order`, nearest first, as far as the scene goes.
    private func neighbours(_ place: Place, _ order: StrideThrough<Int>) -> [Frame] {
        var found: [Frame] = []
        for position in order {
            guard entries.indices.contains(position), let other = entries[position].place, other.scene == place.scene
            else { break }
            if other.isOfOtherLight == place.isOfOtherLight {
                found.append(entries[position].frame)
            } else if needsUnbroken {
                break
            }
        }
        return found
    }
}
