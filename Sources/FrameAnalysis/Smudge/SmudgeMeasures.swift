import Foundation

/// What a smudge does to a picture: in one part fine steps are gone and dark places are lifted, while coarse structure
/// goes on and the rest is sharp. Haze and motion blur do it everywhere, an even sky has nothing to lose.
package struct SmudgeMeasures: Sendable {
    /// Features in the order of ``weights``.
    package let features: [Float]

    init(_ picture: AnalysisPicture) { features = SmudgeTiles(picture).features }

    /// Fitted by logistic regression on drawn smudges over one half of real frames; see `.ci/thumbnails`.
    package static let weights: [Float] = [
        -0.271, -0.064, -0.179, -0.199, -0.122, 0.273, 0.353, -0.079, 0.051, 0.277, 0.412, 0.155, 0.337,
        -0.472, 2.799, 1.403, 2.569, -1.33, -1.177, 1.429, 0.496, -0.061, -0.091, 0.428, 0.859, -0.722,
        -0.101, 1.066, -1.223, -0.228, 4.721, 0.282, 0.202, 0.131, 1.168, -1.134, 0.995, 1.079, 0.963,
        -1.023, -0.187, 3.298, 0.067, -0.419, 0.155, 0.011, -0.091, 0.935, 1.003, 0.358, -1.783, -1.51,
        1.6, 0.146, -0.159, 0.089, 0.532, 0.677,
    ]
    package static let bias: Float = -3.9682

    package var confidence: Float {
        guard features.count == Self.weights.count else { return 0 }
        let sum = zip(features, Self.weights).reduce(Self.bias) { $0 + $1.0 * $1.1 }
        return 1 / (1 + exp(-sum))
    }
}
