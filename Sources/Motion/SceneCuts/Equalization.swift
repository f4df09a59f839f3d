/// Versions of the two pictures made alike in what a flicker, a fade or the blur of a fast pan changes.
func equalizations(_ a: FrameSignature, _ b: FrameSignature) -> [(Side, Side)] {
    let (sideA, sideB) = (Side(a), Side(b))
    var pairs: [(Side, Side)] = []
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
func histogramMatchings(_ a: FrameSignature, _ b: FrameSignature) -> [(Side, Side)] {
    guard LightingChange(of: a, over: b) != nil || LightingChange(of: b, over: a) != nil else { return [] }
    let pairs = [(a.luma.matched(to: b.luma), b.luma), (a.luma, b.luma.matched(to: a.luma))]
    let (total, least) = (a.activity.sum + b.activity.sum, Int64(a.blocks.count) * 2 * 64 * 4 * 2)
    return pairs.compactMap { first, second in
        let (x, y) = (Side(a).relit(first).withoutChroma, Side(b).relit(second).withoutChroma)
        // What is burnt out altogether shows nothing that could be the same.
        return x.activity.sum + y.activity.sum > max(total / 8, least) ? (x, y) : nil
    }
}

extension Grid {
    /// The cells with their order of brightness kept and the other grid's distribution of values.
    func matched(to other: Grid) -> Grid {
        func counts(_ grid: Grid) -> [Int] {
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

extension [Int32] {
    fileprivate var sum: Int64 { reduce(0) { $0 + Int64($1) } }
}
