import FrameCore

/// The distribution of the samples of a plane's pattern of grain, over several seeds.
struct GrainPattern {
    /// The samples from which decoders take blocks, at each edge of the pattern.
    private static let margin = 9
    private static let seeds: [UInt16] = [1, 7391, 14_762, 22_133, 29_504, 36_875, 44_246, 51_617]

    /// The number of samples of each value, from −`half` to `half` − 1.
    private var counts: [Int]
    private let half: Int

    private init(depth: Int) {
        half = 128 << (depth - 8)
        counts = [Int](repeating: 0, count: 2 * half)
    }

    /// Returns the patterns of all planes of color, as a decoder makes them.
    static func patterns(of grain: FilmGrain, format: PixelFormat, depth: Int) -> [GrainPattern] {
        var patterns = (0..<format.colorPlaneCount).map { _ in GrainPattern(depth: depth) }
        var grain = grain
        for seed in seeds {
            grain.seed = seed
            let luma = GrainTemplate(lumaOf: grain, bitDepth: depth)
            patterns[0].add(luma)
            for plane in patterns.indices.dropFirst() {
                patterns[plane].add(
                    GrainTemplate(
                        chroma: plane - 1, of: grain, luma: luma, subsampling: format.subsampling, bitDepth: depth))
            }
        }
        return patterns
    }

    private mutating func add(_ template: GrainTemplate) {
        let marginX = template.width < 2 * Self.margin * 3 ? Self.margin - GrainTemplate.border : Self.margin
        let marginY = template.height < 2 * Self.margin * 3 ? Self.margin - GrainTemplate.border : Self.margin
        for y in marginY..<template.height {
            for x in marginX..<template.width - marginX {
                counts[Int(template.values[y * template.width + x]) + half] += 1
            }
        }
    }

    private var total: Double { Double(counts.reduce(0, +)) }

    /// The variance, in code values squared.
    var variance: Double { variance { $0 } }

    /// Whether few samples are clipped; many are if the filter rings.
    var isStable: Bool { Double(counts[0] + counts[2 * half - 1]) <= 0.01 * total }

    /// Returns the variance of the grain for each factor 0…255, rounded to code values.
    func roundedVariances(shift: Int) -> [Double] {
        (0..<256).map { factor in variance { round2(factor * $0, shift) } }
    }

    private func variance(_ map: (Int) -> Int) -> Double {
        var sum = 0, squares = 0
        for (index, count) in counts.enumerated() where count > 0 {
            let value = map(index - half)
            sum += count * value
            squares += count * value * value
        }
        let mean = Double(sum) / total
        return Double(squares) / total - mean * mean
    }
}
