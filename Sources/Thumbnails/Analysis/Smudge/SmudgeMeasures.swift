import Foundation

/// What a smudge does to a picture: in one part fine steps are gone and dark places are lifted, while coarse structure
/// goes on and the rest is sharp. Haze and motion blur do it everywhere, an even sky has nothing to lose.
package struct SmudgeMeasures: Sendable {
    /// Features in the order of ``weights``.
    package let features: [Float]

    init(_ picture: AnalysisPicture) {
        let side = 16
        let map = SmudgeTiles(picture, side: side)
        features = map.features
    }

    /// Fitted by logistic regression on drawn smudges over one half of real frames; see `.ci/thumbnails`.
    package static let weights: [Float] = []
    package static let bias: Float = 0

    package var confidence: Float {
        guard features.count == Self.weights.count else { return 0 }
        let sum = zip(features, Self.weights).reduce(Self.bias) { $0 + $1.0 * $1.1 }
        return 1 / (1 + exp(-sum))
    }
}

/// Fine and coarse structure and the darkest level of equal tiles.
struct SmudgeTiles {
    let features: [Float]

    init(_ picture: AnalysisPicture, side: Int) {
        let luma = picture.luma
        let (w, h) = (luma.width, luma.height)
        // Detail of three sizes: what remains between blurs of the half-size luma.
        let small = luma.boxMeans(rx: 1, ry: 1)
        let medium = small.boxMeans(rx: 3, ry: 3)
        let large = medium.boxMeans(rx: 9, ry: 9)
        var fine = FloatPlane(width: w, height: h), coarse = fine
        for index in fine.values.indices {
            fine.values[index] = abs(luma.values[index] - small.values[index])
            coarse.values[index] = abs(medium.values[index] - large.values[index])
        }
        let fineTiles = fine.reduced(width: side, height: side).values
        let coarseTiles = coarse.reduced(width: side, height: side).values
        let levels = luma.reduced(width: side, height: side).values
        var floors = [Float](repeating: 0, count: side * side)
        for j in 0..<side {
            for i in 0..<side {
                var least: Float = 255
                for y in j * h / side..<max(j * h / side + 1, (j + 1) * h / side) {
                    for x in i * w / side..<max(i * w / side + 1, (i + 1) * w / side) {
                        least = min(least, small[x, y])
                    }
                }
                floors[j * side + i] = least
            }
        }
        let noise = picture.noise.sigma / picture.reduction * 0.5
        var ratio = [Float](repeating: 0, count: side * side)
        for index in ratio.indices {
            ratio[index] = max(0, fineTiles[index] - 0.5 * noise - 0.15) / (coarseTiles[index] + 1.5)
        }
        let sortedRatio = ratio.sorted()
        let sharpest = max(0.02, sortedRatio[side * side * 9 / 10])
        let floorLow = floors.sorted()[side * side / 10]
        // Tiles that have coarse structure, but far less fine structure than the sharp ones have.
        var soft = [Bool](repeating: false, count: side * side)
        var lifts: [Float] = [], (softCoarse, sharpCoarse): (Float, Float) = (0, 0)
        for index in ratio.indices {
            soft[index] = ratio[index] < 0.3 * sharpest && floors[index] > floorLow + 12
            if soft[index] {
                lifts.append((floors[index] - floorLow) / 255)
                softCoarse += coarseTiles[index]
            } else {
                sharpCoarse += coarseTiles[index]
            }
        }
        let softCount = Float(lifts.count), total = Float(side * side)
        let region = Self.largestRegion(soft, side: side)
        let inside = Self.insideShare(region.cells, side: side)
        var (fineIn, coarseIn, fineRing, coarseRing, levelIn, levelRing, ring):
            (Float, Float, Float, Float, Float, Float, Float) =
                (0, 0, 0, 0, 0, 0, 0)
        let member = Set(region.cells)
        var ringSet = Set<Int>()
        for index in region.cells {
            fineIn += fineTiles[index]
            coarseIn += coarseTiles[index]
            levelIn += levels[index]
            let (x, y) = (index % side, index / side)
            for j in max(0, y - 2)...min(side - 1, y + 2) {
                for i in max(0, x - 2)...min(side - 1, x + 2) where !member.contains(j * side + i) {
                    ringSet.insert(j * side + i)
                }
            }
        }
        for index in ringSet.sorted() {
            fineRing += fineTiles[index]
            coarseRing += coarseTiles[index]
            levelRing += levels[index]
            ring += 1
        }
        let n = max(1, Float(region.cells.count)), m = max(1, ring)
        func logRatio(_ a: Float, _ b: Float) -> Float { max(-4, min(4, log((a + 0.1) / (b + 0.1)))) }
        features = [
            softCount / total,
            Float(region.cells.count) / total,
            inside,
            lifts.isEmpty ? 0 : lifts.reduce(0, +) / softCount,
            logRatio(softCoarse / max(1, softCount), sharpCoarse / max(1, total - softCount)),
            logRatio(fineIn / n, fineRing / m),
            logRatio(coarseIn / n, coarseRing / m),
            (levelIn / n - levelRing / m) / 255,
            sharpest,
            picture.light.veil,
            region.compactness,
            sortedRatio[side * side / 4] / sharpest,
        ]
    }

    private static func largestRegion(_ mask: [Bool], side: Int) -> (cells: [Int], compactness: Float) {
        var seen = [Bool](repeating: false, count: mask.count)
        var best: [Int] = []
        for start in mask.indices where mask[start] && !seen[start] {
            var cells: [Int] = [], stack = [start]
            seen[start] = true
            while let index = stack.popLast() {
                cells.append(index)
                let (x, y) = (index % side, index / side)
                for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                    let (nx, ny) = (x + dx, y + dy)
                    guard nx >= 0, nx < side, ny >= 0, ny < side, mask[ny * side + nx], !seen[ny * side + nx] else {
                        continue
                    }
                    seen[ny * side + nx] = true
                    stack.append(ny * side + nx)
                }
            }
            if cells.count > best.count { best = cells }
        }
        guard !best.isEmpty else { return ([], 0) }
        let xs = best.map { $0 % side }, ys = best.map { $0 / side }
        let box = ((xs.max() ?? 0) - (xs.min() ?? 0) + 1) * ((ys.max() ?? 0) - (ys.min() ?? 0) + 1)
        return (best.sorted(), Float(best.count) / Float(box))
    }

    private static func insideShare(_ cells: [Int], side: Int) -> Float {
        guard !cells.isEmpty else { return 0 }
        let inner = cells.count { $0 % side > 0 && $0 % side < side - 1 && $0 / side > 0 && $0 / side < side - 1 }
        return Float(inner) / Float(cells.count)
    }
}
