import FrameCore

/// Estimates how a picture was reduced, from statistics of its luma (see `Training/StillImages/README.md`).
package enum DegradationEstimator {
    /// Returns half the logarithm of the odds that a picture was reduced by a cubic kernel; nil if it is too small or too
    /// flat to show it.
    package static func certainty(of luma: Plane, bitDepth: Int) -> Double? {
        DegradationStatistics(of: luma, bitDepth: bitDepth).map { certainty($0.values) }
    }

    /// The most standard deviations from the mean that count.
    private static let limit = 5.0

    private static func certainty(_ values: [Double]) -> Double {
        typealias Weights = DegradationEstimatorWeights
        var sum = Weights.weights[0]
        for (index, value) in values.enumerated() {
            let deviations = (value - Weights.mean[index]) / Weights.deviation[index]
            sum += Weights.weights[index + 1] * min(max(deviations, -limit), limit)
        }
        return sum
    }

    /// Half the logarithm of the odds from which on 1 / (1 + exp(−2z)) is rounded to more than `k` / 16.
    private static let thresholds = (0..<16).map { (k: Int) -> Double in
        let odds = Double(2 * k + 1) / Double(31 - 2 * k)
        return binaryLogarithm(odds) * halfOfLogarithm2
    }
    private static let halfOfLogarithm2 = 0.346_573_590_279_972_65

    /// Returns ``DegradationCondition/kernel``.
    static func kernel(_ certainty: Double) -> Int { thresholds.count { certainty > $0 } }
}
