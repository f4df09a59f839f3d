import Kernels
import Testing

/// The checksum of the weights, biases and slopes of layers: FNV-1a, 64 bits.
func checksum(of layers: UnsafePointer<vfx_superres_layer>, count: Int) throws -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ value: UInt32, bytes: Int) {
        for k in 0..<bytes { hash = (hash ^ UInt64(value >> (8 * k) & 0xFF)) &* 0x0000_0100_0000_01B3 }
    }
    for layer in (0..<count).map({ layers[$0] }) {
        let outputs = Int(layer.outputs)
        for k in 0..<2 * outputs * Int(layer.sources) {
            add(UInt32(UInt16(bitPattern: layer.weights[k])), bytes: 2)
        }
        for k in 0..<outputs { add(UInt32(bitPattern: layer.bias[k]), bytes: 4) }
        let slopes = try #require(layer.slopes)
        for k in 0..<outputs { add(UInt32(UInt16(bitPattern: slopes[k])), bytes: 2) }
    }
    return hash
}

/// Checks that each 3×3 layer reads what the one before it writes, and that no input overflows a 32-bit sum.
///
/// - Parameters:
///   - inputs: the pairs that the first layer reads.
///   - outputs: the outputs of the last one.
func expectLayersFit(_ layers: UnsafePointer<vfx_superres_layer>, count: Int, inputs: Int, outputs: Int) {
    var pairs = inputs
    for layer in (0..<count).map({ layers[$0] }) {
        #expect(Int(layer.sources) == 9 * pairs)
        #expect((1...28).contains(layer.shift))
        pairs = Int(layer.outputs) / 2
        for output in 0..<Int(layer.outputs) {
            let first = output / 4 * Int(layer.sources) * 8 + output % 4 * 2
            let total = (0..<Int(layer.sources)).reduce(0) {
                $0 + abs(Int(layer.weights[first + 8 * $1])) + abs(Int(layer.weights[first + 8 * $1 + 1]))
            }
            let worst = total * 32768 + abs(Int(layer.bias[output])) + (1 << Int(layer.shift))
            #expect(worst <= Int(Int32.max), "output \(output)")
        }
    }
    #expect(2 * pairs == outputs)
}
