/// The auto-regressive filter of a plane's grain.
struct GrainFilter {
    /// For chroma, the last one is that of luma.
    private(set) var coefficients: [Double]
    /// The coefficients in units of 2 to the power of minus the shift passed to ``round(shift:)``.
    private(set) var numbers: [Int]
    /// The ratio of the standard deviations of the filtered and the white noise.
    private(set) var gain = 1.0
    /// The normalised covariances that the filtered noise should have; nil for white noise.
    private let target: [Double]?

    /// Returns a filter that leaves white noise as it is.
    static func none(isChroma: Bool) -> [Int] {
        [Int](repeating: 0, count: GrainLag.neighbours.count + (isChroma ? 1 : 0))
    }

    /// What is added to the diagonal of the equations, relative to it. The more, the smoother the spectrum; which value
    /// fits best depends on the grain.
    private static let ridges = [0.001, 0.002, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16]

    /// - Parameters:
    ///   - sums: the statistics of the plane.
    ///   - lumaGain: the gain of luma's filter; nil for luma itself.
    init(_ sums: GrainStatistics.PlaneSums, lumaGain: Double?) {
        numbers = Self.none(isChroma: lumaGain != nil)
        coefficients = numbers.map(Double.init)
        let power = sums.blocks > 0 ? sums.covariance[GrainLag.index(0, 0)] / sums.blocks : 0
        guard power > 0 else {
            target = nil
            return
        }
        let target = sums.covariance.map { $0 / sums.blocks / power }
        self.target = target
        var least = Double.infinity
        for ridge in Self.ridges {
            guard let solution = Self.solve(sums, target, power: power, ridge: ridge, isChroma: lumaGain != nil) else {
                continue
            }
            let response = GrainResponse(solution)
            guard response.distance(to: target) < least else { continue }
            least = response.distance(to: target)
            coefficients = solution
            gain = response.gain
        }
        // The pattern of luma is its normalised noise times its gain.
        if let lumaGain, let own = coefficients.last { coefficients[coefficients.count - 1] = own * gain / lumaGain }
    }

    /// Solves the Yule–Walker equations.
    private static func solve(
        _ sums: GrainStatistics.PlaneSums, _ target: [Double], power: Double, ridge: Double, isChroma: Bool
    ) -> [Double]? {
        let neighbours = GrainLag.neighbours, count = neighbours.count + (isChroma ? 1 : 0)
        var matrix = [Double](repeating: 0, count: count * count), right = [Double](repeating: 0, count: count)
        for (i, a) in neighbours.enumerated() {
            for (j, b) in neighbours.enumerated() {
                matrix[i * count + j] = target[GrainLag.index(a.x - b.x, a.y - b.y)]
            }
            right[i] = target[GrainLag.index(a.x, a.y)]
        }
        if isChroma {
            let last = count - 1, scale = sums.blocks * power.squareRoot()
            for i in neighbours.indices {
                matrix[i * count + last] = sums.withLuma[i] / scale
                matrix[last * count + i] = sums.withLuma[i] / scale
            }
            matrix[last * count + last] = max(sums.withLuma[count] / sums.blocks, 0.01)
            right[last] = sums.withLuma[last] / scale
        }
        for i in 0..<count { matrix[i * count + i] *= 1 + ridge }
        return solveSymmetric(matrix, right)
    }

    /// Rounds the coefficients, and changes them as long as that brings the covariances closer to the target.
    mutating func round(shift: Int) {
        let unit = Double(1 << shift)
        numbers = coefficients.map { Int(max(-128, min(($0 * unit).rounded(), 127))) }
        guard let target else { return }
        func distance(_ numbers: [Int]) -> Double {
            GrainResponse(numbers.map { Double($0) / unit }).distance(to: target)
        }
        var least = distance(numbers), changes = true, rounds = 0
        while changes, rounds < Self.mostRounds {
            changes = false
            rounds += 1
            for index in GrainLag.neighbours.indices {
                for step in [-1, 1] {
                    var other = numbers
                    other[index] += step
                    guard (-128...127).contains(other[index]) else { continue }
                    let found = distance(other)
                    guard found < least else { continue }
                    (least, numbers, changes) = (found, other, true)
                    break
                }
            }
        }
        gain = GrainResponse(numbers.map { Double($0) / unit }).gain
    }

    private static let mostRounds = 12

    /// Makes the rounded coefficients smaller, the more the farther away.
    mutating func damp() {
        for (index, neighbour) in GrainLag.neighbours.enumerated() {
            var value = Double(numbers[index])
            for _ in 0..<abs(neighbour.x) + abs(neighbour.y) { value *= 0.97 }
            numbers[index] = Int(value)
        }
    }
}

/// The response of an auto-regressive filter to a single sample.
struct GrainResponse {
    private static let reach = 24
    private static let width = 2 * (reach + GrainLag.reach) + 1
    private static let height = 25

    /// The ratio of the standard deviations of the filtered and the white noise.
    let gain: Double
    /// The normalised covariances of filtered white noise.
    private let covariance: [Double]

    /// - Parameter coefficients: in the order of ``GrainLag/neighbours``; more are ignored.
    init(_ coefficients: [Double]) {
        let response = Self.response(coefficients)
        var covariance = [Double](repeating: 0, count: GrainLag.count)
        response.withUnsafeBufferPointer { response in
            for lag in GrainLag.measured {
                var sum = 0.0
                for y in lag.y..<Self.height {
                    let at = y * Self.width, other = at - lag.y * Self.width - lag.x
                    for x in max(0, lag.x)..<Self.width + min(0, lag.x) {
                        sum += response[at + x] * response[other + x]
                    }
                }
                covariance[GrainLag.index(lag.x, lag.y)] = sum
            }
        }
        let power = covariance[GrainLag.index(0, 0)]
        gain = power.squareRoot()
        self.covariance = covariance.map { $0 / power }
    }

    private static func response(_ coefficients: [Double]) -> [Double] {
        let taps = zip(GrainLag.neighbours, coefficients).map { (offset: $0.y * width + $0.x, y: $0.y, weight: $1) }
        let middle = reach + GrainLag.reach
        var response = [Double](repeating: 0, count: width * height)
        response.withUnsafeMutableBufferPointer { response in
            for y in 0..<height {
                let used = taps.filter { y + $0.y >= 0 }
                for x in GrainLag.reach..<width - GrainLag.reach {
                    let at = y * width + x
                    var sum = y == 0 && x == middle ? 1.0 : 0
                    for tap in used { sum += tap.weight * response[at + tap.offset] }
                    response[at] = sum
                }
            }
        }
        return response
    }

    /// Returns the sum of the squared differences from other covariances, infinite if the filter is unstable.
    func distance(to target: [Double]) -> Double {
        guard gain < Self.mostGain else { return .infinity }
        return GrainLag.measured.reduce(0) { sum, lag in
            let index = GrainLag.index(lag.x, lag.y), difference = covariance[index] - target[index]
            return sum + difference * difference
        }
    }

    /// The largest gain that the pattern's range of values allows.
    private static let mostGain = 8.0
}

/// Solves a system of linear equations with a symmetric, positive definite matrix by Cholesky decomposition; nil if the
/// matrix is not positive definite.
func solveSymmetric(_ matrix: [Double], _ right: [Double]) -> [Double]? {
    let n = right.count
    var lower = matrix, x = right
    for i in 0..<n {
        for j in 0...i {
            var sum = lower[i * n + j]
            for k in 0..<j { sum -= lower[i * n + k] * lower[j * n + k] }
            if i == j {
                guard sum > 0 else { return nil }
                lower[i * n + i] = sum.squareRoot()
            } else {
                lower[i * n + j] = sum / lower[j * n + j]
            }
        }
    }
    for i in 0..<n {
        for k in 0..<i { x[i] -= lower[i * n + k] * x[k] }
        x[i] /= lower[i * n + i]
    }
    for i in stride(from: n - 1, through: 0, by: -1) {
        for k in i + 1..<n { x[i] -= lower[k * n + i] * x[k] }
        x[i] /= lower[i * n + i]
    }
    return x
}
