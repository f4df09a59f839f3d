internal import FrameCore
internal import Motion

/// The frames round the one that a selector looks at, and what they say of it. Frames are counted from the stream's first.
struct SelectionWindow: Sendable {
    struct Entry {
        var frame: Frame
        var signature: FrameSignature
        var sharpness: Float?
        /// Whether a new scene begins with it, and whether it repeats the frame before; known some frames later.
        var isCut = false
        var isRepeat = false
    }

    /// Frames to either side among which the sharpest is taken.
    static let localReach = 4

    /// Frames to either side that tell of transitions.
    private(set) var reach = 8
    /// Frames that came.
    private(set) var count = 0
    private var entries: [Entry] = []
    private var firstIndex = 0

    subscript(index: Int) -> Entry { entries[index - firstIndex] }

    var last: Frame? { entries.last?.frame }

    mutating func append(_ frame: Frame, _ signature: FrameSignature) {
        entries.append(Entry(frame: frame, signature: signature))
        count += 1
    }

    /// Looks a third of a second to either side.
    mutating func setReach(step: MediaTime) {
        reach = max(2, min(16, Int((0.32 / max(0.001, step.seconds)).rounded())))
    }

    /// Notes what the detector found.
    ///
    /// - Returns: the frame; nil where it is gone.
    mutating func mark(_ transition: Transition) -> Frame? {
        let position = transition.index - firstIndex
        guard entries.indices.contains(position) else { return nil }
        entries[position].isRepeat = transition.kind == .duplicate
        if transition.kind == .cut { entries[position].isCut = true }
        return entries[position].frame
    }

    /// Drops the frames that are no neighbours of `index` or of later ones.
    mutating func forget(before index: Int) {
        let oldest = index - max(reach, Self.localReach) - 1
        guard oldest > firstIndex else { return }
        entries.removeFirst(oldest - firstIndex)
        firstIndex = oldest
    }

    mutating func removeAll() { entries = [] }

    /// The sharpest frame near `index` in the same scene.
    mutating func sharpestNeighbour(of index: Int) -> Int {
        let scene = sceneRange(round: index, reach: Self.localReach)
        var best = (index: index, sharpness: -Float.infinity)
        for neighbour in scene {
            let position = neighbour - firstIndex
            let sharpness = entries[position].sharpness ?? quickSharpness(entries[position].frame.buffer)
            entries[position].sharpness = sharpness
            // Beside a cut coders save, and dissolves begin.
            let edge = neighbour - scene.lowerBound < 2 || scene.upperBound - 1 - neighbour < 2
            let isShort = scene.count < 2 * Self.localReach + 1
            let value = sharpness - (isShort && edge ? 0.05 : 0) - (entries[position].frame.isDamaged ? 1 : 0)
            if value > best.sharpness + 0.002 { best = (neighbour, value) }
        }
        return best.index
    }

    /// Frames round `index` that belong to its scene.
    private func sceneRange(round index: Int, reach: Int) -> Range<Int> {
        var (first, last) = (index, index)
        while first > max(firstIndex, index - reach), !entries[first - firstIndex].isCut { first -= 1 }
        while last + 1 < min(count, index + reach + 1), !entries[last + 1 - firstIndex].isCut { last += 1 }
        return first..<last + 1
    }

    /// What the neighbours of a frame say against it.
    func objections(to index: Int) -> Candidate.Objections {
        var objections = Candidate.Objections()
        let scene = sceneRange(round: index, reach: reach)
        let half = min(reach, index - scene.lowerBound, scene.upperBound - 1 - index)
        let hasCut =
            (scene.lowerBound > firstIndex && entries[scene.lowerBound - firstIndex].isCut
                && index - scene.lowerBound < 2)
            || (scene.upperBound < count && scene.upperBound - 1 - index < 2 && scene.upperBound - index <= reach
                && entries[scene.upperBound - firstIndex].isCut)
        objections.isBesideCut = hasCut
        // Near an end of the scene the frames that there are on the other side must do.
        let (first, last) =
            half >= 2 ? (index - half, index + half) : (scene.lowerBound, scene.upperBound - 1)
        if last - first >= 4 {
            let evidence = GradualTransition(
                before: entries[first - firstIndex].signature,
                middle: entries[(first + last) / 2 - firstIndex].signature, after: entries[last - firstIndex].signature)
            objections.isInTransition = evidence.isDissolve || evidence.isFade
            objections.mismatch = evidence.mismatch
        }
        let near = max(scene.lowerBound, index - 2)...min(scene.upperBound - 1, index + 2)
        let repeats = near.count { $0 > firstIndex && entries[$0 - firstIndex].isRepeat }
        objections.isFrozen = near.count > 3 && repeats >= near.count - 1
        objections.isDamaged = entries[index - firstIndex].frame.isDamaged
        return objections
    }
}
