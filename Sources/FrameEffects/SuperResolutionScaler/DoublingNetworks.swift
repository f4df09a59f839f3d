import FrameCore

/// The networks that double a picture.
enum DoublingNetworks: Sendable {
    /// Those of a clip: one for its pictures, and a smaller one for what has little detail in them.
    case clip(NetworkWeights, faint: NetworkWeights?)
    /// Those of single images, which depend on each image, and on how strongly it was compressed (see
    /// ``DegradationCondition/coding``).
    case image(coding: Int)

    /// - Parameter model: the network for the pictures of a clip.
    init(clip model: SuperResolutionNetwork.Model) {
        self = .clip(NetworkWeights(model), faint: model == .large ? NetworkWeights(.small) : nil)
    }

    /// Returns the network that doubles a picture.
    func first(for luma: Plane, bitDepth: Int) -> NetworkWeights {
        switch self {
        case .clip(let weights, _): weights
        case .image(let coding):
            NetworkWeights(image: DegradationCondition(of: luma, bitDepth: bitDepth, coding: coding))
        }
    }

    /// The network that doubles the parts of a picture with little detail; nil for the same as all others.
    var faint: NetworkWeights? {
        switch self {
        case .clip(_, let faint): faint
        case .image: nil
        }
    }

    /// The network that doubles what has been doubled.
    var later: NetworkWeights {
        switch self {
        case .clip(let weights, _): weights
        // No condition of the network for images does better, which takes five times as long.
        case .image: NetworkWeights(.large)
        }
    }
}
