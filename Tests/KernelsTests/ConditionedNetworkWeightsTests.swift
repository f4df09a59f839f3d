import Kernels
import Testing

/// The planes of weights of the networks that depend on a condition: identical to the model card's, and free of overflow for
/// every input and condition.
@Suite struct ConditionedNetworkWeightsTests {
    /// A network, what its first layer reads, and the conditions between which everything is linear, as weights of the planes
    /// in 1/256.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let find: @Sendable () -> vfx_superres_conditioned_network
        /// Rows of pairs that the first layer reads.
        let pictureSources: Int
        let corners: [[Int]]

        var network: vfx_superres_conditioned_network { find() }
        var channels: Int { Int(network.channels) }
        var middles: Int { Int(network.middles) }
        /// Rows of pairs that a middle layer reads.
        var sources: Int { 9 * channels / 2 }
        var testDescription: String { name }
    }

    static let cases = [
        Case(
            name: "image", find: { vfx_superres_image_network().pointee }, pictureSources: 15,
            corners: [0, 256].flatMap { kernel in
                [(256, 0), (0, 0), (0, 256)].flatMap { bent in
                    [(0, 0), (256, 0), (0, 256)].map { coding in [256, kernel, bent.0, bent.1, coding.0, coding.1] }
                }
            }),
        restoration("restoration", VFX_SUPERRES_RESTORATION_FULL),
        restoration("restoration_light", VFX_SUPERRES_RESTORATION_LIGHT),
        restoration("restoration_small", VFX_SUPERRES_RESTORATION_SMALL),
    ]

    private static func restoration(_ name: String, _ size: vfx_superres_restoration_size) -> Case {
        Case(
            name: name, find: { vfx_superres_restoration_network(size).pointee }, pictureSources: 50,
            corners: [(0, 0), (256, 0), (0, 256)].flatMap { coding in
                [[256, coding.0, coding.1, 0, 0, 0], [256, coding.0, coding.1, 256, coding.0, coding.1]]
            })
    }

    @Test(arguments: cases) func checksumIsThatOfTheModelCard(_ tested: Case) throws {
        let network = tested.network
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

    @Test(arguments: cases) func tablesAreComplete(_ tested: Case) {
        let network = tested.network, planes = Int(network.planes)
        let (channels, middles, sources) = (tested.channels, tested.middles, tested.sources)
        #expect(tested.corners.allSatisfy { $0.count == planes } && channels % 4 == 0)
        #expect(Int(network.first_count) == planes * 2 * tested.pictureSources * channels)
        #expect(Int(network.middle_count) == middles * 2 * sources * channels)
        #expect(Int(network.last_count) == planes * 8 * (sources + tested.pictureSources))
        #expect(Int(network.bias_count) == (middles + 1) * planes * channels)
        #expect(network.slope_count == network.bias_count && Int(network.shift_count) == middles + 2)
        for layer in 0..<middles + 2 { #expect((1...(layer <= middles ? 28 : 13)).contains(network.shifts[layer])) }
    }

    private func mixed<Value: FixedWidthInteger>(
        _ table: UnsafePointer<Value>, _ planes: [Int], pitch: Int, _ index: Int
    ) -> Int {
        (planes.indices.reduce(128) { $0 + planes[$1] * Int(table[$1 * pitch + index]) }) >> 8
    }

    /// No input overflows a 32-bit sum, at any bit depth. What rounding adds, and what makes up for it, is in `slack`.
    @Test(arguments: cases) func sumsStayWithin32Bits(_ tested: Case) {
        let network = tested.network, picture = tested.pictureSources
        let (channels, middles, sources) = (tested.channels, tested.middles, tested.sources)
        for planes in tested.corners {
            for layer in 0...middles + 1 {
                let isLast = layer == middles + 1, outputs = isLast ? 4 : channels, features = channels
                let rows = layer == 0 ? picture : isLast ? sources + picture : sources
                for output in 0..<outputs {
                    // The largest and the smallest sum. Negative features are bent, so they reach less far.
                    var high = 0, low = 0, largest = 0
                    for place in 0..<2 * rows {
                        let index = (output / 4 * rows + place / 2) * 8 + output % 4 * 2 + place % 2
                        let weight =
                            if layer == 0 {
                                mixed(network.first, planes, pitch: 2 * rows * features, index)
                            } else if isLast {
                                mixed(network.last, planes, pitch: 8 * rows, index)
                            } else {
                                Int(network.middle[(layer - 1) * 2 * sources * features + index])
                            }
                        largest = max(largest, abs(weight))
                        var reach = 32_768
                        if isLast, place < 2 * sources {
                            let plane = middles * Int(network.planes) * features
                            let slope = mixed(network.slopes + plane, planes, pitch: features, place % features)
                            reach = min(max(slope, 0), 32_440) + 1
                        }
                        high += max(weight, 0) * 32_768 + max(-weight, 0) * reach
                        low += max(-weight, 0) * 32_768 + max(weight, 0) * reach
                    }
                    let slack = layer == 0 ? 2 * rows : isLast ? 2 * rows : 0
                    #expect(largest + slack <= Int(Int16.max))
                    let shift = Int(network.shifts[layer])
                    let plane = layer * Int(network.planes) * features
                    // The last layer's bias makes up for its answer to a constant picture, which is about a tenth of this.
                    let bias = isLast ? 1 << 25 : abs(mixed(network.biases + plane, planes, pitch: features, output))
                    let added = isLast ? 1 << (shift + 16) : 1 << shift
                    #expect(
                        max(high, low) + slack * 32_768 + bias + added <= Int(Int32.max),
                        "\(planes), layer \(layer), output \(output)")
                }
            }
        }
    }
}
