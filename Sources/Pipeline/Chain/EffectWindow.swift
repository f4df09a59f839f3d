internal import DequeModule
package import FrameCore

/// Holds frames until all that a frame's ``Neighbourhood`` takes is there: a pure value.
///
/// A window ends at cuts. A flash divides a scene into frames of two kinds of light, and a window holds those of its own
/// frame's kind only, so that nothing lit shows through in a frame that is not, or the other way round: the lit frame of a
/// short flash stands alone, and its neighbours have each other. A frame made between the two kinds is of neither.
package struct EffectWindow: Sendable {
    private let window: TemporalWindow
    private var frames = Deque<TimelineFrame>()
    /// Position in the clip of the first frame held.
    private var firstIndex = 0
    /// Position in the clip of the next frame to come out.
    private var index = 0
    private var hasEnded = false

    package init(_ window: TemporalWindow) { self.window = window }

    /// Frames that are held at most.
    ///
    /// - Parameter knowsLast: whether frames come with the word whether one follows.
    package static func capacity(_ window: TemporalWindow, knowsLast: Bool) -> Int {
        max(window.previous + 1 + window.next, window.previous + (window.seesFollowing ? knowsLast ? 2 : 3 : 1))
    }

    package var count: Int { frames.count }

    /// Takes the next frame.
    package mutating func append(_ frame: TimelineFrame) { frames.append(frame) }

    /// Says that no frame follows.
    package mutating func finish() { hasEnded = true }

    /// The next frame with its neighbours; nil when more must be appended first, or none is left.
    ///
    /// - Parameter interval: how long a last frame without a duration is shown.
    package mutating func next(
        interval: MediaTime? = nil
    ) -> (neighbourhood: Neighbourhood, frame: TimelineFrame)? {
        let position = index - firstIndex
        guard position < frames.count, isReady(position) else { return nil }
        let frame = frames[position], after = position + 1 < frames.count ? frames[position + 1] : nil
        var neighbourhood = Neighbourhood(
            previous: neighbours(of: position, back: true, window.previous).reversed(), current: frame.frame,
            next: neighbours(of: position, back: false, window.next), index: index,
            resets: index == 0 || frame.before.isCut || frame.before.resetPoint != nil,
            isOnlyFrame: index == 0 && frames.count == 1 && hasEnded)
        neighbourhood.motion = (frame.motion, after?.motion)
        if window.seesFollowing {
            if let after {
                neighbourhood.following = after.frame
                neighbourhood.cutFollows = after.before.isCut
                neighbourhood.flashFollows =
                    !after.before.isCut
                    && (after.before.isFlash || after.before.isOfMixedLight || frame.before.isOfMixedLight)
            }
            let last = after ?? frame
            if last.isLast ?? (hasEnded && position + (after == nil ? 1 : 2) == frames.count) {
                neighbourhood.end = end(of: last.frame, interval)
            }
        }
        index += 1
        while firstIndex < index - window.previous {
            frames.removeFirst()
            firstIndex += 1
        }
        return (neighbourhood, frame)
    }

    /// When a clip that ends with `frame` ends: by its own duration, else by the interval.
    private func end(of frame: Frame, _ interval: MediaTime?) -> MediaTime? {
        if let duration = frame.duration, duration > .zero { return frame.presentationTime + duration }
        return interval.map { frame.presentationTime + $0 }
    }

    /// Whether all frames that may belong to the neighbourhood are known.
    private func isReady(_ position: Int) -> Bool {
        if hasEnded || window.isImmediate { return true }
        // Whether the first frame is the only one shows with the second.
        guard index > 0 || frames.count > 1 else { return false }
        if window.seesFollowing {
            guard position + 1 < frames.count, frames[position + 1].isLast != nil || position + 2 < frames.count
            else { return false }
        }
        // Or a later scene has begun.
        return position + window.next < frames.count
            || frames[(position + 1)...].contains { $0.before.isCut }
    }

    /// At most `count` frames before or after the one at `position`, nearest first, as far as the scene goes.
    private func neighbours(of position: Int, back: Bool, _ count: Int) -> [Frame] {
        var found: [Frame] = []
        var isOtherLight = false
        for distance in 0..<count {
            let near = back ? position - distance : position + distance, far = back ? near - 1 : near + 1
            guard frames.indices.contains(far) else { break }
            // Of the two the later one knows what lies between them.
            let boundary = frames[max(near, far)].before
            if boundary.isCut { break }
            if boundary.isFlash { isOtherLight.toggle() }
            let isMixed = frames[position].before.isOfMixedLight || frames[far].before.isOfMixedLight
            if !isOtherLight, !isMixed {
                found.append(frames[far].frame)
            } else if window.needsUnbroken {
                break
            }
        }
        return found
    }
}
