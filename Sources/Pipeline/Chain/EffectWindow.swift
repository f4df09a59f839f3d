internal import DequeModule
package import FrameCore

/// Holds frames until a frame's ``Neighbourhood`` is complete; a pure value.
///
/// A window ends at cuts. A flash splits a scene into lit and unlit frames. A window contains only frames that match
/// its own frame in this respect, so that no flash light leaks into an unlit frame or the reverse. The lit frame of a
/// short flash therefore has no neighbours, while the frames before and after it are neighbours of each other. A frame
/// interpolated between a lit and an unlit one matches neither.
package struct EffectWindow: Sendable {
    private let window: TemporalWindow
    private var frames = Deque<TimelineFrame>()
    /// The position in the clip of the first frame held.
    private var firstIndex = 0
    /// The position in the clip of the next frame to be returned.
    private var index = 0
    private var hasEnded = false

    /// - Parameters:
    ///   - window: the frames that the effect looks at.
    ///   - start: the position in the clip of the first frame that is appended.
    package init(_ window: TemporalWindow, from start: Int = 0) {
        self.window = window
        (firstIndex, index) = (start, start)
    }

    /// Returns the maximum number of frames held at once.
    ///
    /// - Parameter knowsLast: whether each frame arrives with ``TimelineFrame/isLast`` set.
    package static func capacity(_ window: TemporalWindow, knowsLast: Bool) -> Int {
        max(window.previous + 1 + window.next, window.previous + (window.seesFollowing ? knowsLast ? 2 : 3 : 1))
            + window.upcomingPairs
    }

    package var count: Int { frames.count }

    /// Adds the next frame.
    package mutating func append(_ frame: TimelineFrame) { frames.append(frame) }

    /// Marks the end of the clip.
    package mutating func finish() { hasEnded = true }

    /// Returns the next frame with its neighbours; nil if more frames must be appended first or none are left.
    ///
    /// - Parameter interval: how long a last frame without a duration is shown.
    package mutating func next(
        interval: MediaTime? = nil
    ) -> (neighbourhood: Neighbourhood, frame: TimelineFrame)? {
        guard isReady(index - firstIndex), var found = nextOnly(interval: interval) else { return nil }
        var later = self
        while found.neighbourhood.upcoming.count < window.upcomingPairs,
            let pair = later.nextOnly(interval: interval).flatMap({ UpcomingPair($0.neighbourhood) })
        {
            found.neighbourhood.upcoming.append(pair)
        }
        return found
    }

    /// Returns the next frame with its neighbours, without the upcoming pairs.
    private mutating func nextOnly(
        interval: MediaTime?
    ) -> (neighbourhood: Neighbourhood, frame: TimelineFrame)? {
        let position = index - firstIndex
        guard position < frames.count, isReadyAlone(position) else { return nil }
        let frame = frames[position], after = position + 1 < frames.count ? frames[position + 1] : nil
        var neighbourhood = Neighbourhood(
            previous: neighbours(of: position, back: true, window.previous).reversed(), current: frame.frame,
            next: neighbours(of: position, back: false, window.next), index: index,
            resets: index == 0 || frame.before.isCut || frame.before.resetPoint != nil,
            isOnlyFrame: index == 0 && frames.count == 1 && hasEnded)
        (neighbourhood.sourceTime, neighbourhood.sourceNumber) = (frame.sourceTime, frame.sourceNumber)
        neighbourhood.motion = (frame.motion, after?.motion)
        neighbourhood.previousHeldUntil = frame.before.heldUntil
        if window.seesFollowing {
            if let after {
                (neighbourhood.following, neighbourhood.followingNumber) = (after.frame, after.sourceNumber)
                neighbourhood.cutFollows = after.before.isCut
                neighbourhood.heldUntil = after.before.heldUntil
                neighbourhood.gapFollows = after.before.followsGap
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

    /// Returns the end time of a clip whose last frame is `frame`: from its own duration, or else from the interval.
    private func end(of frame: Frame, _ interval: MediaTime?) -> MediaTime? {
        if let duration = frame.duration, duration > .zero { return frame.presentationTime + duration }
        return interval.map { frame.presentationTime + $0 }
    }

    /// Whether all frames that may belong to the neighbourhood are known, those of the upcoming pairs included.
    private func isReady(_ position: Int) -> Bool {
        guard isReadyAlone(position) else { return false }
        for later in position..<position + window.upcomingPairs {
            if hasEnded || later + 1 < frames.count && frames[later + 1].isLast == true { return true }
            guard isReadyAlone(later + 1) else { return false }
        }
        return true
    }

    /// Whether all frames that may belong to the neighbourhood are known, those of the upcoming pairs aside.
    private func isReadyAlone(_ position: Int) -> Bool {
        guard position < frames.count else { return false }
        if hasEnded || window.isImmediate { return true }
        // Only the arrival of a second frame shows that the first is not the only one.
        guard index > 0 || frames.count > 1 else { return false }
        if window.seesFollowing {
            guard position + 1 < frames.count, frames[position + 1].isLast != nil || position + 2 < frames.count
            else { return false }
        }
        // The last condition means that a later scene has begun, so no more frames of this one will follow.
        return position + window.next < frames.count
            || frames[(position + 1)...].contains { $0.before.isCut }
    }

    /// Returns at most `count` frames before or after the one at `position`, nearest first, up to the ends of the
    /// scene.
    private func neighbours(of position: Int, back: Bool, _ count: Int) -> [Frame] {
        var found: [Frame] = []
        var isOtherLight = false
        for distance in 0..<count {
            let near = back ? position - distance : position + distance, far = back ? near - 1 : near + 1
            guard frames.indices.contains(far) else { break }
            // The later frame of a pair holds the boundary between the two.
            let boundary = frames[max(near, far)].before
            if boundary.isCut || (window.endsAtHolds && boundary.heldUntil != nil) { break }
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
