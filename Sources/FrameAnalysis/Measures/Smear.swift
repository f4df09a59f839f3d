internal import Motion

/// How much of a frame is moving and blurred by it.
///
/// A hand that moves fast in a picture that stands still leaves most of the picture sharp, so measures of the whole
/// frame, and of one direction of it against the other, do not notice.
enum Smear {
    /// Limits of the change of a tile, in 1/4 of an 8-bit level, from where on it counts as moving.
    private static let change: (low: Float, high: Float) = (12, 36)
    /// Limits of the sharpness below which a tile counts as blurred. Both pairs were set on the clips of
    /// `Tests/Measurements/FrameAnalysis/labels.txt`, November 2026.
    private static let sharpness: (low: Float, high: Float) = (0.15, 0.45)

    /// The fraction of the picture that moves and is blurred, 0…1.
    static func share(_ change: LocalChange, _ sharpness: SharpnessMap) -> Float {
        let (columns, rows) = (sharpness.columns, sharpness.rows)
        var sums = [Float](repeating: 0, count: columns * rows), counts = sums
        for y in 0..<change.height {
            let row = (2 * y + 1) * rows / (2 * change.height) * columns
            for x in 0..<change.width {
                let tile = row + (2 * x + 1) * columns / (2 * change.width)
                sums[tile] += Float(change.values[y * change.width + x])
                counts[tile] += 1
            }
        }
        var total: Float = 0
        for tile in sums.indices where counts[tile] > 0 {
            let moves = ramp(sums[tile] / counts[tile], Self.change.low, Self.change.high)
            guard moves > 0 else { continue }
            total += moves * (1 - ramp(sharpness.sharpness(tile), Self.sharpness.low, Self.sharpness.high))
        }
        return total / Float(columns * rows)
    }
}
