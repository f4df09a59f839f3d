import Kernels
import Testing

/// The trained weights: complete, identical to the model card's, and free of overflow for every input.
@Suite struct NetworkWeightsTests {
    static let models = [
        VFX_SUPERRES_SMALL, VFX_SUPERRES_LARGE, VFX_SUPERRES_MEDIUM_COMPRESSED,
    ].map(\.rawValue)

    private func network(_ model: UInt32) -> vfx_superres_network {
        vfx_superres_network_of(vfx_superres_model(rawValue: model)).pointee
    }

    private func checksum(_ network: vfx_superres_network) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ value: UInt32, bytes: Int) {
            for k in 0..<bytes { hash = (hash ^ UInt64(value >> (8 * k) & 0xFF)) &* 0x0000_0100_0000_01B3 }
        }
        for k in 0..<Int(network.weight_count) { add(UInt32(UInt16(bitPattern: network.weights[k])), bytes: 2) }
        for k in 0..<Int(network.bias_count) { add(UInt32(bitPattern: network.biases[k]), bytes: 4) }
        for k in 0..<Int(network.slope_count) { add(UInt32(UInt16(bitPattern: network.slopes[k])), bytes: 2) }
        return hash
    }

    @Test(arguments: models) func checksumIsThatOfTheModelCard(_ model: UInt32) throws {
        let network = network(model)
        #expect(network.checksum == checksum(network))
        try expectInModelCard(of: "SuperResolutionScaler", network.checksum, String(cString: network.name))
    }

    @Test func theModelsAreInOrder() {
        #expect(
            Self.models.map { String(cString: network($0).name) } == [
                "small", "large", "medium_compressed",
            ])
    }

    /// Layers are stored contiguously and have the sources that the engine passes to them.
    @Test(arguments: models) func layersFitTogether(_ model: UInt32) {
        let network = network(model), pairs = Int(network.channels) / 2, last = Int(network.middles) + 1
        var weights = network.weights, bytes = 0
        for index in 0...last {
            let layer = network.layers[index], sources = Int(layer.sources), outputs = Int(layer.outputs)
            #expect(sources == (index == 0 ? 15 : index == last ? 9 * pairs + 15 : 9 * pairs))
            #expect(outputs == (index == last ? 4 : Int(network.channels)))
            #expect(layer.weights == weights)
            #expect((layer.slopes == nil) == (index == last))
            if let slopes = layer.slopes { #expect((0..<outputs).allSatisfy { slopes[$0] > Int16.min }) }
            #expect((1...28).contains(layer.shift) && (index < last || layer.shift <= 13))
            weights += 2 * sources * outputs
            bytes += 4 * sources * outputs + 6 * outputs
        }
        #expect(weights == network.weights + Int(network.weight_count))
        #expect(bytes < 2_000_000)
    }

    private func weight(_ layer: vfx_superres_layer, _ output: Int, _ source: Int) -> [Int] {
        let first = (output / 4 * Int(layer.sources) + source) * 8 + output % 4 * 2
        return [Int(layer.weights[first]), Int(layer.weights[first + 1])]
    }

    /// No input overflows a 32-bit sum, at any bit depth.
    @Test(arguments: models) func sumsStayWithin32Bits(_ model: UInt32) {
        let network = network(model)
        for index in 0..<Int(network.middles) + 2 {
            let layer = network.layers[index]
            for output in 0..<Int(layer.outputs) {
                let total = (0..<Int(layer.sources)).flatMap { weight(layer, output, $0) }.reduce(0) { $0 + abs($1) }
                let added = layer.slopes == nil ? 1 << (Int(layer.shift) + 16) : 1 << Int(layer.shift)
                let worst = total * 32768 + abs(Int(layer.bias[output])) + added
                #expect(worst <= Int(Int32.max), "layer \(index), output \(output)")
            }
        }
    }

    /// The first layer's filters ignore the mean level of the input; the linear path passes it on unchanged.
    @Test(arguments: models) func levelIsKept(_ model: UInt32) {
        let network = network(model), last = network.layers[Int(network.middles) + 1], first = network.layers[0]
        for output in 0..<Int(first.outputs) {
            #expect((0..<15).flatMap { weight(first, output, $0) }.reduce(0, +) == 0)
        }
        for output in 0..<4 {
            let picture = Int(last.sources) - 15..<Int(last.sources)
            #expect(picture.flatMap { weight(last, output, $0) }.reduce(0, +) == 1 << Int(last.shift))
        }
    }
}
