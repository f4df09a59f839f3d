package import FrameCore

/// A histogram of frame distances or other whole numbers, exact for up to ``limit`` distinct values; any further value
/// is counted as the nearest known one, so that memory stays bounded.
package struct StepHistogram {
    package static let limit = 65_536

    /// The distinct values, ascending.
    private var values: [Int64] = []
    private var counts: [Int] = []
    private var total = 0
    package private(set) var minimum: Int64?
    package private(set) var maximum: Int64?

    package init() {}

    package mutating func add(_ value: Int64) {
        total += 1
        minimum = min(minimum ?? value, value)
        maximum = max(maximum ?? value, value)
        let index = firstIndex(notBelow: value)
        if index < values.count, values[index] == value {
            counts[index] += 1
        } else if values.count < Self.limit {
            values.insert(value, at: index)
            counts.insert(1, at: index)
        } else {
            /// Returns the distance from `low` to `high`, exact over the whole range; `high` must not be below `low`.
            func distance(_ low: Int64, _ high: Int64) -> UInt64 { UInt64(bitPattern: high &- low) }
            let isLower =
                index == values.count
                || (index > 0 && distance(values[index - 1], value) < distance(value, values[index]))
            counts[isLower ? index - 1 : index] += 1
        }
    }

    /// The median; for an even count, the lower of the two middle values.
    package var median: Int64? { value(at: Rational(1, 2)) }

    /// Returns the value at quantile `share` (rounded down to a rank); nil if there are no values.
    ///
    /// - Parameter share: 0…1.
    package func value(at share: Rational) -> Int64? {
        guard total > 0 else { return nil }
        var left = (total - 1) * Int(share.numerator) / max(1, Int(share.denominator))
        for (value, count) in zip(values, counts) {
            if left < count { return value }
            left -= count
        }
        return values.last
    }

    private func firstIndex(notBelow value: Int64) -> Int {
        var (low, high) = (0, values.count)
        while low < high {
            let middle = (low + high) / 2
            if values[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
