import Kernels

/// The middle layers of a network for Winograd's F(2, 3), made once from the trained numbers (S. Winograd 1980; A. Lavin and
/// S. Gray, Fast Algorithms for Convolutional Neural Networks, CVPR 2016).
///
/// `@unchecked Sendable`: written once in the initialiser; the memory behind the pointers is never freed.
struct WinogradLayers: @unchecked Sendable {
    /// One for each middle layer; none where a weight does not fit.
    let layers: [vfx_superres_winograd_layer]

    static let normal = WinogradLayers(VFX_SUPERRES_NORMAL)
    static let quality = WinogradLayers(VFX_SUPERRES_QUALITY)
    static let compressed = WinogradLayers(VFX_SUPERRES_COMPRESSED)

    private init(_ model: vfx_superres_model) {
        let network = vfx_superres_network_of(model).pointee
        let layers = (1...Int(network.middles)).compactMap { Self.transformed(network.layers + $0) }
        self.layers = layers.count == Int(network.middles) ? layers : []
    }

    /// The kernel transform of a layer; nil where a weight does not fit.
    ///
    /// Sums cannot overflow: those of whole rows fit 32 bits with features twice as large, whose sums are half of the
    /// transformed ones'.
    private static func transformed(_ layer: UnsafePointer<vfx_superres_layer>) -> vfx_superres_winograd_layer? {
        // Weights of one row of the kernel, in a block of four outputs.
        let row = Int(layer.pointee.sources) / 3 * 8, blocks = Int(layer.pointee.outputs) / 4
        var transformed: [Int16] = []
        for block in 0..<blocks {
            let kernel = (0..<3).map { r in (0..<row).map { Int(layer.pointee.weights[(3 * block + r) * row + $0]) } }
            let sums = zip(kernel[0], kernel[2]).map { $0 + $1 }
            let parts = [
                kernel[0], zip(sums, kernel[1]).map { $0 + $1 }, zip(sums, kernel[1]).map { $0 - $1 },
                kernel[2].map { -$0 },
            ]
            for weight in parts.joined() {
                guard let weight = Int16(exactly: weight) else { return nil }
                transformed.append(weight)
            }
        }
        let weights = UnsafeMutablePointer<Int16>.allocate(capacity: transformed.count)
        weights.initialize(from: transformed, count: transformed.count)
        return vfx_superres_winograd_layer(weights: weights, layer: layer, sources: Int32(row / 8))
    }
}
