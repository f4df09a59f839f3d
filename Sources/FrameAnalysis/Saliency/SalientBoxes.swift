/// Rectangles round what stands out in a heat map.
enum SalientBoxes {
    /// - Returns: at most `limit` boxes, that with the most heat first; none for an even map.
    static func find(_ map: FloatPlane, limit: Int) -> [(box: NormalizedRect, confidence: Float)] {
        let threshold = max(0.4, cut(map))
        let regions = connectedRegions(in: map.values.map { $0 >= threshold }, width: map.width).map { cells in
            var region = (x0: map.width, y0: map.height, x1: 0, y1: 0, heat: Float(0), count: cells.count)
            for index in cells {
                let (x, y) = (index % map.width, index / map.width)
                region.x0 = min(region.x0, x)
                region.x1 = max(region.x1, x + 1)
                region.y0 = min(region.y0, y)
                region.y1 = max(region.y1, y + 1)
                region.heat += map.values[index]
            }
            return region
        }
        let least = map.values.count / 200
        let ranked = regions.filter { $0.count >= least }.sorted { ($0.heat, $1.y0, $1.x0) > ($1.heat, $0.y0, $0.x0) }
        return ranked.prefix(limit).map { region in
            let (w, h) = (Double(map.width), Double(map.height))
            let box = NormalizedRect(
                x: Double(region.x0) / w, y: 1 - Double(region.y1) / h, width: Double(region.x1 - region.x0) / w,
                height: Double(region.y1 - region.y0) / h)
            return (box, region.heat / Float(region.count))
        }
    }

    /// Otsu's threshold: where the two parts of the values differ most.
    private static func cut(_ map: FloatPlane) -> Float {
        var histogram = [Float](repeating: 0, count: 64)
        for value in map.values { histogram[max(0, min(63, Int(value * 63)))] += 1 }
        let total = Float(map.values.count)
        let sum = histogram.enumerated().reduce(Float(0)) { $0 + Float($1.offset) * $1.element }
        var (below, belowSum, best, threshold): (Float, Float, Float, Int) = (0, 0, -1, 32)
        for level in 0..<63 {
            below += histogram[level]
            belowSum += Float(level) * histogram[level]
            guard below > 0, total - below > 0 else { continue }
            let apart = belowSum / below - (sum - belowSum) / (total - below)
            let score = below * (total - below) * apart * apart
            if score > best { (best, threshold) = (score, level + 1) }
        }
        return Float(threshold) / 63
    }
}
