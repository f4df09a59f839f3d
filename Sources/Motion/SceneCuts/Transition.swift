/// What lies between two neighbouring frames.
package struct Transition: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, Codable {
        /// The second frame goes on from the first.
        case continuous
        /// A new scene begins with the second frame.
        case cut
        /// The second frame shows again what the last kept frame shows.
        case duplicate
    }

    /// Position of the second frame, counted from 0 at the first frame appended; the pair is `index - 1`, `index`.
    package var index: Int
    package var kind: Kind
    /// Whether exactly one of the two frames is lit by a flash: nothing was cut, but motion means nothing here.
    package var isFlash: Bool
    /// How far the decision lies from its threshold, 0 (could be otherwise) … 1 (certain).
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

/// Measurements behind a ``Transition``, for reports.
package struct TransitionFeatures: Sendable, Hashable {
    /// Share of the picture's structure that motion does not explain, 0…1; mean of both directions.
    package var mismatch: Float = 0
    /// The smaller of the two directions.
    package var mismatchLow: Float = 0
    /// Half the L1 distance of the luma and chroma histograms, 0…1.
    package var histogramDistance: Float = 0
    /// Mean absolute difference of luma without motion, in 8-bit levels.
    package var difference: Float = 0
    /// Mean absolute difference of single luma samples against the last kept frame, in 8-bit levels.
    package var duplicateDifference: Float = 0
    /// What motion leaves unexplained, in 8-bit levels.
    package var residual: Float = 0
    /// The same as usual in the pairs round it.
    package var usualResidual: Float = 0
    /// ``mismatch`` as usual in the pairs round it.
    package var usualMismatch: Float = 0
    /// The terms of a cut's score without their weights, in the order of `PairContext.scoreTerms`.
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
