/// How often each place is surrounded, over many thresholds of light and color.
///
/// Zhang and Sclaroff, *Exploiting surroundedness for saliency detection: a Boolean map approach*, 2016: a plane split at
/// a threshold gives two Boolean maps, and what in them does not touch the picture's border looks like a figure on its
/// ground. Small figures count for more than large ones, since they stand out more.
struct BooleanMaps {
    /// Number of thresholds, evenly spaced between the 2nd and the 98th percentile of a plane.
    private static let thresholds = 8
    /// Smallest range between those percentiles, in 8-bit levels: with less, a threshold splits noise.
    private static let smallestRange: Float = 4

    /// The sum over all maps, smoothed; all 0 for a uniform picture.
    let surroundedness: FloatPlane

    /// - Parameter planes: square planes of the same side.
    init(_ planes: [FloatPlane], side: Int) {
        var sum = FloatPlane(width: side, height: side)
        for plane in planes {
            let sorted = plane.values.sorted()
            let (low, high) = (sorted[sorted.count / 50], sorted[sorted.count - 1 - sorted.count / 50])
            guard high - low >= Self.smallestRange else { continue }
            for step in 1...Self.thresholds {
                let threshold = low + (high - low) * Float(step) / Float(Self.thresholds + 1)
                let above = plane.values.map { $0 > threshold }
                Self.addEnclosed(above, side, to: &sum)
                Self.addEnclosed(above.map { !$0 }, side, to: &sum)
            }
        }
        for _ in 0..<3 { sum = sum.boxMeans(rx: 1, ry: 1) }
        surroundedness = sum
    }

    /// Adds the part of a map that does not touch the border; its squares add up to 1.
    private static func addEnclosed(_ map: [Bool], _ side: Int, to sum: inout FloatPlane) {
        var left = map
        var stack: [Int] = []
        func take(_ index: Int) {
            guard left[index] else { return }
            left[index] = false
            stack.append(index)
        }
        for i in 0..<side {
            take(i)
            take((side - 1) * side + i)
            take(i * side)
            take(i * side + side - 1)
        }
        while let index = stack.popLast() {
            let x = index % side
            if x > 0 { take(index - 1) }
            if x < side - 1 { take(index + 1) }
            if index >= side { take(index - side) }
            if index < (side - 1) * side { take(index + side) }
        }
        let count = left.count { $0 }
        guard count > 0 else { return }
        let share = 1 / Float(count).squareRoot()
        for index in left.indices where left[index] { sum.values[index] += share }
    }
}
