import Kernels

/// The middle layers of a network as pairs of rows take them, made once from the trained numbers.
///
/// `@unchecked Sendable`: written once in the initialiser; the memory behind the pointers is never freed.
struct DoublerTwins: @unchecked Sendable {
    /// One for each middle layer; none where a weight does not fit.
    let layers: [vfx_doubler_twin]

    static let normal = DoublerTwins(VFX_DOUBLER_NORMAL)
    static let quality = DoublerTwins(VFX_DOUBLER_QUALITY)
    static let compressed = DoublerTwins(VFX_DOUBLER_COMPRESSED)

    private init(_ model: vfx_doubler_model) {
        let network = vfx_doubler_network_of(model).pointee
        let twins = (1...Int(network.middles)).compactMap { Self.twin(of: network.layers + $0) }
        layers = twins.count == Int(network.middles) ? twins : []
    }

    /// - Returns: nil where a weight does not fit.
    ///
    /// Sums cannot overflow: those of whole rows fit 32 bits with features twice as large, whose sums are half of the mixes'.
    private static func twin(of layer: UnsafePointer<vfx_doubler_layer>) -> vfx_doubler_twin? {
        // Weights of one row of the kernel, in a block of four outputs.
        let row = Int(layer.pointee.sources) / 3 * 8, blocks = Int(layer.pointee.outputs) / 4
        var mixed: [Int16] = []
        for block in 0..<blocks {
            let kernel = (0..<3).map { r in (0..<row).map { Int(layer.pointee.weights[(3 * block + r) * row + $0]) } }
            let sums = zip(kernel[0], kernel[2]).map { $0 + $1 }
            let mixes = [
                kernel[0], zip(sums, kernel[1]).map { $0 + $1 }, zip(sums, kernel[1]).map { $0 - $1 },
                kernel[2].map { -$0 },
            ]
            for weight in mixes.joined() {
                guard let weight = Int16(exactly: weight) else { return nil }
                mixed.append(weight)
            }
        }
        let weights = UnsafeMutablePointer<Int16>.allocate(capacity: mixed.count)
        weights.initialize(from: mixed, count: mixed.count)
        return vfx_doubler_twin(weights: weights, layer: layer, sources: Int32(row / 8))
    }
}
