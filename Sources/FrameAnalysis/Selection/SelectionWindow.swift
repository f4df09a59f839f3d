package import FrameCore
package import Motion

/// The frames around the one that a selector examines, and what they show about it. Indices count from the first frame
/// of the stream.
package struct SelectionWindow: Sendable {
    struct Entry {
        var time: MediaTime
        var isDamaged: Bool
        var signature: FrameSignature
        /// Nil if no frame that is examined is near.
        var frame: StoredFrame?
        /// Nil if not measured.
        var sharpness: Float?
        /// Whether the frame starts a new scene or repeats the previous frame; known only some frames later.
        var isCut = false
        var isRepeat = false
    }

    /// The number of frames on each side among which the sharpest is chosen.
    static let localReach = 4

    /// The number of frames on each side that are examined for transitions.
    package private(set) var reach = 8
    /// The number of frames appended so far.
    package private(set) var count = 0
    /// The distance of the frames that are examined for a mixture, about 0.2 s.
    private var lag: Int { max(1, reach * 5 / 8) }
    /// The number of frames on each side that ``objections(to:)`` needs.
    var farReach: Int { max(reach, 2 * lag) }
    /// The width and height of the frames; nil before the first one.
    private(set) var size: (width: Int, height: Int)?
    /// The index of the last frame that may be examined.
    private var lastExamined: Int?
    private var entries: [Entry] = []
    private var firstIndex = 0
    private var history = BlendHistory()

    subscript(index: Int) -> Entry { entries[index - firstIndex] }

    package init() {}

    /// Appends the next frame.
    ///
    /// - Parameters:
    ///   - mayBeExamined: whether the frame may be the first of its bucket, so that it and its neighbours are needed.
    ///   - store: keeps the frame for as long as it is needed.
    /// - Throws: `FrameError` if a frame cannot be kept or read.
    package mutating func append(
        _ frame: Frame, _ signature: FrameSignature, mayBeExamined: Bool, in store: FrameStore
    ) throws(FrameError) {
        if mayBeExamined { lastExamined = count }
        // Sharpness is measured while the frames are still in memory.
        let behind = max(firstIndex, count - Self.localReach)
        if mayBeExamined {
            for index in behind..<count { try measureSharpness(index - firstIndex) }
        } else if behind == count - Self.localReach, lastExamined.map({ $0 < behind - Self.localReach }) ?? true {
            entries[behind - firstIndex].frame = nil
        }
        entries.append(
            Entry(
                time: frame.presentationTime, isDamaged: frame.isDamaged, signature: signature,
                frame: try store.keep(frame)))
        history.append(signature)
        if let lastExamined, lastExamined >= behind {
            entries[count - firstIndex].sharpness = quickSharpness(frame.buffer)
        }
        size = (frame.buffer.width, frame.buffer.height)
        count += 1
    }

    private mutating func measureSharpness(_ position: Int) throws(FrameError) {
        guard entries[position].sharpness == nil, let stored = entries[position].frame else { return }
        entries[position].sharpness = quickSharpness(try stored.frame().buffer)
    }

    /// Sets the reach to about a third of a second on each side.
    package mutating func setReach(step: MediaTime) {
        reach = max(2, min(16, Int((0.32 / max(0.001, step.seconds)).rounded())))
        history.setReach(step: step)
    }

    /// Records a transition that the detector found.
    ///
    /// - Returns: the time of the transition's frame; nil if it is no longer in the window.
    package mutating func mark(_ transition: Transition) -> MediaTime? {
        let position = transition.index - firstIndex
        guard entries.indices.contains(position) else { return nil }
        entries[position].isRepeat = transition.kind == .duplicate
        if transition.kind == .cut { entries[position].isCut = true }
        return entries[position].time
    }

    /// Drops the frames too far before `index` to be neighbours of it or of later frames.
    ///
    /// - Parameter open: the first frame whose ``blend(at:)`` is still wanted.
    mutating func forget(before index: Int, open: Int) {
        history.forget(before: min(open, index - Self.localReach))
        for position in 0..<max(0, min(entries.count, index - Self.localReach - firstIndex)) {
            entries[position].frame = nil
        }
        // The frame that is chosen near `index` has neighbours of its own.
        let oldest = index - Self.localReach - farReach - 1
        guard oldest > firstIndex else { return }
        entries.removeFirst(oldest - firstIndex)
        firstIndex = oldest
    }

    mutating func removeAll() {
        entries = []
        history.removeAll()
    }

    /// The number of frames on each side that ``blend(at:)`` compares.
    var blendReach: Int { history.reach }

    /// Whether a frame looks like two scenes over one another; to be asked when ``blendReach`` more frames are there.
    package func blend(at index: Int) -> SceneBlend { history.blend(at: index) }

    /// The index of the sharpest frame near `index` in the same scene.
    func sharpestNeighbour(of index: Int) -> Int {
        let scene = sceneRange(around: index, reach: Self.localReach)
        var best = (index: index, sharpness: -Float.infinity)
        for neighbour in scene {
            let position = neighbour - firstIndex
            guard let sharpness = entries[position].sharpness else { continue }
            // Encoders spend fewer bits next to a cut, and dissolves begin there.
            let edge = neighbour - scene.lowerBound < 2 || scene.upperBound - 1 - neighbour < 2
            let isShort = scene.count < 2 * Self.localReach + 1
            let value = sharpness - (isShort && edge ? 0.05 : 0) - (entries[position].isDamaged ? 1 : 0)
            if value > best.sharpness + 0.002 { best = (neighbour, value) }
        }
        return best.index
    }

    /// The frames around `index` that belong to its scene.
    private func sceneRange(around index: Int, reach: Int) -> Range<Int> {
        var (first, last) = (index, index)
        while first > max(firstIndex, index - reach), !entries[first - firstIndex].isCut { first -= 1 }
        while last + 1 < min(count, index + reach + 1), !entries[last + 1 - firstIndex].isCut { last += 1 }
        return first..<last + 1
    }

    /// Where a frame differs from the frames before and after it that belong to its scene and are not the same.
    func change(at index: Int) -> LocalChange {
        let scene = sceneRange(around: index, reach: Self.localReach)
        var (before, after) = (index, index + 1)
        while before > scene.lowerBound, entries[before - firstIndex].isRepeat { before -= 1 }
        while after < scene.upperBound, entries[after - firstIndex].isRepeat { after += 1 }
        return LocalChange(
            before: before > scene.lowerBound ? entries[before - 1 - firstIndex].signature : nil,
            entries[index - firstIndex].signature,
            after: after < scene.upperBound ? entries[after - firstIndex].signature : nil)
    }

    /// The objections to a frame from its neighbours, except for its blend and its smear.
    package func objections(to index: Int) -> Candidate.Objections {
        var objections = Candidate.Objections()
        let scene = sceneRange(around: index, reach: reach)
        let half = min(reach, index - scene.lowerBound, scene.upperBound - 1 - index)
        let hasCut =
            (scene.lowerBound > firstIndex && entries[scene.lowerBound - firstIndex].isCut
                && index - scene.lowerBound < 2)
            || (scene.upperBound < count && scene.upperBound - 1 - index < 2 && scene.upperBound - index <= reach
                && entries[scene.upperBound - firstIndex].isCut)
        objections.isBesideCut = hasCut
        // Near an end of the scene, use all of its frames within reach.
        let (first, last) =
            half >= 2 ? (index - half, index + half) : (scene.lowerBound, scene.upperBound - 1)
        if last - first >= 4 {
            let evidence = GradualTransition(
                before: entries[first - firstIndex].signature,
                middle: entries[(first + last) / 2 - firstIndex].signature, after: entries[last - firstIndex].signature)
            (objections.isInDissolve, objections.isInFade) = (evidence.isDissolve, evidence.isFade)
            objections.mismatch = evidence.mismatch
            // What a cut within reach replaces, no motion explains.
            let isBounded =
                scene.lowerBound > max(firstIndex, index - reach) || scene.upperBound < min(count, index + reach + 1)
            objections.explained = isBounded ? 0 : 1 - evidence.mismatch
        }
        // Halfway through a move both pictures may hardly change; the frames on both sides show what is going on.
        objections.mixture = max(mixture(at: index), min(mixture(at: index - lag), mixture(at: index + lag)))
        let near = max(scene.lowerBound, index - 2)...min(scene.upperBound - 1, index + 2)
        let repeats = near.count { $0 > firstIndex && entries[$0 - firstIndex].isRepeat }
        objections.isFrozen = near.count > 3 && repeats >= near.count - 1
        objections.isDamaged = entries[index - firstIndex].isDamaged
        return objections
    }

    /// How strongly a frame looks like a mixture of the frames about 0.2 s before and after it, 0…1. A cut makes no
    /// mixture, and slides may have cuts within, so scenes do not matter here.
    private func mixture(at index: Int) -> Float {
        guard index >= firstIndex, index < count else { return 0 }
        let (earlier, later) = (max(firstIndex, index - lag), min(count - 1, index + lag))
        return SceneMixture(
            before: entries[earlier - firstIndex].signature, middle: entries[index - firstIndex].signature,
            after: entries[later - firstIndex].signature
        ).strength
    }
}
