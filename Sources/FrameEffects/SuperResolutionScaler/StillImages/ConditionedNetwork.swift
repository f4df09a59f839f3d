import Kernels

/// A network that depends on the condition of a picture. The weights for one condition are mixed from planes, with whole
/// numbers only (see `Training/StillImages/README.md` and `Training/Restoration/README.md`).
///
/// `@unchecked Sendable`: the tables are constant.
struct ConditionedNetwork: @unchecked Sendable {
    /// The network for still images.
    static let image = ConditionedNetwork(vfx_superres_image_network().pointee, block: 1)
    /// The network that cleans compressed pictures.
    static let restoration = restoration(VFX_SUPERRES_RESTORATION_FULL)
    /// Smaller ones, for frames that are enlarged afterwards.
    static let lightRestoration = restoration(VFX_SUPERRES_RESTORATION_LIGHT)
    static let smallRestoration = restoration(VFX_SUPERRES_RESTORATION_SMALL)

    private static func restoration(_ size: vfx_superres_restoration_size) -> ConditionedNetwork {
        ConditionedNetwork(vfx_superres_restoration_network(size).pointee, block: 2)
    }

    private let tables: vfx_superres_conditioned_network
    private let channels: Int
    private let middles: Int
    /// Samples of a position on either axis; see ``NetworkWeights/block``.
    private let block: Int
    /// Rows of pairs that the first layer reads.
    private let pictureSources: Int
    /// Rows of pairs that a middle layer reads.
    private let sources: Int
    private let transforms: WinogradTransforms
    /// Of each middle layer, the sums of its 3×3 kernels, by output and input.
    private let kernelSums: [[Int]]

    private init(_ tables: vfx_superres_conditioned_network, block: Int) {
        self.tables = tables
        self.block = block
        // 5×5 positions: in pairs of neighbours, of which the last is incomplete, or whole blocks.
        pictureSources = block == 1 ? 5 * 3 : 10 * 5
        let channels = Int(tables.channels), sources = 9 * channels / 2
        (self.channels, self.sources, middles) = (channels, sources, Int(tables.middles))
        let layers = (0..<Int(tables.middles)).map { tables.middle + $0 * 2 * sources * channels }
        transforms = WinogradTransforms(layers, sources: sources, outputs: channels)
        kernelSums = layers.map { weights in
            var sums = [Int](repeating: 0, count: channels * channels)
            for output in 0..<channels {
                for place in 0..<2 * sources {
                    let input = place % channels
                    sums[output * channels + input] += Int(weights[Self.index(output, place, of: sources)])
                }
            }
            return sums
        }
    }

    /// Returns where the weight of a value in a row of pairs is, in the kernels' order.
    ///
    /// - Parameter place: twice the source, plus one for the second value of its pair.
    private static func index(_ output: Int, _ place: Int, of sources: Int) -> Int {
        (output / 4 * sources + place / 2) * 8 + output % 4 * 2 + place % 2
    }

    /// Returns the network for a condition.
    ///
    /// - Parameter planes: the weights of the planes, in 1/256.
    func weights(_ planes: [Int]) -> NetworkWeights {
        let features = (middles + 1) * channels, firstCount = 2 * pictureSources * channels
        let lastCount = 8 * (sources + pictureSources)
        let memory = NetworkMemory(
            layers: middles + 2, weights: firstCount + lastCount, biases: features + 4, slopes: features)
        let first = memory.weights, last = first + firstCount
        for index in 0..<firstCount { first[index] = Int16(mixed(tables.first, planes, firstCount, index)) }
        for index in 0..<lastCount { last[index] = Int16(mixed(tables.last, planes, lastCount, index)) }
        center(first, last)
        for layer in 0...middles {
            for channel in 0..<channels {
                let plane = layer * Int(tables.planes) * channels, index = layer * channels + channel
                memory.biases[index] = Int32(mixed(tables.biases + plane, planes, channels, channel))
                let slope = mixed(tables.slopes + plane, planes, channels, channel)
                memory.slopes[index] = Int16(min(max(slope, -Self.steepest), Self.steepest))
            }
        }
        let answer = answerToConstant(memory, last)
        for output in 0..<4 { memory.biases[features + output] = Int32(-answer[output]) }
        list(memory, first, last)
        return NetworkWeights(
            channels: channels, middles: middles, block: block, layers: UnsafePointer(memory.layers),
            transforms: transforms, owner: memory)
    }

    /// The steepest slope for negative values, in 1/32768.
    private static let steepest = 32_440

    /// Returns the weighted sum of the planes at a place.
    private func mixed<Value: FixedWidthInteger>(
        _ table: UnsafePointer<Value>, _ planes: [Int], _ pitch: Int, _ index: Int
    ) -> Int {
        var sum = 128
        for (plane, weight) in planes.enumerated() { sum += weight * Int(table[plane * pitch + index]) }
        return sum >> 8
    }

    /// Makes up for rounding: a constant offset has no effect on the first layer, and passes the linear upscale unchanged.
    private func center(_ first: UnsafeMutablePointer<Int16>, _ last: UnsafeMutablePointer<Int16>) {
        for output in 0..<channels {
            let places = (0..<2 * pictureSources).map { Self.index(output, $0, of: pictureSources) }
            let sum = places.reduce(0) { $0 + Int(first[$1]) }
            // The first of the largest.
            let largest = places.reduce(places[0]) { abs(Int(first[$1])) > abs(Int(first[$0])) ? $1 : $0 }
            first[largest] = Int16(Int(first[largest]) - sum)
        }
        for output in 0..<4 {
            let places = (2 * sources..<2 * (sources + pictureSources)).map {
                Self.index(output, $0, of: sources + pictureSources)
            }
            let sum = places.reduce(0) { $0 + Int(last[$1]) }, middle = places[middlePlace(output)]
            last[middle] = Int16(Int(last[middle]) + 1 << Int(tables.shifts[middles + 1]) - sum)
        }
    }

    /// Returns the place of the sample in what the first layer reads that is where an output is.
    private func middlePlace(_ output: Int) -> Int {
        block == 1 ? 2 * (2 * 3 + 1) : 2 * ((4 + output / 2) * 5 + 2) + output % 2
    }

    /// Returns what the convolutions answer to a constant picture, whatever its value.
    private func answerToConstant(_ memory: NetworkMemory, _ last: UnsafePointer<Int16>) -> [Int] {
        var features = [Int](repeating: 0, count: channels)
        for layer in 0...middles {
            let before = features, shift = Int(tables.shifts[layer])
            for channel in 0..<channels {
                let index = layer * channels + channel
                var sum = Int(memory.biases[index])
                if layer > 0 {
                    let sums = kernelSums[layer - 1]
                    for input in 0..<channels { sum += sums[channel * channels + input] * before[input] }
                }
                let value = min(max((sum + 1 << (shift - 1)) >> shift, -32_768), 32_767)
                features[channel] = value < 0 ? (value * Int(memory.slopes[index]) + 16_384) >> 15 : value
            }
        }
        return (0..<4).map { output in
            (0..<2 * sources).reduce(0) { sum, place in
                sum + Int(last[Self.index(output, place, of: sources + pictureSources)]) * features[place % channels]
            }
        }
    }

    private func list(_ memory: NetworkMemory, _ first: UnsafePointer<Int16>, _ last: UnsafePointer<Int16>) {
        for layer in 0..<middles + 2 {
            let isFirst = layer == 0, isLast = layer == middles + 1
            memory.layers[layer] = vfx_superres_layer(
                weights: isFirst ? first : isLast ? last : tables.middle + (layer - 1) * 2 * sources * channels,
                bias: UnsafePointer(memory.biases) + layer * channels,
                slopes: isLast ? nil : UnsafePointer(memory.slopes) + layer * channels,
                sources: Int32(isFirst ? pictureSources : isLast ? sources + pictureSources : sources),
                outputs: Int32(isLast ? 4 : channels), shift: tables.shifts[layer])
        }
    }
}
