import Kernels
import Testing

/// The trained weights of the deinterlacing networks.
@Suite struct DeinterlaceWeightsTests {
    static let models = [VFX_DEINTERLACE_SMALL, VFX_DEINTERLACE_LARGE].map(\.rawValue)

    private func network(_ model: UInt32) -> vfx_deinterlace_network {
        vfx_deinterlace_network_of(vfx_deinterlace_model(rawValue: model)).pointee
    }

    @Test(arguments: models) func checksumIsThatOfTheModelCard(_ model: UInt32) throws {
        let network = network(model)
        #expect(try checksum(of: network.layers, count: Int(network.count)) == network.checksum)
        try expectInModelCard(of: "Deinterlacer", network.checksum, String(cString: network.name))
    }

    /// Each layer reads what the one before it writes, and no input overflows a 32-bit sum.
    @Test(arguments: models) func layersFitTogether(_ model: UInt32) {
        let network = network(model)
        expectLayersFit(
            network.layers, count: Int(network.count), inputs: Int(VFX_DEINTERLACE_PAIRS),
            outputs: 4 * (Int(VFX_DEINTERLACE_PREDICTIONS) + 1))
    }
}
