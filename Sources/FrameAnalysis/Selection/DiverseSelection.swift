/// The best candidates that show different things.
///
/// A pure function of the set: candidates are ranked first, by rank and then by time, so the order in which they came in
/// plays no part. Each further pick is the one whose rank, less what it resembles the picks before, is greatest.
package enum DiverseSelection {
    /// Distance from which on two pictures count as different altogether.
    package static let farDistance = 0.9
    /// What is taken off the rank of a frame at ``FeaturePrintObservation/sameThreshold`` from a pick.
    package static let likenessPenalty: Float = 0.5
    /// What is taken off the rank of a frame of the same scene as a pick.
    package static let scenePenalty: Float = 0.15

    /// - Parameters:
    ///   - candidates: all there are, in any order.
    ///   - count: how many are wanted.
    ///   - threshold: distance up to which two prints are taken for the same picture.
    /// - Returns: positions in `candidates`, the best first; fewer than `count` where fewer differ.
    package static func select(
        _ candidates: [Candidate], count: Int, threshold: Double = FeaturePrintObservation.sameThreshold
    ) -> [Int] {
        // What is no picture of anything, or shows damage, is taken only where there is nothing else.
        let useful = candidates.indices.filter { candidates[$0].score.utility == nil }
        let sound = useful.filter { !candidates[$0].objections.isDamaged }
        let pool = [sound, useful].first { !$0.isEmpty } ?? Array(candidates.indices)
        var left = pool.sorted { Candidate.isBetter(candidates[$0], candidates[$1]) }
        var nearest = [Double](repeating: .infinity, count: candidates.count)
        var picks: [Int] = []
        var scenes: Set<Int> = []
        while picks.count < count {
            var best: (position: Int, value: Float)?
            for (position, index) in left.enumerated() where nearest[index] > threshold {
                let likeness = Float(max(0, min(1, (farDistance - nearest[index]) / (farDistance - threshold))))
                let isOfSeenScene = candidates[index].scene.map(scenes.contains) ?? false
                let value =
                    candidates[index].rank - (picks.isEmpty ? 0 : likenessPenalty * likeness)
                    - (isOfSeenScene ? scenePenalty : 0)
                if best.map({ value > $0.value }) ?? true { best = (position, value) }
            }
            guard let best else { break }
            let pick = left.remove(at: best.position)
            picks.append(pick)
            if let scene = candidates[pick].scene { scenes.insert(scene) }
            for index in left {
                nearest[index] = min(
                    nearest[index], candidates[index].print.comparableDistance(to: candidates[pick].print))
            }
            // One of nothing is enough.
            if useful.isEmpty { break }
        }
        return picks
    }
}
