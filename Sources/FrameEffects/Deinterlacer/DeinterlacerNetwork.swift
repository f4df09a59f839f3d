import FrameCore
import Kernels

/// The layers of a trained network that makes the missing rows of a field from their predictions.
///
/// `@unchecked Sendable`: the memory behind the pointers is constant.
struct DeinterlacerNetwork: @unchecked Sendable {
    let layers: [vfx_superres_layer]

    private init(_ network: UnsafePointer<vfx_deinterlace_network>) {
        layers = (0..<Int(network.pointee.count)).map { network.pointee.layers[$0] }
    }

    /// - Parameter quality: the trade-off between speed and quality.
    init(_ quality: QualityPrioritization) {
        switch quality {
        case .normal: self.init(vfx_deinterlace_network_of(VFX_DEINTERLACE_SMALL))
        case .quality: self.init(vfx_deinterlace_network_of(VFX_DEINTERLACE_LARGE))
        }
    }
}
