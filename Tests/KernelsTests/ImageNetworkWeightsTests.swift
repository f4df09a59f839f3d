import Kernels
import Testing

/// The planes of weights of the network for still images: identical to the model card's, and free of overflow for every
/// input and condition.
@Suite struct ImageNetworkWeightsTests {
    private let network = vfx_superres_image_network().pointee
    private var channels: Int { Int(network.channels) }
    private var middles: Int { Int(network.middles) }
    /// Rows of pairs that a middle layer reads.
    private var sources: Int { 9 * channels / 2 }

    @Test func checksumIsThatOfTheModelCard() throws {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add<Value: FixedWidthInteger>(_ values: UnsafePointer<Value>, _ count: Int32) {
            for index in 0..<Int(count) {
                withUnsafeBytes(of: values[index].littleEndian) {
                    for byte in $0 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
                }
            }
        }
        add(network.first, network.first_count)
        add(network.middle, network.middle_count)
        add(network.last, network.last_count)
        add(network.biases, network.bias_count)
        add(network.slopes, network.slope_count)
        add(network.shifts, network.shift_count)
        #expect(network.checksum == hash)
        try expectInModelCard(of: "SuperResolutionScaler", hash, String(cString: network.name))
    }

    @Test func tablesAreComplete() {
        let planes = Int(network.planes)
        #expect(planes == 6 && channels % 4 == 0)
        #expect(Int(network.first_count) == planes * 30 * channels)
        #expect(Int(network.middle_count) == middles * 2 * sources * channels)
        #expect(Int(network.last_count) == planes * 8 * (sources + 15))
        #expect(Int(network.bias_count) == (middles + 1) * planes * channels)
        #expect(network.slope_count == network.bias_count && Int(network.shift_count) == middles + 2)
        for layer in 0..<middles + 2 { #expect((1...(layer <= middles ? 28 : 13)).contains(network.shifts[layer])) }
    }

    /// The conditions between which everything is linear, as weights of the planes in 1/256.
    private static let corners = [0, 256].flatMap { kernel in
        [(256, 0), (0, 0), (0, 256)].flatMap { bent in
            [(0, 0), (256, 0), (0, 256)].map { coding in [256, kernel, bent.0, bent.1, coding.0, coding.1] }
        }
    }

    private func mixed<Value: FixedWidthInteger>(
        _ table: UnsafePointer<Value>, _ planes: [Int], pitch: Int, _ index: Int
    ) -> Int {
        (planes.indices.reduce(128) { $0 + planes[$1] * Int(table[$1 * pitch + index]) }) >> 8
    }

    /// No input overflows a 32-bit sum, at any bit depth. What rounding adds, and what makes up for it, is in `slack`.
    @Test func sumsStayWithin32Bits() {
        for planes in Self.corners {
            for layer in 0...middles + 1 {
                let isLast = layer == middles + 1, outputs = isLast ? 4 : channels, features = channels
                let rows = layer == 0 ? 15 : isLast ? sources + 15 : sources
                for output in 0..<outputs {
                    var total = 0, largest = 0
                    for place in 0..<2 * rows {
                        let index = (output / 4 * rows + place / 2) * 8 + output % 4 * 2 + place % 2
                        let weight =
                            if layer == 0 {
                                mixed(network.first, planes, pitch: 30 * features, index)
                            } else if isLast {
                                mixed(network.last, planes, pitch: 8 * rows, index)
                            } else {
                                Int(network.middle[(layer - 1) * 2 * sources * features + index])
                            }
                        total += abs(weight)
                        largest = max(largest, abs(weight))
                    }
                    let slack = layer == 0 ? 30 : isLast ? 2 * rows : 0
                    #expect(largest + slack <= Int(Int16.max))
                    let shift = Int(network.shifts[layer])
                    let plane = layer * Int(network.planes) * features
                    // The last layer's bias makes up for its answer to a constant picture, which is about a tenth of this.
                    let bias = isLast ? 1 << 25 : abs(mixed(network.biases + plane, planes, pitch: features, output))
                    let added = isLast ? 1 << (shift + 16) : 1 << shift
                    #expect(
                        (total + slack) * 32_768 + bias + added <= Int(Int32.max),
                        "\(planes), layer \(layer), output \(output)")
                }
            }
        }
    }
}
