internal import DequeModule
internal import FrameCore

/// Holds frames until all that a frame's ``Neighbourhood`` takes is there: a pure value.
///
/// A window ends at cuts. A flash divides a scene into frames of two kinds of light, and a window holds those of its own
/// frame's kind only, so that nothing lit shows through in a frame that is not, or the other way round: the lit frame of a
/// short flash stands alone, and its neighbours have each other. A frame made between the two kinds is of neither.
package struct EffectWindow: Sendable {
    private enum Light: Hashable {
        /// Whether an odd number of flash edges lies between the scene's first frame and this one.
        case plain(isOther: Bool)
        case mixed(Int)
    }

    /// Where a frame belongs.
    private struct Place {
        /// Position of the scene's first frame.
        var scene: Int
        var light: Light
    }

    private struct Entry {
        var frame: TimelineFrame
        var place: Place
    }

    private let window: TemporalWindow
    private var entries = Deque<Entry>()
    /// Position in the clip of the first entry.
    private var firstIndex = 0
    /// Position in the clip of the next frame to come out.
    private var index = 0
    /// Where the latest frame belongs, and its plain light.
    private var latest: (scene: Int, isOther: Bool)?
    private var hasEnded = false

    package init(_ window: TemporalWindow) { self.window = window }

    /// Frames that are held at most.
    ///
    /// - Parameter knowsLast: whether frames come with the word whether one follows.
    package static func capacity(_ window: TemporalWindow, knowsLast: Bool) -> Int {
        max(window.previous + 1 + window.next, window.previous + (window.seesFollowing ? knowsLast ? 2 : 3 : 1))
    }

    package var count: Int { entries.count }

    /// Takes the next frame.
    package mutating func append(_ frame: TimelineFrame) {
        let position = firstIndex + entries.count
        var state = latest ?? (position, false)
        if frame.before.isCut || latest == nil {
            state = (position, false)
        } else if frame.before.isFlash {
            state.isOther.toggle()
        }
        latest = state
        let light: Light = frame.before.isOfMixedLight ? .mixed(position) : .plain(isOther: state.isOther)
        entries.append(Entry(frame: frame, place: Place(scene: state.scene, light: light)))
    }

    /// Says that no frame follows.
    package mutating func finish() { hasEnded = true }

    /// The next frame with its neighbours, and the clip's last frame where it is one of this and the next; nil when more
    /// must be appended first, or none is left.
    mutating func nextEntry() -> (neighbourhood: Neighbourhood, frame: TimelineFrame, last: Frame?)? {
        let position = index - firstIndex
        guard position < entries.count, isReady(position) else { return nil }
        let (frame, place) = (entries[position].frame, entries[position].place)
        let following = window.seesFollowing && position + 1 < entries.count ? entries[position + 1] : nil
        var neighbourhood = Neighbourhood(
            previous: neighbours(place, stride(from: position - 1, through: position - window.previous, by: -1))
                .reversed(),
            current: frame.frame,
            next: neighbours(place, stride(from: position + 1, through: position + window.next, by: 1)),
            index: index, resets: index == place.scene || frame.before.isReset,
            isOnlyFrame: index == 0 && entries.count == 1 && hasEnded,
            following: following.map {
                .init(
                    frame: $0.frame.frame, isCut: $0.place.scene != place.scene,
                    isFlash: $0.place.scene == place.scene && $0.place.light != place.light)
            })
        neighbourhood.motion.before = frame.motion
        if position + 1 < entries.count { neighbourhood.motion.after = entries[position + 1].frame.motion }
        let last = position + (following == nil ? 0 : 1)
        let isLast = entries[last].frame.isLast ?? (hasEnded && last + 1 == entries.count)
        let lastFrame = window.seesFollowing && isLast ? entries[last].frame.frame : nil
        index += 1
        while firstIndex < index - window.previous {
            entries.removeFirst()
            firstIndex += 1
        }
        return (neighbourhood, frame, lastFrame)
    }

    /// The next frame with its neighbours; nil when more must be appended first, or none is left.
    package mutating func nextNeighbourhood() -> Neighbourhood? { nextEntry()?.neighbourhood }

    /// Whether all frames that may belong to the neighbourhood are known.
    private func isReady(_ position: Int) -> Bool {
        if hasEnded || window.isImmediate { return true }
        // Whether the first frame is the only one shows with the second.
        guard index > 0 || entries.count > 1 else { return false }
        if window.seesFollowing {
            guard position + 1 < entries.count,
                entries[position + 1].frame.isLast != nil || position + 2 < entries.count
            else { return false }
        }
        if position + window.next < entries.count { return true }
        // A later scene has begun.
        return latest.map { $0.scene != entries[position].place.scene } ?? false
    }

    /// Frames at the positions `order`, nearest first, as far as the scene goes.
    private func neighbours(_ place: Place, _ order: StrideThrough<Int>) -> [Frame] {
        var found: [Frame] = []
        for position in order {
            guard entries.indices.contains(position), entries[position].place.scene == place.scene else { break }
            if entries[position].place.light == place.light {
                found.append(entries[position].frame.frame)
            } else if window.needsUnbroken {
                break
            }
        }
        return found
    }
}
