import Motion

/// Standard deviation of the noise of each plane, in code values of the picture's depth; that of luma by brightness.
struct NoiseProfile: Sendable, Hashable {
    /// Ranges of brightness, equally wide from black to white.
    static let binCount = 16

    var luma: [Float]
    var chroma: [Float]

    /// The same everywhere.
    init(sigma: Float) {
        luma = .init(repeating: sigma, count: Self.binCount)
        chroma = [sigma, sigma]
    }

    init(luma: [Float], chroma: [Float]) {
        self.luma = luma
        self.chroma = chroma
    }

    /// Mean over brightness.
    var meanLuma: Float { luma.reduce(0, +) / Float(luma.count) }

    /// That of the noisiest plane and brightness.
    var most: Float { max(luma.max() ?? 0, chroma.max() ?? 0) }

    /// - Parameter brightness: 0…255, linear between the middles of the ranges.
    func luma(at brightness: Float) -> Float {
        let place = brightness * (Float(Self.binCount) / 256) - 0.5
        let low = min(max(Int(place.rounded(.down)), 0), Self.binCount - 1), high = min(low + 1, Self.binCount - 1)
        let part = min(max(place - Float(low), 0), 1)
        return luma[low] + (luma[high] - luma[low]) * part
    }

    /// Of each block of a picture, by its brightness.
    func lumaSigma(_ blocks: BlockRows, _ pyramid: LumaPyramid) -> @Sendable (_ column: Int, _ row: Int) -> Float {
        if let first = luma.first, luma.allSatisfy({ $0 == first }) { return { _, _ in first } }
        let shift = min(3, pyramid.levels.count - 1), means = pyramid.levels[shift], half = BlockRows.side / 2
        return { column, row in
            let x = (blocks.x(column) + half) >> shift, y = (blocks.y(row) + half) >> shift
            return luma(at: Float(means.bytes[y * means.stride + x]))
        }
    }
}
