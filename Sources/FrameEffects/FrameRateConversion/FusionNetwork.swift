import FrameCore
import Kernels

/// The layers of a trained fusion network, which weighs the predictions of a frame at a phase.
///
/// `@unchecked Sendable`: the memory behind the pointers is constant.
struct FusionNetwork: @unchecked Sendable {
    let layers: [vfx_superres_layer]
    /// Positions that each side of the output lacks: one per layer.
    var halo: Int { layers.count }

    /// - Parameter network: a trained network; its layers are 3×3 convolutions, and the last one returns four scores for
    ///   each prediction.
    private init(_ network: UnsafePointer<vfx_fusion_network>) {
        layers = (0..<Int(network.pointee.count)).map { network.pointee.layers[$0] }
    }

    /// 8 channels, two middle layers: for normal quality.
    static let small = FusionNetwork(vfx_fusion_network_of(VFX_FUSION_SMALL))
    /// 16 channels, three middle layers: for the best quality.
    static let large = FusionNetwork(vfx_fusion_network_of(VFX_FUSION_LARGE))
}

extension FusionNetwork {
    /// Frame size in pixels up to which `normal` quality uses a network; above, there is no time for it.
    private static let normalPixels = 1280 * 768

    /// The network for a quality and frame size; nil to blend by visibility alone.
    init?(_ quality: QualityPrioritization, pixels: Int) {
        switch quality {
        case .normal where pixels > Self.normalPixels: return nil
        case .normal: self = .small
        case .quality: self = .large
        }
    }
}
