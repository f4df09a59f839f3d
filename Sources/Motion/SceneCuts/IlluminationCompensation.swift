/// Versions of the two pictures made alike in what a flicker, a fade or the blur of a fast pan changes.
func compensatedPairs(_ a: FrameSignature, _ b: FrameSignature) -> [(ComparedFrame, ComparedFrame)] {
    let (sideA, sideB) = (ComparedFrame(a), ComparedFrame(b))
    var pairs: [(ComparedFrame, ComparedFrame)] = []
    let (p, q) = (a.statistics, b.statistics)
    // Light: the brighter picture is brought down to the darker, which can lose but not invent structure.
    if abs(p.mean - q.mean) >= 8 || abs(p.spread - q.spread) * 8 >= max(p.spread, q.spread) {
        if q.spread <= p.spread {
            let gain = max(154, 256 * (q.spread + 4) / (p.spread + 4))
            pairs.append((sideA.with(a.luma.adjusted(from: p.mean, gain: gain, to: q.mean)), sideB))
        } else {
            let gain = max(154, 256 * (p.spread + 4) / (q.spread + 4))
            pairs.append((sideA, sideB.with(b.luma.adjusted(from: q.mean, gain: gain, to: p.mean))))
        }
    }
    // Blur: the sharper picture is blurred along the axis on which it is sharper.
    for horizontally in [true, false] {
        let (gradientA, gradientB) = horizontally ? (p.gradientX, q.gradientX) : (p.gradientY, q.gradientY)
        guard abs(gradientA - gradientB) * 4 > max(gradientA, gradientB) else { continue }
        let goal = min(gradientA, gradientB)
        let original = gradientA > gradientB ? a.luma : b.luma
        var blurred = original
        for radius in [1, 2, 4, 8, 12] {
            blurred = original.boxBlurred(radius: radius, horizontally: horizontally)
            let statistics = LumaStatistics(blurred)
            if (horizontally ? statistics.gradientX : statistics.gradientY) <= goal * 5 / 4 { break }
        }
        pairs.append(gradientA > gradientB ? (sideA.with(blurred), sideB) : (sideA, sideB.with(blurred)))
    }
    return pairs
}

/// Versions of the two pictures with one's histogram matched to the other's, where one has clearly more all over: a
/// flash clips, so that no gain makes them alike.
func histogramMatchedPairs(_ a: FrameSignature, _ b: FrameSignature) -> [(ComparedFrame, ComparedFrame)] {
    guard LightingChange(of: a, over: b) != nil || LightingChange(of: b, over: a) != nil else { return [] }
    let pairs = [(a.luma.matched(to: b.luma), b.luma), (a.luma, b.luma.matched(to: a.luma))]
    let (total, least) = (a.activity.sum + b.activity.sum, Int64(a.blocks.count) * 2 * 64 * 4 * 2)
    return pairs.compactMap { first, second in
        let (x, y) = (ComparedFrame(a).relit(first).withoutChroma, ComparedFrame(b).relit(second).withoutChroma)
        // What is burnt out altogether shows nothing that could be the same.
        return x.activity.sum + y.activity.sum > max(total / 8, least) ? (x, y) : nil
    }
}

extension DownscaledPlane {
    /// Cells that count as a cell's surroundings, each way.
    private static let surroundings = 5
    /// Contrast below which cells are noise rather than structure, in 1/4 of an 8-bit level.
    private static let noise: Int32 = 10

    /// Local contrast normalization: what a picture shows apart from its lighting, every cell against its surroundings.
    ///
    /// A flash, a fade, flicker or a lamp that lights a part of the picture changes the local mean and the local contrast,
    /// and both are taken out here; edges and texture stay where they are. Values are the difference from the local mean
    /// over the local mean difference, 128 for one such, about 510.
    func locallyNormalized() -> DownscaledPlane {
        let radius = Self.surroundings
        let mean = boxBlurred(radius: radius, horizontally: true).boxBlurred(radius: radius, horizontally: false)
        var off = self
        for i in values.indices {
            off.values[i] = Int16(truncatingIfNeeded: abs(Int32(values[i]) - Int32(mean.values[i])))
        }
        let scale = off.boxBlurred(radius: radius, horizontally: true).boxBlurred(radius: radius, horizontally: false)
        for i in values.indices {
            let normal = (Int32(values[i]) - Int32(mean.values[i])) * 128 / (Int32(scale.values[i]) + Self.noise)
            off.values[i] = Int16(truncatingIfNeeded: max(0, min(1020, 510 + normal)))
        }
        return off
    }

    /// The cells with their order of brightness kept and the other grid's distribution of values.
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
            // The middle of the run of equal cells decides, so that a flat area keeps one value.
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

/// A change of lighting over the whole picture, as by a flash (or a black-out): nearly all cells change the same way.
enum LightingChange: Sendable {
    case brighter
    case darker

    /// Least change of mean luma, in 1/4 of an 8-bit level.
    static let minimumShift: Int32 = 24

    /// Nil when `lit` is not `plain` under more or less light.
    init?(of lit: FrameSignature, over plain: FrameSignature) {
        guard lit.luma.values.count == plain.luma.values.count else { return nil }
        // Motion makes some cells go the other way.
        let allowed = lit.luma.values.count / 8
        let shift = Self.minimumShift
        let rise = lit.statistics.mean - plain.statistics.mean
        if rise > shift {
            var darker = 0
            for (p, q) in zip(lit.luma.values, plain.luma.values) where p < q &- (12 &+ q / 16) { darker += 1 }
            guard darker <= allowed else { return nil }
            self = .brighter
        } else if rise < -shift {
            var brighter = 0
            for (p, q) in zip(lit.luma.values, plain.luma.values) where p > q &+ (12 &+ q / 16) { brighter += 1 }
            guard brighter <= allowed else { return nil }
            self = .darker
        } else {
            return nil
        }
    }

    /// The same over both pictures.
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
