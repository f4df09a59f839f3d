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

extension TransitionFeatures {
    init(_ pair: PairMeasurement, _ context: PairContext) {
        self.init()
        mismatch = pair.match.mean
        mismatchLow = pair.match.low
        histogramDistance = pair.match.histogramDistance
        difference = pair.match.difference
        residual = pair.match.residual
        usualResidual = context.usualResidual
        usualMismatch = context.usualMismatch
        scoreTerms = context.scoreTerms
    }
}

extension PairContext {
    /// The terms that ``cutScore`` weighs. `.ci/cuts/fit.py` fits the weights, and checks that these terms give the score.
    fileprivate var scoreTerms: [Float] {
        [
            match.mean, min(0.5, match.histogramDistance),
            logarithm((match.residual + 0.5) / (usualResidual + 0.5)), logarithm(match.residual + 0.5),
            usualMismatch, Float(max(0, crowd - 2)), max(0, 1.2 - match.residual), max(0, faintness - 0.6),
            match.isColorless ? 1 : 0, likeness, loneliness,
        ]
    }
}
