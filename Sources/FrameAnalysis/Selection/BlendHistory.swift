internal import FrameCore
internal import Motion

/// Small copies of the frames around those that are examined, reaching further than the rest of a ``SelectionWindow``,
/// since a dissolve may stay halfway for a second. Indices count from the first frame of the stream.
struct BlendHistory: Sendable {
    /// The distances of the frames that are compared, in seconds.
    private static let distances = [0.12, 0.24, 0.36, 0.48, 0.64, 0.8, 1, 1.2, 1.44]
    /// The largest distance in frames.
    private static let longestReach = 128

    /// The distances of the frames that are compared, in frames, ascending.
    private var lags = lags(step: 0.04)
    private var grids: [BlendGrid] = []
    private var first = 0

    /// The number of frames on each side that are compared.
    var reach: Int { lags.last ?? 1 }

    private static func lags(step: Double) -> [Int] {
        Set(distances.map { max(1, min(longestReach, Int(($0 / max(0.001, step)).rounded()))) }).sorted()
    }

    mutating func setReach(step: MediaTime) { lags = Self.lags(step: step.seconds) }

    mutating func append(_ signature: FrameSignature) { grids.append(BlendGrid(signature)) }

    /// Compares a frame with those before and after it, near an end of the stream with fewer.
    func blend(at index: Int) -> SceneBlend {
        let position = index - first
        guard grids.indices.contains(position) else { return SceneBlend() }
        let before = Set(lags.map { max(0, position - $0) }).filter { $0 < position }.sorted()
        let after = Set(lags.map { min(grids.count - 1, position + $0) }).filter { $0 > position }.sorted()
        return SceneBlend(grids[position], before: before.map { grids[$0] }, after: after.map { grids[$0] })
    }

    /// Drops what is not compared with the frame at `index` or later ones.
    mutating func forget(before index: Int) {
        let oldest = min(first + grids.count, index - reach)
        guard oldest > first else { return }
        grids.removeFirst(oldest - first)
        first = oldest
    }

    mutating func removeAll() {
        first += grids.count
        grids = []
    }
}
