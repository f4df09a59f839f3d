/// The variance of a plane's grain as a function of luma.
struct GrainCurve {
    /// A point of the function.
    struct Point {
        /// The brightness, 0…255.
        var value: Int
        /// The variance, in 8-bit code values squared.
        var variance: Double
    }

    /// The least number of blocks for a point.
    private static let leastBlocks = 4.0

    /// The points in ascending order.
    let points: [Point]

    /// The largest variance.
    var most: Double { points.map(\.variance).max() ?? 0 }

    /// - Parameters:
    ///   - sums: the statistics of the plane.
    ///   - pointCount: the number of points.
    ///   - amount: the factor by which the standard deviation is multiplied.
    init(_ sums: GrainStatistics.PlaneSums, pointCount: Int, amount: Double) {
        let width = 256 / GrainStatistics.PlaneSums.rangeCount
        let filled = sums.count.indices.filter { sums.count[$0] > 0 }
        guard let first = filled.first, let last = filled.last else {
            points = []
            return
        }
        func centre(_ range: Int) -> Double { Double(range * width) + Double(width) / 2 }
        let low = centre(first), high = centre(last)
        let count = min(pointCount, last - first + 1)
        let step = count > 1 ? (high - low) / Double(count - 1) : 1
        points = (0..<count).map { index in
            let place = low + Double(index) * step
            var reach = max(step, Double(width)), total = 0.0, variance = 0.0
            // Nearby blocks count most; where there are few, those farther away are needed.
            while total < Self.leastBlocks, reach < 512 {
                (total, variance) = (0, 0)
                for range in filled {
                    let weight = max(0, 1 - abs(centre(range) - place) / reach)
                    total += weight * sums.count[range]
                    variance += weight * sums.variance[range]
                }
                reach *= 1.5
            }
            let mean = total > 0 ? variance / total : 0
            return Point(value: Int(place), variance: mean * amount * amount)
        }
    }
}
