/// Sums over flat blocks of what a filter has removed, from which film grain is modelled; those of several frames can
/// be added.
package struct GrainStatistics: Sendable {
    /// The sums of one plane.
    struct PlaneSums: Sendable {
        /// The number of brightness ranges.
        static let rangeCount = 64

        /// The normalised covariance of samples at each distance; see ``GrainLag``.
        var covariance = [Double](repeating: 0, count: GrainLag.count)
        /// The covariance of the filter's neighbours with luma at the sample, then that of the sample itself, and the
        /// variance of luma; of luma averaged to the plane's resolution. Only for chroma.
        var withLuma = [Double](repeating: 0, count: GrainLag.neighbours.count + 2)
        /// The number of blocks in the covariances.
        var blocks = 0.0
        /// The variance in each range of luma, in 8-bit code values squared, and the number of blocks.
        var variance = [Double](repeating: 0, count: rangeCount)
        var count = [Double](repeating: 0, count: rangeCount)

        mutating func add(_ other: PlaneSums) {
            addShape(of: other, weight: 1)
            for range in 0..<Self.rangeCount {
                variance[range] += other.variance[range]
                count[range] += other.count[range]
            }
        }

        /// Adds the covariances only.
        mutating func addShape(of other: PlaneSums, weight: Double) {
            for lag in covariance.indices { covariance[lag] += weight * other.covariance[lag] }
            for index in withLuma.indices { withLuma[index] += weight * other.withLuma[index] }
            blocks += weight * other.blocks
        }
    }

    /// Y, U, V; empty before anything is added.
    private(set) var planes: [PlaneSums] = []

    /// Sums of nothing.
    package init() {}

    /// Whether nothing has been added.
    package var isEmpty: Bool { planes.isEmpty }

    init(planes: [PlaneSums]) { self.planes = planes }

    /// Adds the sums of other frames of the same clip.
    package mutating func add(_ other: GrainStatistics) {
        if planes.isEmpty {
            planes = other.planes
        } else {
            for plane in planes.indices { planes[plane].add(other.planes[plane]) }
        }
    }

    /// Whether luma's noise has clearly another strength than in other frames, at the brightness that both have.
    package func differs(from other: GrainStatistics) -> Bool {
        guard let a = planes.first, let b = other.planes.first else { return false }
        var total = 0.0, own = 0.0, others = 0.0
        for range in 0..<PlaneSums.rangeCount {
            let weight = min(a.count[range], b.count[range])
            guard weight > 0 else { continue }
            total += weight
            own += weight * a.variance[range] / a.count[range]
            others += weight * b.variance[range] / b.count[range]
        }
        guard total >= Self.leastCompared else { return false }
        let (first, second) = ((own / total).squareRoot(), (others / total).squareRoot())
        return abs(first - second) > max(Self.clearDifference * max(first, second), Self.visibleDifference)
    }

    /// The number of blocks below which strengths are not compared.
    private static let leastCompared = 6.0
    /// What counts as another strength: this part of the larger standard deviation, and so many 8-bit code values.
    private static let clearDifference = 0.25
    private static let visibleDifference = 0.5

    /// Returns the sums with covariances pulled towards those of the whole clip, as far as there are few blocks.
    package func pulled(toward clip: GrainStatistics) -> GrainStatistics {
        var result = self
        for plane in result.planes.indices {
            let all = clip.planes[plane]
            guard all.blocks > 0 else { continue }
            result.planes[plane].addShape(of: all, weight: min(1, Self.pull / all.blocks))
        }
        return result
    }

    /// The number of blocks that the whole clip counts for in a scene.
    private static let pull = 40.0
}

/// The distances between samples over which the covariance of grain is measured: all differences of two of the
/// positions that an auto-regressive filter with a lag of 3 reads.
enum GrainLag {
    static let reach = 3
    private static let width = 4 * reach + 1
    /// The number of distances: up to 3 rows and 6 columns apart.
    static let count = (reach + 1) * width

    /// The positions that the filter reads, relative to the sample, in the order of its coefficients.
    static let neighbours: [(x: Int, y: Int)] = (-reach...0).flatMap { y in
        (-reach...reach).compactMap { x in y < 0 || x < 0 ? (x, y) : nil }
    }

    /// Returns the index of a distance; opposite distances are equal.
    static func index(_ x: Int, _ y: Int) -> Int {
        y < 0 || (y == 0 && x < 0) ? index(-x, -y) : y * width + x + 2 * reach
    }

    /// The distances that are measured, of each pair of opposite ones only that upwards.
    static let measured: [(x: Int, y: Int)] = (0...reach).flatMap { y in
        (-2 * reach...2 * reach).compactMap { x in y > 0 || x >= 0 ? (x, y) : nil }
    }
}
