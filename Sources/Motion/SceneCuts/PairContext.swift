/// Parameters of a pair's neighbourhood. Values without a source were chosen by hand, November 2026.
private enum ContextParameters {
    /// Change below which a frame counts as repeated, as a share of the third largest change among the neighbours.
    static let repeatedShare: Float = 0.14
    /// Pairs on each side whose median is the usual value.
    static let usualPairs = 4
    /// Pairs on each side that may belong to the crowd (see `PairContext.crowd`). Adjusted by hand on the joined scenes
    /// of `Tests/Measurements/SceneCuts`, 2026-11-21.
    static let crowdReach = 3
    /// Minimum mismatch of a pair of the crowd, as a share of this pair's. Adjusted by hand on the joined scenes of
    /// `Tests/Measurements/SceneCuts`, 2026-11-21.
    static let crowdShare: Float = 0.8
    /// Added to sharpness before its logarithm, in 1/64 of an 8-bit level. Adjusted by hand on the joined scenes of
    /// `Tests/Measurements/SceneCuts`, 2026-11-21.
    static let sharpnessOffset: Float = 4
    /// Mismatch from which a later pair is not used for `changeReference`, 0…1: it may be a cut.
    static let referenceMismatch: Float = 0.5
}

/// Weights and thresholds of ``PairContext/cutScore``. `Tests/Measurements/SceneCuts/fit.py` has a copy of the weights
/// and checks it.
///
/// "Fitted" means a logistic regression over the `tune` half of the joined scenes of `Tests/Measurements/SceneCuts`,
/// 2026-11-21; its script was never committed. `Tests/Measurements/SceneCuts/README.md` compares the weights with a
/// later fit. Other values were set by hand on the same scenes on the same day.
private enum CutScoreWeights {
    /// Weight of the mismatch. Fitted.
    static let mismatch: Float = 9.9
    /// Weight of the histogram distance. Fitted.
    static let histogram: Float = 5.5
    /// Largest histogram distance that counts, 0…1.
    static let histogramCap: Float = 0.5
    /// Weight of the logarithm of the residual over the usual residual. Fitted.
    static let rise: Float = 0.5
    /// Weight of the logarithm of the residual. Fitted.
    static let residual: Float = 0.45
    /// Added to residuals before their logarithm, in 8-bit levels. Chosen by hand, November 2026.
    static let residualOffset: Float = 0.5
    /// Weight of the usual mismatch, against a cut. Fitted or set by hand; the history does not say which.
    static let usualMismatch: Float = 2
    /// Weight of each pair of the crowd beyond ``freeCrowd``, against a cut.
    static let crowd: Float = 1
    /// Number of pairs in the crowd that do not count.
    static let freeCrowd = 2
    /// Weight of each 8-bit level by which the residual is below ``lowResidual``, against a cut.
    static let lowResidualWeight: Float = 2
    /// Residual below which a cut is unlikely, in 8-bit levels.
    static let lowResidual: Float = 1.2
    /// Weight of the faintness beyond ``faintnessThreshold``, against a cut.
    static let faintness: Float = 4
    /// Faintness up to which it does not count, in halvings of sharpness.
    static let faintnessThreshold: Float = 0.6
    /// Sum of the weighted terms at which the score is 0. Fitted.
    static let threshold: Float = 9.65
    /// The same threshold for two black and white frames.
    static let colorlessThreshold: Float = 9.35
    /// Excess over the threshold at which the score is 1.
    static let scale: Float = 6
}

/// Parameters of ``PairContext/loneliness``. Adjusted by hand on the joined scenes of `Tests/Measurements/SceneCuts`,
/// 2026-11-21.
private enum LonelinessParameters {
    /// Change of mean luma, in 8-bit levels, from which light has changed.
    static let lightChange: Float = 20
    /// Contrast up to which a frame shows too little to compare, in 8-bit levels.
    static let spread: Float = 6
    /// Histogram distance up to which nothing has changed, 0…1.
    static let histogramDistance: Float = 0.05
    /// Structural mismatch from which edges have moved, 0…1.
    static let structure: Float = 0.62
    /// Gain of the structural mismatch beyond ``structure``: the evidence reaches its maximum 0.04 above it.
    static let structureGain: Float = 25
    /// Usual mismatch from which motion does not explain the neighbours, 0…1.
    static let usualMismatch: Float = 0.42
    /// Gain of the usual mismatch below ``usualMismatch``: the evidence reaches its maximum 0.05 below it.
    static let usualGain: Float = 20
    /// Weight in the score.
    static let weight: Float = 1.2
}

/// Parameters of ``PairContext/likeness``. Adjusted by hand on the joined scenes of `Tests/Measurements/SceneCuts`,
/// 2026-11-21.
private enum LikenessParameters {
    /// Weight of the histogram distance below ``histogramDistance``.
    static let histogramWeight: Float = 30
    /// Histogram distance below which levels and colours are the same, 0…1.
    static let histogramDistance: Float = 0.08
    /// Contrast, in 8-bit levels, over which the weight of equal histograms rises from 0 to 1.
    static let spreadUnit: Float = 8
    /// Where that rise starts, in units of ``spreadUnit``: at 4 levels.
    static let spreadOffset: Float = 0.5
    /// Weight of the structural mismatch below ``relitStructure`` in different light.
    static let relitWeight: Float = 30
    /// Structural mismatch below which edges stay in place in different light, 0…1.
    static let relitStructure: Float = 0.7
    /// Change of mean luma that counts fully as different light, in 8-bit levels.
    static let lightChange: Float = 16
    /// Weight of the structural mismatch below ``sameStructure``.
    static let sameWeight: Float = 15
    /// Structural mismatch below which edges stay in place, 0…1.
    static let sameStructure: Float = 0.62
}

/// A pair compared with the pairs around it.
struct PairContext {
    /// The maximum number of pairs considered on each side. Chosen by hand, November 2026.
    static let reach = 5

    let match: PairMatch
    /// The usual residual of the neighbouring pairs, in 8-bit levels.
    let usualResidual: Float
    /// The usual mismatch of the neighbouring pairs, 0…1.
    let usualMismatch: Float
    /// How much less sharp both frames are than the neighbours on either side, in halvings: high in the middle of a
    /// whip pan or a fade, where scenes cannot be distinguished.
    let faintness: Float
    /// The number of pairs, among the three on either side, that motion explains about as badly as this one.
    let crowd: Int
    /// The change that a new frame usually brings.
    let changeReference: FrameChange
    private let lightChange: Float
    private let spread: Float

    init(pairs: [PairMeasurement], position: Int) {
        match = pairs[position].match
        (lightChange, spread) = (pairs[position].lightChange, pairs[position].spread)
        let left = pairs[max(0, position - Self.reach)..<position].filter { !$0.isBreak }
        let right = pairs[(position + 1)..<min(pairs.count, position + 1 + Self.reach)]
        // Repeated frames say nothing about the motion around them. Taking the third largest change allows for two
        // other cuts.
        let sizes = (left + right).map(\.change.sampleMean).sorted(by: >)
        let repeated = ContextParameters.repeatedShare * (sizes.dropFirst(2).first ?? 0)
        func usual(_ side: [PairMeasurement], _ value: (PairMatch) -> Float) -> Float {
            let values = side.filter { $0.change.sampleMean >= repeated }.prefix(ContextParameters.usualPairs)
                .map { value($0.match) }.sorted()
            return values.isEmpty ? 0 : values[(values.count - 1) / 2]
        }
        let (nearLeft, nearRight) = (Array(left.reversed()), Array(right))
        usualResidual = max(usual(nearLeft) { $0.residual }, usual(nearRight) { $0.residual })
        usualMismatch = max(usual(nearLeft) { $0.mean }, usual(nearRight) { $0.mean })
        let high = ContextParameters.crowdShare * match.mean, crowdReach = ContextParameters.crowdReach
        crowd =
            pairs[max(0, position - crowdReach)..<min(pairs.count, position + crowdReach + 1)]
            .count { $0.match.mean > high } - 1
        let own = pairs[position].sharpness
        func halvings(_ own: Float, _ value: (PairMeasurement) -> Float) -> Float {
            let before = pairs[max(0, position - Self.reach)..<position].map(value).max() ?? 0
            let after = pairs[(position + 1)..<min(pairs.count, position + 1 + Self.reach)].map(value).max() ?? 0
            let offset = ContextParameters.sharpnessOffset
            return logarithm((min(before, after) + offset) / (own + offset))
        }
        faintness = max(0, halvings(own.x) { $0.sharpness.x }, halvings(own.y) { $0.sharpness.y })
        let changes = (nearLeft + nearRight.filter { $0.match.mean < ContextParameters.referenceMismatch }).map(
            \.change)
        changeReference = FrameChange.typical(changes)
    }

    /// The score of a cut, −1…1; above 0 for a pair that looks like a cut.
    ///
    /// The weighted sum of ``scoreTerms`` over ``CutScoreWeights/scale``; `Tests/Measurements/SceneCuts/README.md` says
    /// where the weights come from.
    var cutScore: Float {
        typealias W = CutScoreWeights
        // The order of the operations is part of the result: floating-point sums depend on it.
        let fitted =
            W.mismatch * match.mean + W.histogram * cappedHistogramDistance + W.rise * residualRise
            + W.residual * residualLogarithm
        let evidence =
            fitted - W.usualMismatch * usualMismatch - W.crowd * excessCrowd - W.lowResidualWeight * residualShortfall
            - W.faintness * excessFaintness - (match.isColorless ? W.colorlessThreshold : W.threshold)
        return max(-1, min(1, (evidence - likeness + loneliness) / W.scale))
    }

    private var cappedHistogramDistance: Float { min(CutScoreWeights.histogramCap, match.histogramDistance) }

    private var residualRise: Float {
        let offset = CutScoreWeights.residualOffset
        return logarithm((match.residual + offset) / (usualResidual + offset))
    }

    private var residualLogarithm: Float { logarithm(match.residual + CutScoreWeights.residualOffset) }

    private var excessCrowd: Float { Float(max(0, crowd - CutScoreWeights.freeCrowd)) }

    private var residualShortfall: Float { max(0, CutScoreWeights.lowResidual - match.residual) }

    private var excessFaintness: Float { max(0, faintness - CutScoreWeights.faintnessThreshold) }

    /// Evidence for a cut between similar frames, such as the same shot framed more tightly: motion explains all pairs
    /// around this one, and edges have moved although the light is the same. 0 for none.
    private var loneliness: Float {
        typealias P = LonelinessParameters
        guard crowd == 0, lightChange < P.lightChange, spread > P.spread,
            match.histogramDistance > P.histogramDistance
        else { return 0 }
        let moved = max(0, min(1, (match.structureMean - P.structure) * P.structureGain))
        return P.weight * moved * max(0, min(1, (P.usualMismatch - usualMismatch) * P.usualGain))
    }

    /// Evidence against a cut: edges that stay in place in different light, and equal histograms of frames with
    /// contrast. 0 for none.
    private var likeness: Float {
        typealias P = LikenessParameters
        let structure = match.structureMean
        var sum =
            P.histogramWeight * max(0, P.histogramDistance - match.histogramDistance)
            * min(1, max(0, spread / P.spreadUnit - P.spreadOffset))
        if structure > 0 {
            sum +=
                P.relitWeight * max(0, P.relitStructure - structure) * min(1, lightChange / P.lightChange)
                + P.sameWeight * max(0, P.sameStructure - structure)
        }
        return sum
    }
}

/// Returns the base-2 logarithm, linear between powers of two, so that it is the same on every machine; 0 for values
/// that are not positive and finite.
func logarithm(_ value: Float) -> Float {
    guard value > 0, value.isFinite else { return 0 }
    return Float(value.exponent) + (value.significand - 1)
}

extension PairContext {
    /// The terms that ``cutScore`` weighs, in the order of the table in `Tests/Measurements/SceneCuts/README.md`.
    /// `Tests/Measurements/SceneCuts/fit.py` fits weights to them and checks that they give the score.
    var scoreTerms: [Float] {
        [
            match.mean, cappedHistogramDistance, residualRise, residualLogarithm, usualMismatch, excessCrowd,
            residualShortfall, excessFaintness, match.isColorless ? 1 : 0, likeness, loneliness,
        ]
    }
}
