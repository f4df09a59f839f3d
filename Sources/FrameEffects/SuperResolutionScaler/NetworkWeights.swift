import Kernels

/// The layers of a network, ready for the kernels: constant, or made for a picture.
///
/// `@unchecked Sendable`: the memory behind the pointers does not change, and lives as long as the value.
package struct NetworkWeights: @unchecked Sendable {
    let channels: Int
    /// The number of middle layers.
    let middles: Int
    /// Samples of the source on either axis that a position stands for: 1 for networks that double, 2 for those that keep the
    /// size. Each position becomes 2×2 samples.
    let block: Int
    /// The first layer, the middle layers and the last.
    let layers: UnsafePointer<vfx_superres_layer>
    /// The middle layers for Winograd's F(2, 3); empty if a transformed weight does not fit 16 bits.
    let winograd: [vfx_superres_winograd_layer]
    /// Frees the memory of weights that are not constant.
    private let owner: NetworkMemory?

    /// How many times as many samples the output has on either axis.
    var scale: Int { 2 / block }

    /// Returns how many positions a number of samples makes.
    func positions(_ samples: Int) -> Int { (samples + block - 1) / block }

    /// - Parameters:
    ///   - transforms: those of the middle layers.
    ///   - owner: what frees the layers; nil if they are constant.
    init(
        channels: Int, middles: Int, block: Int = 1, layers: UnsafePointer<vfx_superres_layer>,
        transforms: WinogradTransforms, owner: NetworkMemory?
    ) {
        (self.channels, self.middles, self.block, self.layers, self.owner) = (channels, middles, block, layers, owner)
        winograd = transforms.weights.enumerated().map { index, weights in
            vfx_superres_winograd_layer(
                weights: weights, layer: layers + index + 1, sources: Int32(transforms.sources))
        }
    }

    private init(_ model: vfx_superres_model) {
        let network = vfx_superres_network_of(model).pointee, middle = network.layers[1]
        self.init(
            channels: Int(network.channels), middles: Int(network.middles), layers: network.layers,
            transforms: WinogradTransforms(
                (0..<Int(network.middles)).map { network.layers[$0 + 1].weights }, sources: Int(middle.sources),
                outputs: Int(middle.outputs)),
            owner: nil)
    }

    private static let small = NetworkWeights(VFX_SUPERRES_SMALL)
    private static let large = NetworkWeights(VFX_SUPERRES_LARGE)
    private static let mediumCompressed = NetworkWeights(VFX_SUPERRES_MEDIUM_COMPRESSED)

    /// The weights of a model; those of `image` for a picture about which nothing is known.
    package init(_ model: SuperResolutionNetwork.Model) {
        self =
            switch model {
            case .small: .small
            case .large: .large
            case .mediumCompressed: .mediumCompressed
            case .image: NetworkWeights(image: .unknown)
            }
    }

    /// The weights of `image` for a condition.
    package init(image condition: DegradationCondition) {
        self = ConditionedNetwork.image.weights(condition.planeWeights)
    }

    /// The weights of a network that cleans compressed pictures, for a condition.
    package init(restoration condition: RestorationCondition, _ network: RestorationEngine.Network = .full) {
        let tables: ConditionedNetwork =
            switch network {
            case .full: .restoration
            case .light: .lightRestoration
            case .small: .smallRestoration
            }
        self = tables.weights(condition.planeWeights)
    }
}

/// Memory for the layers of a network.
///
/// `@unchecked Sendable`: written only where it is made.
final class NetworkMemory: @unchecked Sendable {
    let layers: UnsafeMutablePointer<vfx_superres_layer>
    let weights: UnsafeMutablePointer<Int16>
    let biases: UnsafeMutablePointer<Int32>
    let slopes: UnsafeMutablePointer<Int16>

    /// Allocates memory for as many of each.
    init(layers: Int, weights: Int, biases: Int, slopes: Int) {
        self.layers = .allocate(capacity: layers)
        self.weights = .allocate(capacity: weights)
        self.biases = .allocate(capacity: biases)
        self.slopes = .allocate(capacity: slopes)
    }

    deinit {
        layers.deallocate()
        weights.deallocate()
        biases.deallocate()
        slopes.deallocate()
    }
}
