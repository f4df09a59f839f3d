package import FrameCore

/// A frame that may be picked, with all that its rank depends on.
package struct Candidate: Sendable {
    /// What a frame's neighbours say against it.
    package struct Objections: Sendable, Hashable {
        /// In a dissolve or a fade.
        package var isInTransition = false
        /// Share of the picture that motion does not explain over some tenths of a second, 0…1.
        package var mismatch: Float = 0
        /// Beside a cut.
        package var isBesideCut = false
        /// The same picture as before and after.
        package var isFrozen = false
        /// In the first or last hundredths of the clip.
        package var isAtEnd = false
        /// Showing damage of the input.
        package var isDamaged = false

        package init() {}

        package var penalty: Float {
            (isInTransition || isDamaged ? 0.8 : 0) + 0.35 * ramp(mismatch, 0.45, 0.7) + (isBesideCut ? 0.3 : 0)
                + (isFrozen ? 0.15 : 0) + (isAtEnd ? 0.1 : 0)
        }
    }

    package var time: MediaTime
    package var duration: MediaTime?
    package var score: AestheticsScore
    package var print: FeaturePrintObservation
    package var objections = Objections()
    /// Which scene of the stream it belongs to, counted by the cuts before it; nil where the frames between were not seen.
    package var scene: Int?
    package var frame: Frame?
    package var preview: Preview?

    package init(_ picture: AnalysisPicture) {
        time = picture.frame.presentationTime
        duration = picture.frame.duration
        score = AestheticsScore(picture)
        print = GenerateImageFeaturePrintRequest().observation(of: picture)
        preview = Preview(picture)
    }

    /// For callers that know the parts already.
    package init(time: MediaTime, score: AestheticsScore, print: FeaturePrintObservation) {
        self.time = time
        self.score = score
        self.print = print
    }

    package var rank: Float { score.overall - objections.penalty }

    /// The order of preference, complete: no two frames of a clip share a time.
    package static func isBetter(_ a: Candidate, _ b: Candidate) -> Bool {
        a.rank != b.rank ? a.rank > b.rank : a.time < b.time
    }

    package var reasons: [String] {
        var words: [String] = []
        if let utility = score.utility { words.append("no picture of anything (\(utility.rawValue))") }
        let ranked = AestheticCue.allCases.map { (cue: $0, loss: $0.weight * (1 - score.cues[$0])) }
        let good = AestheticCue.allCases.filter { score.cues[$0] >= 0.75 }.sorted { $0.weight > $1.weight }
        words += good.prefix(4).map(\.title)
        if let worst = ranked.max(by: { $0.loss < $1.loss }), score.cues[worst.cue] < 0.5 {
            words.append("weakest: \(worst.cue.title)")
        }
        if objections.isInTransition { words.append("in a dissolve or fade") }
        if objections.isBesideCut { words.append("beside a cut") }
        if objections.mismatch > 0.55 { words.append("much moves") }
        if objections.isFrozen { words.append("frozen") }
        if objections.isDamaged { words.append("damaged") }
        return words
    }
}

extension Candidate {
    /// Distance from which on two pictures count as different altogether.
    private static let farDistance = 0.9
    /// What is taken off the rank of a frame at ``FeaturePrintObservation/sameThreshold`` from a pick.
    private static let likenessPenalty: Float = 0.5
    /// What is taken off the rank of a frame of the same scene as a pick.
    private static let scenePenalty: Float = 0.15

    /// The best candidates that show different things.
    ///
    /// A pure function of the set: candidates are ranked first, by rank and then by time, so the order in which they came
    /// in plays no part. Each further pick is the one whose rank, less what it resembles the picks before, is greatest
    /// (maximal marginal relevance).
    ///
    /// - Parameters:
    ///   - candidates: all there are, in any order.
    ///   - count: how many are wanted.
    ///   - threshold: distance up to which two prints are taken for the same picture.
    /// - Returns: positions in `candidates`, the best first; fewer than `count` where fewer differ.
    package static func mostDiverse(
        _ candidates: [Candidate], count: Int, threshold: Double = FeaturePrintObservation.sameThreshold
    ) -> [Int] {
        // What is no picture of anything, or shows damage, is taken only where there is nothing else.
        let useful = candidates.indices.filter { candidates[$0].score.utility == nil }
        let sound = useful.filter { !candidates[$0].objections.isDamaged }
        let pool = [sound, useful].first { !$0.isEmpty } ?? Array(candidates.indices)
        var left = pool.sorted { isBetter(candidates[$0], candidates[$1]) }
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
