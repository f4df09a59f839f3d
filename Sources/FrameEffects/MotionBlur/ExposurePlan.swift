import Motion

/// Parameters of the division of an exposure. Lengths are in luma samples, trust is 0…1 (see ``MotionLookup``). The
/// values were chosen by hand, November 2026.
private enum ExposureParameters {
    /// Motion over a whole frame interval below which a block counts as still.
    static let stillMotion: Float = 0.25
    /// Distance between the block's motion and the longest motion nearby above which something may pass in front of it.
    static let passingMotion: Float = 2
    /// Path up to which an exposure has two pieces.
    static let twoPieces: Float = 3
    /// Path up to which an exposure has four pieces.
    static let fourPieces: Float = 12
    /// Path up to which an exposure has eight pieces; a longer one has ``ExposurePlan/maximumPieces``.
    static let eightPieces: Float = 40
    /// Share of a piece above which content passing in front hides everything else.
    static let opaque: Float = 0.98
    /// Trust above which the frames show the block's content all along its path.
    static let uncoveredTrust: Float = 0.5
    /// Weight up to which content passing in front is ignored, and trust below which nothing counts as passing.
    static let negligible: Float = 0.02
    /// Largest difference of motion on either axis within a square of blocks that is blurred as one.
    static let evenMotion: Float = 0.4
    /// Trust in the block's own motion below which other motion is tried at its position.
    static let lostTrust: Float = 0.3
    /// Difference of motion on either axis below which two pieces share a line of taps.
    static let sharedLine: Float = 0.75
    /// Added to the trust in each frame, so that the weights are never divided by 0.
    static let leastTrust: Float = 0.001
    /// The maximum number of positions along a path that are probed for other motion.
    static let maximumProbes = 16
    /// Difference of motion on either axis at or above which content counts as moving differently.
    static let otherMotion: Float = 1.5
    /// Gain of the weight of content passing in front, which is a product of three trusts.
    static let passingGain: Float = 1.3
}

/// A short piece of the exposure of one block: the content that passes over it at that time, and which frames show that
/// content.
struct ExposurePiece: BitwiseCopyable {
    /// Motion from the frame to the neighbour, in the units of the field.
    var vector: SIMD2<Int32>
    /// The middle of the piece, 0 at the frame to 1 at the neighbour.
    var time: Float
    /// The length of the piece, in frame intervals.
    var duration: Float
    /// Weight of the frame.
    var here: Float
    /// Weight of the neighbour.
    var there: Float
}

/// Divides one half of the exposure of a block into pieces.
struct ExposurePlan {
    /// The maximum number of pieces of each kind. Chosen by hand, November 2026.
    static let maximumPieces = 16
    /// The capacity for pieces of all three kinds.
    static let capacity = 3 * maximumPieces
    /// The pieces: from index 0 those of the block's own motion, from ``maximumPieces`` those of content passing in
    /// front of it, and from twice ``maximumPieces`` those of content uncovered where the block's own has moved away.
    let pieces: UnsafeMutablePointer<ExposurePiece>
    /// The number of pieces of each kind.
    private(set) var counts = (own: 0, over: 0, other: 0)
    /// Whether nothing moves during the exposure.
    private(set) var isStill = false
    /// Whether everything along the path moves alike.
    private(set) var isCalm = false

    /// Creates a plan in borrowed memory.
    ///
    /// - Parameter pieces: room for ``capacity`` pieces.
    init(pieces: UnsafeMutablePointer<ExposurePiece>) { self.pieces = pieces }

    /// Plans one half of the exposure of a block.
    ///
    /// - Parameters:
    ///   - half: the motion during this half.
    ///   - p: the centre of the block, as ``MotionVectorField/sample(x:y:)`` takes it.
    ///   - reach: the length of the half in frame intervals, 0…0.5.
    mutating func make(_ half: MotionLookup, at p: SIMD2<Int32>, reach: Float) {
        typealias P = ExposureParameters
        counts = (0, 0, 0)
        isCalm = false
        let own = half.motion(p), front = half.passing(p), pixel = half.pixel
        let ownLength = Float(Self.length(own)) * pixel
        let apart = Float(Self.length(own &- front)) * pixel
        let tries =
            apart > P.passingMotion && half.hasNeighbour && Self.meets(half, p, own: own, front: front, reach: reach)
        isStill = ownLength < P.stillMotion && !tries
        if isStill { return }
        let path = max(ownLength, tries ? apart : 0) * reach
        if !tries, Self.isUncovered(half, p, own: own, reach: reach) {
            isCalm = true
            putCalm(own, path: path, reach: reach)
            return
        }
        let steps =
            path < P.twoPieces ? 2 : path < P.fourPieces ? 4 : path < P.eightPieces ? 8 : Self.maximumPieces
        let duration = reach / Float(steps), share = 1 / Float(steps)
        var moved = ownLength >= P.stillMotion
        for step in 0..<steps {
            let t = duration * (Float(step) + 0.5)
            let over = tries ? addPassing(half, p, own: own, front: front, t, duration, share) : 0
            if over > 0 { moved = true }
            if over > P.opaque { continue }
            addOwn(half, p, own, t, duration, share * (1 - over))
        }
        isStill = !moved
    }

    /// Whether both frames show the block's content all along its path. True for most blocks, since their surroundings
    /// move alike.
    @inline(__always)
    private static func isUncovered(
        _ half: MotionLookup, _ p: SIMD2<Int32>, own: SIMD2<Int32>, reach: Float
    ) -> Bool {
        let from = place(p, own, reach), least = ExposureParameters.uncoveredTrust
        return half.trust(from, movesBy: own) > least && half.trustBack(from &+ own, cameBy: own) > least
            && half.trustBack(p &+ own, cameBy: own) > least
    }

    /// Plans an exposure that the frame itself shows completely: two points for a path of a few samples, otherwise one
    /// line of even weight.
    @inline(__always)
    private mutating func putCalm(_ own: SIMD2<Int32>, path: Float, reach: Float) {
        let steps = path < ExposureParameters.twoPieces ? 2 : 1
        let duration = reach / Float(steps), share = 1 / Float(steps)
        for step in 0..<steps {
            let t = duration * (Float(step) + 0.5)
            pieces[step] = ExposurePiece(vector: own, time: t, duration: duration, here: share, there: 0)
        }
        counts.own = steps
    }

    /// Adds a piece of content passing in front of the block, if there is any.
    ///
    /// - Returns: the weight of the piece, 0…1; 0 if nothing passes.
    @inline(__always)
    private mutating func addPassing(
        _ half: MotionLookup, _ p: SIMD2<Int32>, own: SIMD2<Int32>, front: SIMD2<Int32>, _ t: Float, _ duration: Float,
        _ share: Float
    ) -> Float {
        let piece = Self.passing(half, p, own: own, front: front, t: t)
        let over = piece.weight
        guard over > ExposureParameters.negligible else { return 0 }
        let vector = merged(piece.vector, Self.maximumPieces, counts.over, half.pixel)
        put(Self.maximumPieces + counts.over, vector, t, duration, share * over, piece.here, piece.there)
        counts.over += 1
        return over
    }

    /// Whether the four positions `distance` away from `p` on both axes move as `p` does.
    static func isEven(_ half: MotionLookup, around p: SIMD2<Int32>, distance: Int32) -> Bool {
        let own = half.motion(p), most = Int32(ExposureParameters.evenMotion / half.pixel)
        func isAlike(_ x: Int32, _ y: Int32) -> Bool { length(half.motion(p &+ SIMD2(x, y)) &- own) <= most }
        return isAlike(-distance, -distance) && isAlike(distance, -distance) && isAlike(-distance, distance)
            && isAlike(distance, distance)
    }

    /// Adds a piece of content that moves like the block or, if that has moved away, of the content uncovered in its
    /// place.
    @inline(__always)
    private mutating func addOwn(
        _ half: MotionLookup, _ p: SIMD2<Int32>, _ own: SIMD2<Int32>, _ t: Float, _ duration: Float, _ share: Float
    ) {
        let from = Self.place(p, own, t)
        let here = half.trust(from, movesBy: own), there = half.trustBack(from &+ own, cameBy: own)
        if here < ExposureParameters.lostTrust {
            let other = half.motion(from), start = Self.place(p, other, t)
            let a = half.trust(start, movesBy: other), b = half.trustBack(start &+ other, cameBy: other)
            if max(a, b) > max(here, there) {
                let vector = merged(other, 2 * Self.maximumPieces, counts.other, half.pixel)
                put(2 * Self.maximumPieces + counts.other, vector, t, duration, share, a, b)
                counts.other += 1
                return
            }
        }
        put(counts.own, own, t, duration, share, here, there)
        counts.own += 1
    }

    /// Returns the vector of the preceding piece if it is about the same, so that the two share a line.
    @inline(__always)
    private func merged(_ vector: SIMD2<Int32>, _ first: Int, _ count: Int, _ pixel: Float) -> SIMD2<Int32> {
        guard count > 0 else { return vector }
        let before = pieces[first + count - 1].vector
        return Float(Self.length(vector &- before)) * pixel < ExposureParameters.sharedLine ? before : vector
    }

    @inline(__always)
    private func put(
        _ index: Int, _ vector: SIMD2<Int32>, _ t: Float, _ duration: Float, _ share: Float, _ here: Float,
        _ there: Float
    ) {
        // The frame nearer in time gets more weight.
        let least = ExposureParameters.leastTrust
        let a = (here + least) * (1 - t), b = (there > 0 ? there + least : 0) * t
        pieces[index] = ExposurePiece(
            vector: vector, time: t, duration: duration, here: share * a / (a + b), there: share * b / (a + b))
    }

    /// Whether anything on the path of `front` moves differently.
    @inline(__always)
    private static func meets(
        _ half: MotionLookup, _ p: SIMD2<Int32>, own: SIMD2<Int32>, front: SIMD2<Int32>, reach: Float
    ) -> Bool {
        let longest = Float(length(front)) * reach
        // Probe the path once per cell.
        let steps = min(ExposureParameters.maximumProbes, max(1, Int(longest * (1 / 128) + 0.999)))
        for step in 1...steps {
            let at = place(p, front, reach * Float(step) / Float(steps))
            if Float(length(half.motion(at) &- own)) * half.pixel >= ExposureParameters.otherMotion { return true }
        }
        return false
    }

    /// Returns the content passing in front of the block at `t`; its weight is 0 if there is none.
    ///
    /// Content is in front if the neighbour shows it at a position that the block's own motion also leads to. So a
    /// still bar in front of a moving background is not blurred, since the background disappears behind it.
    @inline(__always)
    private static func passing(
        _ half: MotionLookup, _ p: SIMD2<Int32>, own: SIMD2<Int32>, front: SIMD2<Int32>, t: Float
    ) -> (vector: SIMD2<Int32>, weight: Float, here: Float, there: Float) {
        let guess = place(p, front, t)
        let vector = half.motion(guess)
        if Float(length(vector &- own)) * half.pixel < ExposureParameters.otherMotion {
            return (vector, 0, 0, 0)
        }
        let from = place(p, vector, t), to = from &+ vector
        let here = half.trust(from, movesBy: vector)
        if here < ExposureParameters.negligible { return (vector, 0, 0, 0) }
        let there = half.trustBack(to, cameBy: vector)
        let claimed = half.trust(to &- own, movesBy: own)
        return (vector, min(1, ExposureParameters.passingGain * here * there * claimed), here, there)
    }

    /// Returns the start of a motion that passes `p` at time `t`.
    @inline(__always)
    private static func place(_ p: SIMD2<Int32>, _ v: SIMD2<Int32>, _ t: Float) -> SIMD2<Int32> {
        let share = Int32(t * 1024)
        return p &- (v &* share) &>> 10
    }

    @inline(__always)
    private static func length(_ v: SIMD2<Int32>) -> Int32 { max(abs(v.x), abs(v.y)) }
}
