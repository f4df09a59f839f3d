/// Parameters of light and blur compensation. Values without a source were chosen by hand, November 2026.
private enum CompensationParameters {
    /// Minimum difference of mean luma, in 1/4 of an 8-bit level, at which light is compensated.
    static let meanDifference: Int32 = 8
    /// Minimum difference of contrast at which light is compensated: one part in this many of the larger one.
    static let contrastParts: Int32 = 8
    /// Smallest gain, in 1/256: a frame keeps at least three fifths of its contrast.
    static let smallestGain: Int32 = 154
    /// Added to both contrasts before their ratio is taken, in 1/4 of an 8-bit level.
    static let contrastOffset: Int32 = 4
    /// Minimum difference of sharpness along an axis at which blur is compensated: one part in this many of the larger
    /// one.
    static let sharpnessParts: Int32 = 4
    /// Radii of the box blurs that are tried in turn, in cells.
    static var radii: [Int] { [1, 2, 4, 8, 12] }
    /// Sharpness, in quarters of the other frame's, at which the blur is strong enough.
    static let enoughQuarters: Int32 = 5
    /// Minimum structure that histogram matching must leave, as one part in this many of both frames'. Adjusted by hand
    /// on the joined scenes of `Tests/Measurements/SceneCuts`, 2026-11-21.
    static let structureParts: Int64 = 8
    /// Minimum structure that histogram matching must leave in each cell of both frames, in 1/4 of an 8-bit level: two
    /// levels. Adjusted by hand on the joined scenes of `Tests/Measurements/SceneCuts`, 2026-11-21.
    static let structurePerCell: Int64 = 4 * 2
}

/// Parameters of local contrast normalization. Adjusted by hand on the joined scenes of `Tests/Measurements/SceneCuts`,
/// 2026-11-21.
private enum NormalizationParameters {
    /// Cells in each direction that count as a cell's surroundings.
    static let surroundings = 5
    /// Contrast below which cells are noise rather than structure, in 1/4 of an 8-bit level.
    static let noise: Int32 = 10
    /// Value of a cell that differs from its surroundings by the mean difference there.
    static let unit: Int32 = 128
    /// Value of a cell that is like its surroundings: the middle of 0…1020.
    static let middle: Int32 = 510
}

/// Parameters of a change of lighting. Values without a source were chosen by hand, November 2026.
enum LightingParameters {
    /// Minimum change of mean luma, in 1/4 of an 8-bit level.
    static let minimumShift: Int32 = 24
    /// Share of cells that may change in the opposite direction, because they move: one in this many.
    static let exceptionParts = 8
    /// Change of a cell in the opposite direction that is ignored, in 1/4 of an 8-bit level.
    static let ignoredChange: Int16 = 12
    /// Further change of a cell in the opposite direction that is ignored: one part in this many of its luma. Adjusted
    /// by hand on the joined scenes of `Tests/Measurements/SceneCuts`, 2026-11-21.
    static let ignoredParts: Int16 = 16
}

/// Returns versions of two frames in which the light or the blur of one is matched to the other, to undo what flicker,
/// a fade or a fast pan changes.
func compensatedPairs(_ a: FrameSignature, _ b: FrameSignature) -> [(ComparedFrame, ComparedFrame)] {
    let (sideA, sideB) = (ComparedFrame(a), ComparedFrame(b))
    var pairs: [(ComparedFrame, ComparedFrame)] = []
    let (p, q) = (a.statistics, b.statistics)
    // Light: the frame with more contrast is reduced to the other's, which can lose structure but not invent it.
    if abs(p.mean - q.mean) >= CompensationParameters.meanDifference
        || abs(p.spread - q.spread) * CompensationParameters.contrastParts >= max(p.spread, q.spread)
    {
        let (least, offset) = (CompensationParameters.smallestGain, CompensationParameters.contrastOffset)
        if q.spread <= p.spread {
            let gain = max(least, 256 * (q.spread + offset) / (p.spread + offset))
            pairs.append((sideA.with(a.luma.adjusted(from: p.mean, gain: gain, to: q.mean)), sideB))
        } else {
            let gain = max(least, 256 * (p.spread + offset) / (q.spread + offset))
            pairs.append((sideA, sideB.with(b.luma.adjusted(from: q.mean, gain: gain, to: p.mean))))
        }
    }
    // Blur: the sharper frame is blurred along the axis on which it is sharper.
    for horizontally in [true, false] {
        let (gradientA, gradientB) = horizontally ? (p.gradientX, q.gradientX) : (p.gradientY, q.gradientY)
        guard abs(gradientA - gradientB) * CompensationParameters.sharpnessParts > max(gradientA, gradientB) else {
            continue
        }
        let goal = min(gradientA, gradientB)
        let original = gradientA > gradientB ? a.luma : b.luma
        var blurred = original
        for radius in CompensationParameters.radii {
            blurred = original.boxBlurred(radius: radius, horizontally: horizontally)
            let statistics = LumaStatistics(blurred)
            let sharpness = horizontally ? statistics.gradientX : statistics.gradientY
            if sharpness <= goal * CompensationParameters.enoughQuarters / 4 { break }
        }
        pairs.append(gradientA > gradientB ? (sideA.with(blurred), sideB) : (sideA, sideB.with(blurred)))
    }
    return pairs
}

/// Returns versions of two frames in which the histogram of one is matched to that of the other; none unless one frame
/// is clearly brighter all over. A flash clips, so no gain would make the frames alike.
func histogramMatchedPairs(_ a: FrameSignature, _ b: FrameSignature) -> [(ComparedFrame, ComparedFrame)] {
    guard LightingChange(of: a, over: b) != nil || LightingChange(of: b, over: a) != nil else { return [] }
    let pairs = [(a.luma.matched(to: b.luma), b.luma), (a.luma, b.luma.matched(to: a.luma))]
    let share = (a.activity.sum + b.activity.sum) / CompensationParameters.structureParts
    let least = Int64(a.blocks.count) * 2 * 64 * CompensationParameters.structurePerCell
    return pairs.compactMap { first, second in
        let (x, y) = (ComparedFrame(a).relit(first).withoutChroma, ComparedFrame(b).relit(second).withoutChroma)
        // A blown-out frame has no structure left to compare.
        return x.activity.sum + y.activity.sum > max(share, least) ? (x, y) : nil
    }
}

extension DownscaledPlane {
    /// Returns the grid with local contrast normalized: what a frame shows apart from its lighting.
    ///
    /// A flash, a fade, flicker or a lamp that lights part of the frame changes the local mean and the local contrast.
    /// Both are removed here; edges and texture stay where they are. A value is the difference from the local mean
    /// divided by the mean of such differences nearby, scaled to 128 and centred on 510.
    func locallyNormalized() -> DownscaledPlane {
        let radius = NormalizationParameters.surroundings
        let mean = boxBlurred(radius: radius, horizontally: true).boxBlurred(radius: radius, horizontally: false)
        var off = self
        for i in values.indices {
            off.values[i] = Int16(truncatingIfNeeded: abs(Int32(values[i]) - Int32(mean.values[i])))
        }
        let scale = off.boxBlurred(radius: radius, horizontally: true).boxBlurred(radius: radius, horizontally: false)
        for i in values.indices {
            let difference = Int32(values[i]) - Int32(mean.values[i])
            let normal =
                difference * NormalizationParameters.unit / (Int32(scale.values[i]) + NormalizationParameters.noise)
            off.values[i] = Int16(truncatingIfNeeded: max(0, min(1020, NormalizationParameters.middle + normal)))
        }
        return off
    }

    /// Returns the grid with its histogram matched to that of `other`; the order of brightness is kept.
    func matched(to other: DownscaledPlane) -> DownscaledPlane {
        func counts(_ grid: DownscaledPlane) -> [Int] {
            var counts = [Int](repeating: 0, count: 1024)
            for value in grid.values { counts[Int(max(0, min(1023, value)))] += 1 }
            return counts
        }
        let (own, wanted) = (counts(self), counts(other))
        var table = [Int16](repeating: 0, count: 1024)
        var (level, reached, below) = (0, wanted[0], 0)
        for value in 0..<1024 {
            // All cells of a level take the value at the middle of their rank, so a flat area stays flat.
            let middle = below + own[value] / 2
            while reached <= middle, level < 1023 {
                level += 1
                reached += wanted[level]
            }
            table[value] = Int16(level)
            below += own[value]
        }
        var out = self
        for index in out.values.indices { out.values[index] = table[Int(max(0, min(1023, values[index])))] }
        return out
    }
}

/// A change of lighting over the whole frame, as in a flash or a blackout: nearly all cells change in the same
/// direction.
enum LightingChange: Sendable {
    case brighter
    case darker

    /// Returns the change from `plain` to `lit`; nil if `lit` is not `plain` in brighter or dimmer light.
    init?(of lit: FrameSignature, over plain: FrameSignature) {
        guard lit.luma.values.count == plain.luma.values.count else { return nil }
        let allowed = lit.luma.values.count / LightingParameters.exceptionParts
        let shift = LightingParameters.minimumShift
        func ignored(_ value: Int16) -> Int16 {
            LightingParameters.ignoredChange &+ value / LightingParameters.ignoredParts
        }
        let rise = lit.statistics.mean - plain.statistics.mean
        if rise > shift {
            var darker = 0
            for (p, q) in zip(lit.luma.values, plain.luma.values) where p < q &- ignored(q) { darker += 1 }
            guard darker <= allowed else { return nil }
            self = .brighter
        } else if rise < -shift {
            var brighter = 0
            for (p, q) in zip(lit.luma.values, plain.luma.values) where p > q &+ ignored(q) { brighter += 1 }
            guard brighter <= allowed else { return nil }
            self = .darker
        } else {
            return nil
        }
    }

    /// Returns the change from both frames to `lit`; nil if the two changes differ or there is no change.
    init?(of lit: FrameSignature, over first: FrameSignature, and second: FrameSignature) {
        guard let change = LightingChange(of: lit, over: first), LightingChange(of: lit, over: second) == change else {
            return nil
        }
        self = change
    }
}

extension [Int32] {
    fileprivate var sum: Int64 { reduce(0) { $0 + Int64($1) } }
}
