/// Parameters of the match of two frames. Values without a source were chosen by hand, November 2026.
private enum MatchParameters {
    /// Largest distance from each centre at which a block is searched for, in cells (of 128 along the longer side).
    static let radius = 8
    /// Mismatch above which light and blur are compensated and structure is compared, 0…1.
    static let explained: Float = 0.25
    /// Largest mismatch after compensation, as a share of the mismatch before, that counts as an explanation:
    /// compensation makes any two frames a little more alike. Adjusted by hand on the joined scenes of
    /// `Tests/Measurements/SceneCuts`, 2026-11-21.
    static let compensatedShare: Float = 0.85
    /// Mismatch above which histograms are matched, 0…1. Adjusted by hand on the joined scenes of
    /// `Tests/Measurements/SceneCuts`, 2026-11-21.
    static let histogramMismatch: Float = 0.45
    /// Largest mismatch after histogram matching that counts as an explanation, 0…1. Adjusted by hand on the joined
    /// scenes of `Tests/Measurements/SceneCuts`, 2026-11-21.
    static let matchedMismatch: Float = 0.5
    /// Largest mismatch after histogram matching, as a share of the mismatch before, that counts as an explanation.
    /// Adjusted by hand on the joined scenes of `Tests/Measurements/SceneCuts`, 2026-11-21.
    static let matchedShare: Float = 0.75
    /// Shortest side of the grid, in cells, at which structure is compared with lighting removed: with fewer cells,
    /// lighting makes up most of the grid.
    static let structureSide = 24
    /// Difference of a block that noise and rounding alone can cause, in 1/4 of an 8-bit level: one level in each of
    /// its 64 cells.
    static let noise: Int32 = 64 * 4
    /// The search for a block ends at a cost of the block's activity divided by this, plus ``goodEnoughOffset``.
    static let goodEnoughParts: Int32 = 8
    /// Cost that ends the search of any block, in 1/4 of an 8-bit level: a quarter of a level in each cell.
    static let goodEnoughOffset: Int32 = 64
    /// Divisor of the weight of a block that the motion of the whole frame carries out of the frame.
    static let leavingParts: Int32 = 4
    /// Weight of a chroma difference against a luma difference.
    static let chromaWeight: Int32 = 2
}

/// How well motion explains two frames by each other.
struct PairMatch: Sendable {
    /// Share of the first frame's structure that is not found in the second frame, 0…1.
    var forward: Float = 0
    /// Share of the second frame's structure that is not found in the first frame, 0…1.
    var backward: Float = 0
    /// Mean luma and chroma difference after motion compensation, in 8-bit levels, in the direction where it is
    /// smaller.
    var residual: Float = 0
    /// Mean absolute luma difference without motion compensation, in 8-bit levels.
    var difference: Float = 0
    /// Half the L1 distance of the histograms, 0…1.
    var histogramDistance: Float = 0
    /// Whether both frames are black and white, so that colour is no evidence.
    var isColorless = false
    /// Share of structure that is not found, 0…1, in each direction, after lighting has been removed from both frames;
    /// 0 when it was not measured.
    var structure: (forward: Float, backward: Float) = (0, 0)
    /// The motion of the whole frame as a share of the frame's side, on the axis where it is larger.
    var travel: Float = 0

    /// Mismatch: the mean of both directions, 0…1.
    var mean: Float { (forward + backward) / 2 }
    /// The smaller of both directions, 0…1.
    var low: Float { min(forward, backward) }
    /// Structural mismatch: the mean of both directions of ``structure``, 0…1.
    var structureMean: Float { (structure.forward + structure.backward) / 2 }
}

extension PairMatch {
    /// Compares two frames. Frames of different sizes do not match at all.
    init(_ a: FrameSignature, _ b: FrameSignature) {
        guard a.luma.width == b.luma.width, a.luma.height == b.luma.height else {
            (forward, backward, residual, difference, histogramDistance) = (1, 1, 255, 255, 1)
            return
        }
        isColorless = a.isColorless && b.isColorless
        difference = meanDifference(a.luma, b.luma)
        histogramDistance = histogramDifference(a.histogram, b.histogram, isColorless: isColorless)
        let (sideA, sideB) = (ComparedFrame(a), ComparedFrame(b))
        var best = Self.explain(sideA, sideB)
        let plain = best.mean
        if plain > MatchParameters.explained {
            for (p, q) in compensatedPairs(a, b) {
                let other = Self.explain(p, q)
                if other.mean < min(MatchParameters.compensatedShare * plain, best.mean) { best = other }
            }
        }
        if best.mean > MatchParameters.histogramMismatch {
            for (p, q) in histogramMatchedPairs(a, b) {
                let other = Self.explain(p, q)
                if other.mean < min(MatchParameters.matchedMismatch, MatchParameters.matchedShare * plain, best.mean) {
                    best = other
                }
            }
        }
        if plain > MatchParameters.explained, min(a.luma.width, a.luma.height) >= MatchParameters.structureSide {
            let (x, y) = (
                sideA.relit(a.luma.locallyNormalized()).withoutChroma,
                sideB.relit(b.luma.locallyNormalized()).withoutChroma
            )
            let match = Self.explain(x, y)
            structure = (match.forward, match.backward)
        }
        (forward, backward, residual, travel) = (best.forward, best.backward, best.residual, best.travel)
    }

    private typealias Explanation = (forward: Float, backward: Float, residual: Float, travel: Float, mean: Float)

    private static func explain(_ a: ComparedFrame, _ b: ComparedFrame) -> Explanation {
        let motion = globalMotion(from: a.coarse, to: b.coarse, factor: coarseFactor)
        let forward = unexplained(a, b, motion)
        let backward = unexplained(b, a, .zero &- motion)
        let travel = max(
            Float(abs(motion.x)) / Float(max(1, a.luma.width)), Float(abs(motion.y)) / Float(max(1, a.luma.height)))
        return (
            forward.share, backward.share, min(forward.residual, backward.residual), travel,
            (forward.share + backward.share) / 2
        )
    }

    /// Searches for each block of `a` in `b`.
    ///
    /// - Returns: the share of structure that is not found, and the mean difference in 8-bit levels.
    private static func unexplained(
        _ a: ComparedFrame, _ b: ComparedFrame, _ motion: SIMD2<Int>
    ) -> (share: Float, residual: Float) {
        let centers: [SIMD2<Int>] = motion == .zero ? [.zero] : [.zero, motion]
        let sums = b.luma.blockSums
        var (costs, weights): (Int64, Int64) = (0, 0)
        var block = 0
        for y in a.blocks.ys {
            for x in a.blocks.xs {
                let activity = a.activity[block]
                block += 1
                let goodEnough = activity / MatchParameters.goodEnoughParts + MatchParameters.goodEnoughOffset
                guard
                    let match = b.luma.bestMatch(
                        of: a.luma, x: x, y: y, centers: centers, radius: MatchParameters.radius,
                        goodEnough: goodEnough, sums: sums)
                else { continue }
                // A block that the global motion carries out of the frame is little evidence either way.
                let (tx, ty) = (x + motion.x, y + motion.y)
                let leaves = tx < 0 || ty < 0 || tx > a.luma.width - blockSide || ty > a.luma.height - blockSide
                var cost = match.cost
                if let chromaA = a.chroma, let chromaB = b.chroma {
                    cost += chromaCost(chromaA, chromaB, x: x, y: y, vector: match.vector)
                }
                let weight = max(cost, activity + MatchParameters.noise)
                if leaves {
                    costs += Int64(cost / MatchParameters.leavingParts)
                    weights += Int64(weight / MatchParameters.leavingParts)
                } else {
                    costs += Int64(cost)
                    weights += Int64(weight)
                }
            }
        }
        let cells = Float(max(1, a.blocks.count * blockSide * blockSide))
        return (Float(costs) / Float(max(1, weights)), Float(costs) / cells / 4)
    }

    private static func chromaCost(
        _ a: (u: DownscaledPlane, v: DownscaledPlane), _ b: (u: DownscaledPlane, v: DownscaledPlane), x: Int, y: Int,
        vector: SIMD2<Int>
    ) -> Int32 {
        let (w, h) = (a.u.width, a.u.height)
        let (ax, ay) = (min(x / 2, w - 4), min(y / 2, h - 4))
        let (bx, by) = (max(0, min((x + vector.x) / 2, w - 4)), max(0, min((y + vector.y) / 2, h - 4)))
        func sum(_ p: DownscaledPlane, _ q: DownscaledPlane) -> Int32 {
            p.values.withUnsafeBufferPointer { p in
                q.values.withUnsafeBufferPointer { q in
                    var sum: Int32 = 0
                    for j in 0..<4 {
                        for i in 0..<4 {
                            sum &+= abs(Int32(p[(ay &+ j) &* w &+ ax &+ i]) &- Int32(q[(by &+ j) &* w &+ bx &+ i]))
                        }
                    }
                    return sum
                }
            }
        }
        return MatchParameters.chromaWeight * (sum(a.u, b.u) + sum(a.v, b.v))
    }
}

/// A frame in the form in which it is compared.
struct ComparedFrame {
    var luma: DownscaledPlane
    var coarse: DownscaledPlane
    var chroma: (u: DownscaledPlane, v: DownscaledPlane)?
    let blocks: BlockLayout
    var activity: [Int32]

    init(_ signature: FrameSignature) {
        luma = signature.luma
        coarse = signature.coarse
        chroma = signature.chroma
        blocks = signature.blocks
        activity = signature.activity
    }

    /// Returns the frame with different luma. Its structure remains that of the original.
    func with(_ luma: DownscaledPlane) -> ComparedFrame {
        var copy = self
        copy.luma = luma
        copy.coarse = luma.reduced(by: coarseFactor)
        return copy
    }

    /// The frame without chroma, since a flash changes colours too.
    var withoutChroma: ComparedFrame {
        var copy = self
        copy.chroma = nil
        return copy
    }

    /// Returns the frame with different luma and the structure of that luma, without chroma.
    func relit(_ luma: DownscaledPlane) -> ComparedFrame {
        var copy = with(luma)
        copy.activity = blockActivity(luma: luma, chroma: nil, layout: blocks)
        return copy
    }
}

private func meanDifference(_ a: DownscaledPlane, _ b: DownscaledPlane) -> Float {
    var sum = 0
    for (p, q) in zip(a.values, b.values) { sum &+= abs(Int(p) &- Int(q)) }
    return Float(sum) / Float(4 * max(1, a.values.count))
}

/// Returns half the L1 distance of two histograms, 0…1: the mean of luma and chroma, or only luma for black and white.
private func histogramDifference(_ a: [UInt16], _ b: [UInt16], isColorless: Bool) -> Float {
    let bins = isColorless ? lumaBins : a.count
    var sum = 0
    for (p, q) in zip(a.prefix(bins), b.prefix(bins)) { sum += abs(Int(p) - Int(q)) }
    return Float(sum) / (isColorless ? 8192 : 16384)
}
