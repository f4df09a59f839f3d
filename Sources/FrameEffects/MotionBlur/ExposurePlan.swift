import Motion

/// A short piece of the exposure of one block: what passes over it then, and which pictures show it.
struct ExposurePiece: BitwiseCopyable {
    /// From the picture to the neighbour, in vector units of the field.
    var vector: SIMD2<Int32>
    /// Share of the way to the neighbour in the middle of the piece, and the length of the piece.
    var time: Float
    var duration: Float
    /// Weights of the picture and of the neighbour.
    var here: Float
    var there: Float
}

/// Divides one half of the exposure of a block into pieces.
struct ExposurePlan {
    static let maximumPieces = 16
    static let capacity = 3 * maximumPieces
    /// Pieces of the block's own motion, from ``maximumPieces`` on those of what passes in front of it, and from twice
    /// that on those of what is found where its own motion has left it.
    let pieces: UnsafeMutablePointer<ExposurePiece>
    private(set) var counts = (own: 0, over: 0, other: 0)
    /// Whether nothing moves.
    private(set) var isStill = false
    /// Whether all along the way moves alike.
    private(set) var isCalm = false

    /// - Parameter pieces: room for ``capacity``.
    init(pieces: UnsafeMutablePointer<ExposurePiece>) { self.pieces = pieces }

    /// - Parameters:
    ///   - p: centre of the block, as by ``MotionVectorField/sample(x:y:)``.
    ///   - reach: length of the half in frames, 0…0.5.
    mutating func make(_ half: MotionLookup, at p: SIMD2<Int32>, reach: Float) {
        counts = (0, 0, 0)
        isCalm = false
        let own = half.motion(p), front = half.passing(p), pixel = half.pixel
        let ownLength = Float(Self.length(own)) * pixel
        let apart = Float(Self.length(own &- front)) * pixel
        let tries = apart > 2 && half.hasNeighbour && Self.meets(half, p, own: own, front: front, reach: reach)
        isStill = ownLength < 0.25 && !tries
        if isStill { return }
        let path = max(ownLength, tries ? apart : 0) * reach
        if !tries, Self.isUncovered(half, p, own: own, reach: reach) {
            isCalm = true
            putCalm(own, path: path, reach: reach)
            return
        }
        let steps = path < 3 ? 2 : path < 12 ? 4 : path < 40 ? 8 : 16
        let duration = reach / Float(steps), share = 1 / Float(steps)
        var moved = ownLength >= 0.25
        for step in 0..<steps {
            let t = duration * (Float(step) + 0.5)
            let over = tries ? addPassing(half, p, own: own, front: front, t, duration, share) : 0
            if over > 0 { moved = true }
            if over > 0.98 { continue }
            addOwn(half, p, own, t, duration, share * (1 - over))
        }
        isStill = !moved
    }

    /// Whether what the block shows is seen in both pictures all along its way: most blocks, since all around moves alike.
    @inline(__always)
    private static func isUncovered(
        _ half: MotionLookup, _ p: SIMD2<Int32>, own: SIMD2<Int32>, reach: Float
    ) -> Bool {
        let from = place(p, own, reach)
        return half.trust(from, movesBy: own) > 0.5 && half.trustBack(from &+ own, cameBy: own) > 0.5
            && half.trustBack(p &+ own, cameBy: own) > 0.5
    }

    /// The picture itself shows all of it. A way of less than a few samples takes two points, a longer one is a line of even
    /// weight.
    @inline(__always)
    private mutating func putCalm(_ own: SIMD2<Int32>, path: Float, reach: Float) {
        let steps = path < 3 ? 2 : 1, duration = reach / Float(steps), share = 1 / Float(steps)
        for step in 0..<steps {
            let t = duration * (Float(step) + 0.5)
            pieces[step] = ExposurePiece(vector: own, time: t, duration: duration, here: share, there: 0)
        }
        counts.own = steps
    }

    /// What passes in front of the block, if anything does.
    ///
    /// - Returns: its weight.
    @inline(__always)
    private mutating func addPassing(
        _ half: MotionLookup, _ p: SIMD2<Int32>, own: SIMD2<Int32>, front: SIMD2<Int32>, _ t: Float, _ duration: Float,
        _ share: Float
    ) -> Float {
        let piece = Self.passing(half, p, own: own, front: front, t: t)
        let over = piece.weight
        guard over > 0.02 else { return 0 }
        let vector = merged(piece.vector, Self.maximumPieces, counts.over, half.pixel)
        put(Self.maximumPieces + counts.over, vector, t, duration, share * over, piece.here, piece.there)
        counts.over += 1
        return over
    }

    /// Whether the four places `distance` away from `p` on both axes move as it does.
    static func isEven(_ half: MotionLookup, around p: SIMD2<Int32>, distance: Int32) -> Bool {
        let own = half.motion(p), most = Int32(0.4 / half.pixel)
        func isAlike(_ x: Int32, _ y: Int32) -> Bool { length(half.motion(p &+ SIMD2(x, y)) &- own) <= most }
        return isAlike(-distance, -distance) && isAlike(distance, -distance) && isAlike(-distance, distance)
            && isAlike(distance, distance)
    }

    /// What moves like the block itself, or, where that has left it, what is found there instead.
    @inline(__always)
    private mutating func addOwn(
        _ half: MotionLookup, _ p: SIMD2<Int32>, _ own: SIMD2<Int32>, _ t: Float, _ duration: Float, _ share: Float
    ) {
        let from = Self.place(p, own, t)
        let here = half.trust(from, movesBy: own), there = half.trustBack(from &+ own, cameBy: own)
        if here < 0.3 {
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

    /// The vector of the piece before, if it is about the same: one line serves both then.
    @inline(__always)
    private func merged(_ vector: SIMD2<Int32>, _ first: Int, _ count: Int, _ pixel: Float) -> SIMD2<Int32> {
        guard count > 0 else { return vector }
        let before = pieces[first + count - 1].vector
        return Float(Self.length(vector &- before)) * pixel < 0.75 ? before : vector
    }

    @inline(__always)
    private func put(
        _ index: Int, _ vector: SIMD2<Int32>, _ t: Float, _ duration: Float, _ share: Float, _ here: Float,
        _ there: Float
    ) {
        // The nearer in time counts for more.
        let a = (here + 0.001) * (1 - t), b = (there > 0 ? there + 0.001 : 0) * t
        pieces[index] = ExposurePiece(
            vector: vector, time: t, duration: duration, here: share * a / (a + b), there: share * b / (a + b))
    }

    /// Whether anything of another motion lies on the way of `front`.
    @inline(__always)
    private static func meets(
        _ half: MotionLookup, _ p: SIMD2<Int32>, own: SIMD2<Int32>, front: SIMD2<Int32>, reach: Float
    ) -> Bool {
        let longest = Float(length(front)) * reach
        // A cell apart.
        let steps = min(16, max(1, Int(longest * (1 / 128) + 0.999)))
        for step in 1...steps {
            let at = place(p, front, reach * Float(step) / Float(steps))
            if Float(length(half.motion(at) &- own)) * half.pixel >= 1.5 { return true }
        }
        return false
    }

    /// What passes in front of the block at `t`, if anything, and how surely.
    ///
    /// It is in front where the neighbour shows it in a place that the block's own motion claims as well: a bar that
    /// stands before a moving background is left alone, since the background goes hidden behind it.
    @inline(__always)
    private static func passing(
        _ half: MotionLookup, _ p: SIMD2<Int32>, own: SIMD2<Int32>, front: SIMD2<Int32>, t: Float
    ) -> (vector: SIMD2<Int32>, weight: Float, here: Float, there: Float) {
        let guess = place(p, front, t)
        let vector = half.motion(guess)
        if Float(length(vector &- own)) * half.pixel < 1.5 { return (vector, 0, 0, 0) }
        let from = place(p, vector, t), to = from &+ vector
        let here = half.trust(from, movesBy: vector)
        if here < 0.02 { return (vector, 0, 0, 0) }
        let there = half.trustBack(to, cameBy: vector)
        let claimed = half.trust(to &- own, movesBy: own)
        return (vector, min(1, 1.3 * here * there * claimed), here, there)
    }

    /// Where a motion through `p` at `t` began.
    @inline(__always)
    private static func place(_ p: SIMD2<Int32>, _ v: SIMD2<Int32>, _ t: Float) -> SIMD2<Int32> {
        let share = Int32(t * 1024)
        return p &- (v &* share) &>> 10
    }

    @inline(__always)
    private static func length(_ v: SIMD2<Int32>) -> Int32 { max(abs(v.x), abs(v.y)) }
}
