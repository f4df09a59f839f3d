/// The relation of two neighbouring frames.
package struct Transition: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, Codable {
        /// The second frame continues the scene of the first.
        case continuous
        /// The second frame starts a new scene.
        case cut
        /// The second frame repeats the last frame that was not a duplicate.
        case duplicate
    }

    /// The index of the second frame, where the first frame appended has index 0; the pair is `index - 1`, `index`.
    package var index: Int
    package var kind: Kind
    /// Whether exactly one of the two frames is lit by a flash: there is no cut, but motion between them is
    /// meaningless.
    package var isFlash: Bool
    /// Distance of the cut score from its threshold: 0 for a close decision, 1 for a certain one.
    package var confidence: Float
    package var features: TransitionFeatures

    package init(
        index: Int, kind: Kind, isFlash: Bool = false, confidence: Float = 1, features: TransitionFeatures = .init()
    ) {
        self.index = index
        self.kind = kind
        self.isFlash = isFlash
        self.confidence = confidence
        self.features = features
    }
}

/// The measurements behind a ``Transition``, for reports.
package struct TransitionFeatures: Sendable, Hashable {
    /// Share of the frames' structure that motion does not explain, 0…1; the mean of both directions.
    package var mismatch: Float = 0
    /// ``mismatch`` in the direction where it is smaller, 0…1.
    package var mismatchLow: Float = 0
    /// Half the L1 distance of the luma and chroma histograms, 0…1.
    package var histogramDistance: Float = 0
    /// Mean absolute luma difference without motion compensation, in 8-bit levels.
    package var difference: Float = 0
    /// Mean absolute difference of single luma samples from the last frame that was not a duplicate, in 8-bit levels.
    package var duplicateDifference: Float = 0
    /// Mean luma and chroma difference after motion compensation, in 8-bit levels.
    package var residual: Float = 0
    /// The usual ``residual`` of the neighbouring pairs, in 8-bit levels.
    package var usualResidual: Float = 0
    /// The usual ``mismatch`` of the neighbouring pairs, 0…1.
    package var usualMismatch: Float = 0
    /// The unweighted terms of the cut score, in the order of `PairContext.scoreTerms`.
    package var scoreTerms: [Float] = []

    package init() {}
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
