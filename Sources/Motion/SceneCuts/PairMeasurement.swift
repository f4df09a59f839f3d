/// What is measured of a neighbouring pair when its second frame arrives.
struct PairMeasurement: Sendable {
    let match: PairMatch
    let change: FrameChange
    /// Whether the pair has been found to be a cut or to lead into or out of a flash.
    var isBreak = false

    init(_ a: FrameSignature, _ b: FrameSignature) {
        match = PairMatch(a, b)
        change = FrameChange(a, b)
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
    /// The second largest change among the neighbours: what a new picture usually brings.
    let changeReference: FrameChange

    init(pairs: [PairMeasurement], position: Int) {
        match = pairs[position].match
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
        let changes = (nearLeft + nearRight.filter { $0.match.mean < 0.5 }).map(\.change)
        changeReference = FrameChange.secondLargest(changes)
    }

    /// Above 0 for what looks like a cut, −1…1.
    var cutScore: Float {
        let rise = logarithm((match.residual + 0.5) / (usualResidual + 0.5))
        let z = 8 * (match.mean - 0.6) + 1.2 * (rise - 1) + 0.5 * (logarithm(match.residual + 0.5) - 1.5) + 2 * (match.histogramDistance - 0.1)
        return max(-1, min(1, z / 4))
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
    }
}
