internal import Glibc

/// Recognizes the effect of a smudged lens: in one part of the picture fine detail is gone and dark places are lifted,
/// while coarse structure remains and the rest is sharp. Haze and motion blur affect the whole picture, and a plain sky
/// has no detail to lose.
///
/// The features are measured on a 16 × 16 grid of tiles: structure, darkness and color, and the largest soft, veiled
/// patches.
struct SmudgeClassifier {
    private static let side = 16
    private static let count = side * side

    /// The features in the order of ``weights``, each −6…6.
    let features: [Float]

    /// Fitted by logistic regression on smudges drawn over one half of a set of real frames; see
    /// `Tests/Measurements/FrameAnalysis`.
    private static let weights: [Float] = [
        -0.271, -0.064, -0.179, -0.199, -0.122, 0.273, 0.353, -0.079, 0.051, 0.277, 0.412, 0.155, 0.337,
        -0.472, 2.799, 1.403, 2.569, -1.33, -1.177, 1.429, 0.496, -0.061, -0.091, 0.428, 0.859, -0.722,
        -0.101, 1.066, -1.223, -0.228, 4.721, 0.282, 0.202, 0.131, 1.168, -1.134, 0.995, 1.079, 0.963,
        -1.023, -0.187, 3.298, 0.067, -0.419, 0.155, 0.011, -0.091, 0.935, 1.003, 0.358, -1.783, -1.51,
        1.6, 0.146, -0.159, 0.089, 0.532, 0.677,
    ]
    private static let bias: Float = -3.9682

    /// The probability of a smudge: 0 (clean) … 1 (smudged).
    var confidence: Float {
        guard features.count == Self.weights.count else { return 0 }
        let sum = zip(features, Self.weights).reduce(Self.bias) { $0 + $1.0 * $1.1 }
        return 1 / (1 + exp(-sum))
    }

    /// Measures of one tile, in 8-bit levels.
    private struct Tile {
        /// The largest difference between a sample and the mean of its 3 × 3 neighbourhood.
        var step: Float = 0
        var darkest: Float = 255
        var brightest: Float = 0
        /// Mean coarse structure, some tens of samples wide.
        var coarse: Float = 0
        var saturation: Float = 0
    }

    init(_ picture: AnalysisPicture) {
        let tiles = Self.tiles(picture)
        let count = Self.count
        let steps = tiles.map { log($0.step + 0.5) }
        let sortedSteps = steps.sorted()
        func at(_ sorted: [Float], _ share: Float) -> Float { sorted[min(count - 1, Int(share * Float(count)))] }
        let levels = [0.05, 0.2, 0.4, 0.6, 0.8, 0.95].map { at(sortedSteps, Float($0)) }
        // Sharpness relative to coarse structure.
        let ratios = tiles.map { log(($0.step + 0.5) / ($0.coarse + 1)) }
        let sortedRatios = ratios.sorted()
        let crisp = Float(tiles.count { $0.step > 8 }) / Float(count)
        var found = levels + [levels[5] - levels[0], levels[4] - levels[1]]
        found += [0.05, 0.2, 0.5, 0.8, 0.95].map { at(sortedRatios, Float($0)) } + [crisp]
        let usual = exp(levels[4]), best = at(sortedRatios, 0.8)
        let masks: [[Bool]] = [
            tiles.map { $0.step < 0.3 * usual && $0.coarse > 1 }, tiles.map { $0.step < 4 && $0.coarse > 1.5 },
            tiles.indices.map { ratios[$0] < best - 1.2 && tiles[$0].coarse > 0.8 },
            tiles.map { $0.step < 6 && $0.darkest > 40 },
        ]
        for mask in masks {
            found += Self.features(of: TileRegion(largestIn: mask, side: Self.side), tiles, steps, crisp)
        }
        features = found.map { max(-6, min(6, $0)) }
    }

    private static func features(
        of region: TileRegion, _ tiles: [Tile], _ steps: [Float], _ crisp: Float
    ) -> [Float] {
        guard !region.cells.isEmpty else { return [Float](repeating: 0, count: 11) }
        var outside = region.ring
        if outside.isEmpty { outside = region.outside }
        if outside.isEmpty { outside = region.cells }
        func mean(_ cells: [Int], _ value: (Int) -> Float) -> Float {
            cells.reduce(Float(0)) { $0 + value($1) } / Float(max(1, cells.count))
        }
        let inside = region.cells
        let share = Float(inside.count) / Float(count)
        let step = mean(inside) { steps[$0] }
        return [
            share, share.squareRoot(), (share * crisp).squareRoot(),
            (mean(inside) { tiles[$0].darkest } - mean(outside) { tiles[$0].darkest }) / 255,
            (inside.map { tiles[$0].darkest }.min() ?? 0) / 255,
            (mean(inside) { tiles[$0].brightest } - mean(outside) { tiles[$0].brightest }) / 255,
            log((mean(inside) { tiles[$0].saturation } + 2) / (mean(outside) { tiles[$0].saturation } + 2)),
            mean(inside) { tiles[$0].coarse } / 10, step - mean(outside) { steps[$0] },
            (inside.map { steps[$0] }.max() ?? 0) - step, region.density,
        ]
    }

    private static func tiles(_ picture: AnalysisPicture) -> [Tile] {
        let luma = picture.luma
        let (w, h) = (luma.width, luma.height)
        let g1 = luma.boxMeans(rx: 1, ry: 1), g2 = g1.boxMeans(rx: 2, ry: 2)
        let g4 = g2.boxMeans(rx: 4, ry: 4), g8 = g4.boxMeans(rx: 8, ry: 8)
        func difference(_ a: FloatPlane, _ b: FloatPlane) -> FloatPlane {
            var out = a
            for index in out.values.indices { out.values[index] = abs(a.values[index] - b.values[index]) }
            return out
        }
        let finest = difference(luma, g1)
        let (c2, c4) = (
            difference(g2, g4).reduced(width: side, height: side).values,
            difference(g4, g8).reduced(width: side, height: side).values
        )
        let blue = picture.chroma.blue.reduced(width: side, height: side).values
        let red = picture.chroma.red.reduced(width: side, height: side).values
        var tiles = [Tile](repeating: Tile(), count: count)
        for y in 0..<h {
            let row = y * side / h * side
            for x in 0..<w {
                let tile = row + x * side / w
                let level = g1.values[y * w + x]
                tiles[tile].step = max(tiles[tile].step, finest.values[y * w + x])
                tiles[tile].darkest = min(tiles[tile].darkest, level)
                tiles[tile].brightest = max(tiles[tile].brightest, level)
            }
        }
        for index in 0..<count {
            tiles[index].coarse = c2[index] + c4[index]
            tiles[index].saturation = (blue[index] * blue[index] + red[index] * red[index]).squareRoot()
        }
        return tiles
    }
}
