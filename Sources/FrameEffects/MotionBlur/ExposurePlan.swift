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
    /// Pieces, two for each stretch of time at most.
    let pieces: UnsafeMutablePointer<ExposurePiece>
    private(set) var count = 0
    /// Whether nothing moves.
    private(set) var isStill = false

    /// - Parameter pieces: room for `2 * maximumPieces`.
    init(pieces: UnsafeMutablePointer<ExposurePiece>) { self.pieces = pieces }

    /// - Parameters:
    ///   - p: centre of the block, as by ``CellField/sample(x:y:)``.
    ///   - reach: length of the half in frames, 0…0.5.
    mutating func make(_ half: HalfExposure, at p: SIMD2<Int32>, reach: Float) {
        count = 0
        let own = half.motion(p), front = half.passing(x: p.x, y: p.y), pixel = half.pixel
        let ownLength = Float(Self.length(own)) * pixel
        let apart = Float(Self.length(own &- front)) * pixel
        let tries = apart > 2 && half.back != nil && K0 == 0
        isStill = ownLength < 0.25 && !tries
        if isStill { return }
        let path = max(ownLength, tries ? apart : 0) * reach
        let steps = path < 1 ? 2 : path < 4 ? 4 : path < 16 ? 8 : 16
        let duration = reach / Float(steps), share = 1 / Float(steps)
        var moved = ownLength >= 0.25
        if !tries {
            // Most blocks: all around moves alike.
            let from = Self.place(p, own, reach)
            if half.trust(from, movesBy: own) > 0.85, half.trustBack(from &+ own, cameBy: own) > 0.85,
                half.trustBack(p &+ own, cameBy: own) > 0.85
            {
                for step in 0..<steps {
                    let t = duration * (Float(step) + 0.5)
                    pieces[step] = ExposurePiece(
                        vector: own, time: t, duration: duration, here: share * (1 - t), there: share * t)
                }
                count = steps
                return
            }
        }
        for step in 0..<steps {
            let t = duration * (Float(step) + 0.5)
            var over: Float = 0
            if tries {
                let piece = Self.passing(half, p, own: own, front: front, t: t)
                over = piece.weight
                if over > 0.02 {
                    moved = true
                    add(piece.vector, t, duration, share * over, piece.here, piece.there)
                } else {
                    over = 0
                }
            }
            if over > 0.98 { continue }
            addOwn(half, p, own, t, duration, share * (1 - over))
        }
        if !moved { isStill = true }
    }

    /// What moves like the block itself, or, where that has left it, what is found there instead.
    @inline(__always)
    private mutating func addOwn(
        _ half: HalfExposure, _ p: SIMD2<Int32>, _ own: SIMD2<Int32>, _ t: Float, _ duration: Float, _ share: Float
    ) {
        let from = Self.place(p, own, t)
        var vector = own, here = half.trust(from, movesBy: own), there = half.trustBack(from &+ own, cameBy: own)
        if here < 0.3 {
            let other = half.motion(from), start = Self.place(p, other, t)
            let a = half.trust(start, movesBy: other), b = half.trustBack(start &+ other, cameBy: other)
            if max(a, b) > max(here, there) {
                vector = other
                here = a
                there = b
            }
        }
        add(vector, t, duration, share, here, there)
    }

    private mutating func add(
        _ vector: SIMD2<Int32>, _ t: Float, _ duration: Float, _ share: Float, _ here: Float, _ there: Float
    ) {
        // The nearer in time counts for more.
        let a = (here + 0.001) * (1 - t), b = (there > 0 ? there + 0.001 : 0) * t
        let isLost = max(here, there) < K1
        pieces[count] = ExposurePiece(
            vector: isLost ? .zero : vector, time: t, duration: duration, here: share * a / (a + b),
            there: share * b / (a + b))
        count += 1
    }

    /// What passes in front of the block at `t`, if anything, and how surely.
    ///
    /// It is in front where the neighbour shows it in a place that the block's own motion claims as well: a bar that
    /// stands before a moving background is left alone, since the background goes hidden behind it.
    @inline(__always)
    private static func passing(
        _ half: HalfExposure, _ p: SIMD2<Int32>, own: SIMD2<Int32>, front: SIMD2<Int32>, t: Float
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

import Foundation
let K0 = Float(ProcessInfo.processInfo.environment["K0"] ?? "0")!
let K1 = Float(ProcessInfo.processInfo.environment["K1"] ?? "0")!
let K2 = Float(ProcessInfo.processInfo.environment["K2"] ?? "0")!
let K3 = Float(ProcessInfo.processInfo.environment["K3"] ?? "0")!
