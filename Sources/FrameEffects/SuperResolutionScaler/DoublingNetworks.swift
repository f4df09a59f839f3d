import FrameCore

/// The networks that double a picture.
enum DoublingNetworks: Sendable {
    /// Those of a clip: one for its pictures, a smaller one for what has little detail in them, and one for what has been
    /// doubled, which no longer shows compression.
    case clip(source: NetworkWeights, faint: NetworkWeights?, doubled: NetworkWeights)
    /// Those of single images, which depend on each image, and on how strongly it was compressed (see
    /// ``DegradationCondition/coding``).
    case image(coding: Int)

    /// From this strength on, the network for compressed pictures does better. A mean of both networks is better by 0.1 dB
    /// near it, but takes the time of both.
    static let leastCompression: Float = 0.5

    /// - Parameters:
    ///   - model: the network for pictures of a clip that was not compressed.
    ///   - compression: how strongly the clip was compressed, 0…1.
    init(clip model: SuperResolutionNetwork.Model, compression: Float) {
        let doubled = NetworkWeights(model), isCompressed = compression >= Self.leastCompression
        let faint = NetworkWeights(isCompressed ? .smallCompressed : .small)
        self = .clip(
            source: isCompressed ? NetworkWeights(model.forCompressed) : doubled,
            faint: model == .large ? faint : nil, doubled: doubled)
    }

    /// Returns the network that doubles a picture.
    func first(for luma: Plane, bitDepth: Int) -> NetworkWeights {
        switch self {
        case .clip(let source, _, _): source
        case .image(let coding):
            NetworkWeights(image: DegradationCondition(of: luma, bitDepth: bitDepth, coding: coding))
        }
    }

    /// The network that doubles the parts of a picture with little detail; nil for the same as all others.
    var faint: NetworkWeights? {
        switch self {
        case .clip(_, let faint, _): faint
        case .image: nil
        }
    }

    /// The network that doubles what has been doubled.
    var later: NetworkWeights {
        switch self {
        case .clip(_, _, let doubled): doubled
        // No condition of the network for images does better, which takes five times as long.
        case .image: NetworkWeights(.large)
        }
    }
}
