/// Exposure, contrast and color of a picture as displayed; 0…1 unless stated otherwise.
struct LightMeasures: Sendable {
    let mean: Float
    let median: Float
    /// The 1st, 5th, 95th and 99th percentile of luma.
    let p1: Float
    let p5: Float
    let p95: Float
    let p99: Float
    /// Standard deviation of luma.
    let deviation: Float
    /// Fraction of the picture clipped at the dark and at the bright end of the range.
    let clippedDark: Float
    let clippedBright: Float
    /// Fraction of samples in the 6 fullest of 128 histogram bins, about a twentieth of them.
    let uniformity: Float
    /// Fraction of samples within 6 of 255 levels of the most common one.
    let commonestShare: Float
    /// Hasler and Süsstrunk's colorfulness; not normalized, 0 to 110 and above.
    let colorfulness: Float
    /// Mean of the dark channel (the minimum over R, G, B and a small neighbourhood): high in haze.
    let veil: Float

    init(_ picture: AnalysisPicture) {
        var histogram = [Int](repeating: 0, count: 256)
        var (sum, squares) = (0.0, 0.0)
        for value in picture.luma.values {
            histogram[max(0, min(255, Int(value + 0.5)))] += 1
            sum += Double(value)
            squares += Double(value) * Double(value)
        }
        let count = Double(picture.luma.values.count)
        mean = Float(sum / count / 255)
        deviation = Float((max(0, squares / count - sum / count * sum / count)).squareRoot() / 255)
        func quantile(_ share: Double) -> Float {
            var seen = 0
            for (level, n) in histogram.enumerated() {
                seen += n
                if Double(seen) >= share * count { return Float(level) / 255 }
            }
            return 1
        }
        (p1, p5, median, p95, p99) = (quantile(0.01), quantile(0.05), quantile(0.5), quantile(0.95), quantile(0.99))
        clippedDark = Float(Double(histogram[...5].reduce(0, +)) / count)
        let pairs: [Int] = (0..<128).map { (index: Int) -> Int in
            histogram[2 * index] + histogram[2 * index + 1]
        }.sorted(by: >)
        uniformity = Float(Double(pairs[..<6].reduce(0, +)) / count)
        let commonest: [Int] = (0..<256).map { (level: Int) -> Int in
            histogram[max(0, level - 6)...min(255, level + 6)].reduce(0, +)
        }
        commonestShare = Float(Double(commonest.max() ?? 0) / count)

        colorfulness = Self.colorfulness(picture)
        (clippedBright, veil) = Self.brightEnds(picture)
    }

    private static func colorfulness(_ picture: AnalysisPicture) -> Float {
        let (blue, red) = picture.chroma
        var (a, b, aa, bb) = (0.0, 0.0, 0.0, 0.0)
        for (u, v) in zip(blue.values, red.values) {
            // Red minus green and yellow minus blue under the full-range BT.601 matrix; luma cancels out.
            let (rg, yb) = (2.116 * Double(v) + 0.344 * Double(u), 0.344 * Double(v) - 1.944 * Double(u))
            a += rg
            b += yb
            aa += rg * rg
            bb += yb * yb
        }
        let samples = Double(blue.values.count)
        (a, b, aa, bb) = (a / samples, b / samples, aa / samples, bb / samples)
        let spread = max(0, aa - a * a + bb - b * b).squareRoot()
        return Float(spread + 0.3 * (a * a + b * b).squareRoot())
    }

    /// Returns the fraction of blown highlights, and the mean of the dark channel (`veil`).
    private static func brightEnds(_ picture: AnalysisPicture) -> (clipped: Float, veil: Float) {
        let (blue, red) = picture.chroma
        var darkest = picture.luma.halved()
        // Colored light clips two channels long before luma; a single clipped channel is a pure color and may be
        // intended.
        var burnt = 0
        for index in darkest.values.indices {
            let (y, u, v) = (darkest.values[index], blue.values[index], red.values[index])
            let (r, g, b) = (y + 1.402 * v, y - 0.344 * u - 0.714 * v, y + 1.772 * u)
            darkest.values[index] = min(r, g, b)
            if r + g + b - max(r, g, b) - min(r, g, b) >= 247 { burnt += 1 }
        }
        let clipped = Float(burnt) / Float(max(1, darkest.values.count))
        var (veilSum, cells): (Float, Float) = (0, 0)
        for y in stride(from: 0, to: darkest.height - 3, by: 4) {
            for x in stride(from: 0, to: darkest.width - 3, by: 4) {
                var least: Float = 255
                for j in 0..<4 { for i in 0..<4 { least = min(least, darkest[x + i, y + j]) } }
                veilSum += max(0, least)
                cells += 1
            }
        }
        return (clipped, veilSum / max(1, cells) / 255)
    }
}
