/// How much each of several frames of one scene shows at its border that is not usually there.
///
/// Someone who enters, leaves or reaches out of the picture appears at its border, where the other frames of the scene
/// show the background. What the border always shows, such as ground, sky or a speaker's shoulders, does not count, and a
/// border that changes throughout, as in a pan, has nothing unusual.
enum EdgeCuts {
    /// With fewer frames it is not known what is usual.
    private static let fewestFrames = 5
    /// Weights of what is unusual at each side: a head is cut off at the top, a body leaves the picture at the bottom.
    private static let weights: (top: Float, side: Float, bottom: Float) = (1.5, 0.8, 0.5)
    /// Weight of a difference in color against one in luma.
    private static let chromaWeight: Float = 1.5
    /// The distance from the usual color that noise and shaking explain, in 8-bit levels.
    private static let floor: Float = 6
    /// The fraction of the distances along the border that count as usual.
    private static let usualShare = 0.6
    /// Limits of the distance from where on a cell is unusual, as multiples of the usual distance.
    private static let limits: (low: Float, high: Float) = (2, 4)
    /// Limits of the unusual fraction of the whole picture from where on it shows something else altogether.
    private static let elsewhere: (low: Float, high: Float) = (0.3, 0.6)

    /// Returns for each frame the weighted sum of the unusual fractions of its four sides, above the
    /// median of the frames: at least half of the frames have none, also in a pan. 0…3.6.
    static func amounts(_ grids: [ColorGrid]) -> [Float] {
        guard grids.count >= fewestFrames else { return grids.map { _ in 0 } }
        let usual = medians(grids)
        let all = grids.map { distances($0, usual) }
        let side = ColorGrid.side
        let border = (0..<side * side).filter { index in
            let (x, y) = (index % side, index / side)
            return x == 0 || y == 0 || x == side - 1 || y == side - 1
        }
        let sorted = all.flatMap { distance in border.map { distance[$0] } }.sorted()
        let scale = floor + sorted[Int(usualShare * Double(sorted.count))]
        let amounts = all.map { distance in
            let strange = distance.map { ramp($0 / scale, limits.low, limits.high) }
            // Thin things at the border, such as a dark line from a camera, are no subject.
            func strangeness(_ outer: Int, _ inner: Int) -> Float { min(strange[outer], strange[inner]) }
            var sums: (top: Float, sides: Float, bottom: Float) = (0, 0, 0)
            for i in 0..<side {
                sums.top += strangeness(i, side + i)
                sums.bottom += strangeness((side - 1) * side + i, (side - 2) * side + i)
                sums.sides += strangeness(i * side, i * side + 1)
                sums.sides += strangeness(i * side + side - 1, i * side + side - 2)
            }
            let sum = weights.top * sums.top + weights.side * sums.sides + weights.bottom * sums.bottom
            let share = strange.reduce(0, +) / Float(strange.count)
            return sum / Float(side) * (1 - ramp(share, elsewhere.low, elsewhere.high))
        }
        let middle = amounts.sorted()[(amounts.count - 1) / 2]
        return amounts.map { max(0, $0 - middle) }
    }

    /// The median of each value over all frames.
    private static func medians(_ grids: [ColorGrid]) -> [UInt8] {
        (0..<3 * ColorGrid.side * ColorGrid.side).map { position in
            var counts = [Int](repeating: 0, count: 256)
            for grid in grids { counts[Int(grid.values[position])] += 1 }
            return median(counts, of: grids.count)
        }
    }

    private static func median(_ counts: [Int], of total: Int) -> UInt8 {
        var seen = 0
        for (level, count) in counts.enumerated() {
            seen += count
            if 2 * seen >= total { return UInt8(level) }
        }
        return 255
    }

    /// The distance of each cell from the usual color, apart from a change of light over the whole picture.
    private static func distances(_ grid: ColorGrid, _ usual: [UInt8]) -> [Float] {
        let cells = ColorGrid.side * ColorGrid.side
        let steps = (0..<cells).map { Int(grid.values[$0]) - Int(usual[$0]) }
        let shift = steps.sorted()[cells / 2]
        return (0..<cells).map { index in
            let light = Float(steps[index] - shift)
            let blue = chromaWeight * (Float(grid.values[cells + index]) - Float(usual[cells + index]))
            let red = chromaWeight * (Float(grid.values[2 * cells + index]) - Float(usual[2 * cells + index]))
            return (light * light + blue * blue + red * red).squareRoot()
        }
    }
}
