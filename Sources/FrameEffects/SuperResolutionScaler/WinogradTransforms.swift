/// The weights of a network's middle layers, transformed for Winograd's F(2, 3), computed once (S. Winograd, 1980; A. Lavin
/// and S. Gray, Fast Algorithms for Convolutional Neural Networks, CVPR 2016).
///
/// `@unchecked Sendable`: written once in the initializer; the memory behind the pointers is never freed.
struct WinogradTransforms: @unchecked Sendable {
    /// One entry for each middle layer; empty if a transformed weight does not fit 16 bits.
    let weights: [UnsafePointer<Int16>]
    /// Rows of pairs in each of the four parts that a transformed layer reads.
    let sources: Int

    /// - Parameters:
    ///   - layers: the weights of each middle layer.
    ///   - sources: rows of pairs that a middle layer reads.
    ///   - outputs: channels of a middle layer.
    init(_ layers: [UnsafePointer<Int16>], sources: Int, outputs: Int) {
        let transformed = layers.compactMap { Self.transformed($0, sources: sources, outputs: outputs) }
        self.sources = sources / 3
        guard transformed.count == layers.count else {
            weights = []
            return
        }
        weights = transformed.map { values in
            let memory = UnsafeMutablePointer<Int16>.allocate(capacity: values.count)
            memory.initialize(from: values, count: values.count)
            return UnsafePointer(memory)
        }
    }

    /// Returns transformed weights; nil if one does not fit 16 bits.
    ///
    /// Sums cannot overflow: direct sums fit 32 bits for features of up to 2¹⁵. Here features are at most 2¹⁴, which
    /// compensates for the transformed sums being twice as large.
    private static func transformed(_ weights: UnsafePointer<Int16>, sources: Int, outputs: Int) -> [Int16]? {
        // Weights of one kernel row, in a block of four outputs.
        let row = sources / 3 * 8
        var transformed: [Int16] = []
        for block in 0..<outputs / 4 {
            let kernel = (0..<3).map { r in (0..<row).map { Int(weights[(3 * block + r) * row + $0]) } }
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
        return transformed
    }
}
