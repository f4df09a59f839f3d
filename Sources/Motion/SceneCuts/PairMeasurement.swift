/// What is measured of a neighbouring pair when its second frame arrives.
struct PairMeasurement: Sendable {
    let match: PairMatch
    let change: FrameChange
    /// Sharpness of both frames along x and along y, the sharper of the two.
    let sharpness: (x: Float, y: Float)
    /// Difference of mean luma, and the smaller spread of luma, in 8-bit levels.
    let lightChange: Float
    let spread: Float
    /// Whether the pair has been found to be a cut or to lead into or out of a flash.
    var isBreak = false

    init(_ a: FrameSignature, _ b: FrameSignature) {
        match = PairMatch(a, b)
        change = FrameChange(a, b)
        lightChange = Float(abs(a.statistics.mean - b.statistics.mean)) / 4
        spread = Float(min(a.statistics.spread, b.statistics.spread)) / 4
        sharpness = (
            Float(max(a.statistics.gradientX, b.statistics.gradientX)),
            Float(max(a.statistics.gradientY, b.statistics.gradientY))
        )
    }
}

/// How far two pictures differ at the same place, fine enough to tell a repeated picture from a small motion.
struct FrameChange: Sendable {
    /// Mean absolute difference of single samples, in 8-bit levels.
    var sampleMean: Float = 0
    /// Largest difference of cell means, in 8-bit levels.
    var cellMaximum: Float = 0

    /// Largest change of the mean of 3 × 3 luma cells, in 8-bit levels: coding noise goes both ways, a small motion does
    /// not.
    var patchMaximum: Float = 0

    init() {}

    init(_ a: FrameSignature, _ b: FrameSignature) {
        guard a.fineLuma.count == b.fineLuma.count, a.samples.count == b.samples.count else {
            (sampleMean, cellMaximum) = (255, 255)
            return
        }
        var (sum, largest): (Int, Int32) = (0, 0)
        for (p, q) in zip(a.samples, b.samples) { sum &+= abs(Int(p) &- Int(q)) }
        for (p, q) in zip(a.fineLuma, b.fineLuma) { largest = max(largest, abs(Int32(p) &- Int32(q))) }
        if let chromaA = a.chroma, let chromaB = b.chroma {
            for (p, q) in zip(chromaA.u.values, chromaB.u.values) {
                largest = max(largest, 4 &* abs(Int32(p) &- Int32(q)))
            }
            for (p, q) in zip(chromaA.v.values, chromaB.v.values) {
                largest = max(largest, 4 &* abs(Int32(p) &- Int32(q)))
            }
        }
        patchMaximum = Self.largestPatch(a.fineLuma, b.fineLuma, width: a.luma.width, height: a.luma.height)
        sampleMean = Float(sum) / Float(16 * max(1, a.samples.count))
        cellMaximum = Float(largest) / 16
    }

    private static func largestPatch(_ a: [UInt16], _ b: [UInt16], width: Int, height: Int) -> Float {
        guard width >= 3, height >= 3, a.count == width * height, b.count == a.count else { return 0 }
        var largest: Int32 = 0
        a.withUnsafeBufferPointer { a in
            b.withUnsafeBufferPointer { b in
                // Sums of columns of three, so that each cell is read three times and not nine.
                var columns = [Int32](repeating: 0, count: width)
                for y in 0..<height - 2 {
                    for x in 0..<width {
                        var sum: Int32 = 0
                        for row in y..<y + 3 { sum &+= Int32(a[row &* width &+ x]) &- Int32(b[row &* width &+ x]) }
                        columns[x] = sum
                    }
                    for x in 0..<width - 2 {
                        largest = max(largest, abs(columns[x] &+ columns[x &+ 1] &+ columns[x &+ 2]))
                    }
                }
            }
        }
        return Float(largest) / (9 * 16)
    }

    /// Whether the second picture repeats the first, where new pictures usually bring `reference`.
    ///
    /// Repeated pictures come back from a codec not quite alike: a little everywhere, without a place that stands out. So
    /// what is not nearly alike to the bit must change less than new pictures do: a slow pan or fade changes little too, but so do
    /// its neighbours; and a mouse pointer or a mouth changes few cells, but those much and side by side.
    func isDuplicate(reference: FrameChange) -> Bool {
        if sampleMean < 0.04, cellMaximum < 1.25 { return true }
        return sampleMean < min(1.5, 0.5 * reference.sampleMean)
            && cellMaximum < max(1.25, min(20, 0.35 * reference.cellMaximum, 6 + 80 * sampleMean))
            && patchMaximum < max(0.5, min(6, 0.2 * reference.cellMaximum))
    }

    /// The third largest of each measure, so that a flash among the neighbours, which makes two odd pairs, does not set
    /// the scale; of few neighbours the second.
    static func typical(_ changes: [FrameChange]) -> FrameChange {
        func pick(_ values: [Float]) -> Float {
            let sorted = values.sorted(by: >)
            return sorted.dropFirst(sorted.count >= 8 ? 2 : 1).first ?? sorted.first ?? 0
        }
        var result = FrameChange()
        result.sampleMean = pick(changes.map(\.sampleMean))
        result.cellMaximum = pick(changes.map(\.cellMaximum))
        return result
    }
}

/// A pair against the pairs round it.
struct PairContext {
    /// Pairs looked at on either side.
    static let reach = 5

    let match: PairMatch
    /// What motion leaves unexplained in the neighbourhood, in 8-bit levels.
    let usualResidual: Float
    let usualMismatch: Float
    /// How much less sharp both frames are than the neighbourhood on either side, in halvings: the middle of a whip pan or
    /// of a fade, where nothing can be told apart.
    let faintness: Float
    /// How many of the three pairs on either side are as little explained by motion.
    let crowd: Int
    /// What a new picture usually brings.
    let changeReference: FrameChange
    private let lightChange: Float
    private let spread: Float

    init(pairs: [PairMeasurement], position: Int) {
        match = pairs[position].match
        (lightChange, spread) = (pairs[position].lightChange, pairs[position].spread)
        let left = pairs[max(0, position - Self.reach)..<position].filter { !$0.isBreak }
        let right = pairs[(position + 1)..<min(pairs.count, position + 1 + Self.reach)]
        // Repeated pictures say nothing about the motion round them. The third largest change leaves out two other cuts.
        let sizes = (left + right).map(\.change.sampleMean).sorted(by: >)
        let repeated = 0.14 * (sizes.dropFirst(2).first ?? 0)
        func usual(_ side: [PairMeasurement], _ value: (PairMatch) -> Float) -> Float {
            let values = side.filter { $0.change.sampleMean >= repeated }.prefix(4).map { value($0.match) }.sorted()
            return values.isEmpty ? 0 : values[(values.count - 1) / 2]
        }
        let (nearLeft, nearRight) = (Array(left.reversed()), Array(right))
        usualResidual = max(usual(nearLeft) { $0.residual }, usual(nearRight) { $0.residual })
        usualMismatch = max(usual(nearLeft) { $0.mean }, usual(nearRight) { $0.mean })
        let high = 0.8 * match.mean
        crowd = pairs[max(0, position - 3)..<min(pairs.count, position + 4)].count { $0.match.mean > high } - 1
        let own = pairs[position].sharpness
        func halvings(_ own: Float, _ value: (PairMeasurement) -> Float) -> Float {
            let before = pairs[max(0, position - Self.reach)..<position].map(value).max() ?? 0
            let after = pairs[(position + 1)..<min(pairs.count, position + 1 + Self.reach)].map(value).max() ?? 0
            return logarithm((min(before, after) + 4) / (own + 4))
        }
        faintness = max(0, halvings(own.x) { $0.sharpness.x }, halvings(own.y) { $0.sharpness.y })
        let changes = (nearLeft + nearRight.filter { $0.match.mean < 0.5 }).map(\.change)
        changeReference = FrameChange.typical(changes)
    }

    /// Above 0 for what looks like a cut, −1…1.
    ///
    /// A logistic regression over pairs of real scenes, joined and moving, gave the weights.
    var cutScore: Float {
        let rise = logarithm((match.residual + 0.5) / (usualResidual + 0.5))
        let evidence =
            9.9 * match.mean + 5.5 * min(0.5, match.histogramDistance) + 0.5 * rise + 0.45
            * logarithm(match.residual + 0.5)
            - 2 * usualMismatch - Float(max(0, crowd - 2)) - 2 * max(0, 1.2 - match.residual)
            - 4 * max(0, faintness - 0.6) - (match.isColorless ? 9.35 : 9.65)
        return max(-1, min(1, (evidence - likeness + loneliness) / 6))
    }

    /// What speaks for a cut between like pictures, such as the same shot framed closer: motion explains all pairs round
    /// this one, and the edges are elsewhere although the light is the same.
    private var loneliness: Float {
        guard crowd == 0, lightChange < 20, spread > 6, match.histogramDistance > 0.05 else { return 0 }
        let moved = max(0, min(1, (match.structureMean - 0.62) * 25))
        return 1.2 * moved * max(0, min(1, (0.42 - usualMismatch) * 20))
    }

    /// What speaks against a cut: edges that stay where they are under other light, and the same levels and colours in
    /// pictures that have many.
    private var likeness: Float {
        let structure = match.structureMean
        var sum = 30 * max(0, 0.08 - match.histogramDistance) * min(1, max(0, spread / 8 - 0.5))
        if structure > 0 {
            sum += 30 * max(0, 0.7 - structure) * min(1, lightChange / 16) + 15 * max(0, 0.62 - structure)
        }
        return sum
    }
}

/// Base-2 logarithm, linear between powers of two: the same on every machine.
func logarithm(_ value: Float) -> Float {
    guard value > 0, value.isFinite else { return 0 }
    return Float(value.exponent) + (value.significand - 1)
}

extension PairContext {
    /// The terms that ``cutScore`` weighs. `.ci/cuts/fit.py` fits the weights, and checks that these terms give the score.
    var scoreTerms: [Float] {
        [
            match.mean, min(0.5, match.histogramDistance),
            logarithm((match.residual + 0.5) / (usualResidual + 0.5)), logarithm(match.residual + 0.5),
            usualMismatch, Float(max(0, crowd - 2)), max(0, 1.2 - match.residual), max(0, faintness - 0.6),
            match.isColorless ? 1 : 0, likeness, loneliness,
        ]
    }
}
