package import FrameCore
package import Motion

/// A frame that may be picked, with everything its rank depends on.
package struct Candidate: Sendable {
    /// Reasons from neighbouring frames and position to rank a frame lower.
    package struct Objections: Sendable, Hashable {
        /// Whether the frame is about the mean of different frames a third of a second before and after it.
        package var isInDissolve = false
        /// Whether contrast rises or falls around the frame as in a fade.
        package var isInFade = false
        /// Whether the frame is a weighted mean of earlier and later ones.
        package var blend = SceneBlend()
        /// How strongly the frame looks like parts of two scenes, 0…1 (see `SceneMixture`).
        package var mixture: Float = 0
        /// The fraction of the picture that motion explains where a mixture is to be judged, 0…1.
        package var explained: Float = 0
        /// The fraction of the picture that motion does not explain over a few tenths of a second, 0…1.
        package var mismatch: Float = 0
        /// Whether the frame is next to a cut.
        package var isBesideCut = false
        /// Whether the frame is the same as the ones before and after it.
        package var isFrozen = false
        /// Whether the frame is in the first or last 2 % of the clip.
        package var isAtEnd = false
        /// Whether the frame shows damage in the input.
        package var isDamaged = false
        /// The fraction of the picture that moves and is blurred by it, 0…1.
        package var smear: Float = 0
        /// How much shows at the border that is not usually there (see `EdgeCuts`).
        package var edgeCut: Float = 0
        /// How much detail the frame has against those of its scene and of the clip that are rich in it; 0 for an empty
        /// frame.
        package var contents: Float = 1

        package init() {}

        /// Limits of the mixture that motion does not explain, of the fraction of the picture that it does not explain,
        /// and of the residual of the blend in a fade, set on the `tune` half of
        /// `Tests/Measurements/FrameAnalysis/transitions.py`, 2026-11-25.
        private static let mixtureLimits: (low: Float, high: Float) = (0.01, 0.05)
        private static let unexplainedLimits: (low: Float, high: Float) = (0.3, 0.8)
        private static let fadeResidual: Float = 0.3

        /// How certain it is that the frame is in a transition, 0…1.
        package var transition: Float {
            // A fade is a blend with black; where contrast changes otherwise, something moves.
            if isInDissolve || blend.isVisible || (isInFade && blend.residual < Self.fadeResidual) { return 1 }
            // A pan mixes colors like a slide, but the motion search follows it.
            let unexplained = ramp(1 - explained, Self.unexplainedLimits.low, Self.unexplainedLimits.high)
            return ramp(mixture * unexplained, Self.mixtureLimits.low, Self.mixtureLimits.high)
        }

        /// Whether the frame is more likely in a transition than not.
        package var isProbablyInTransition: Bool { transition > 0.5 }

        package var penalty: Float {
            (isDamaged ? 0.8 : 0.8 * transition) + 0.35 * ramp(mismatch, 0.45, 0.7) + (isBesideCut ? 0.3 : 0)
                + (isFrozen ? 0.15 : 0) + (isAtEnd ? 0.1 : 0) + flawPenalty
        }
    }

    package var time: MediaTime
    package var duration: MediaTime?
    package var score: AestheticsScore
    package var print: FeaturePrintObservation
    package var objections = Objections()
    /// The scene the frame belongs to, as the number of cuts before it; nil when the frames between candidates were not
    /// read.
    package var scene: Int?
    /// Coarse colors for the comparison with other candidates; nil if they are not known.
    package var grid: ColorGrid?
    /// Mean detail, with more weight in the center (see `SharpnessMap`).
    package var detail: Float = 0
    package var frame: StoredFrame?
    package var preview: Preview?

    /// - Parameters:
    ///   - picture: the frame, prepared.
    ///   - change: where the frame differs from its neighbours; nil if they are not known.
    package init(_ picture: AnalysisPicture, change: LocalChange? = nil) {
        time = picture.frame.presentationTime
        duration = picture.frame.duration
        let smear = change.map { Smear.share($0, picture.sharpness) } ?? 0
        objections.smear = smear
        score = AestheticsScore(picture).smeared(smear)
        grid = ColorGrid(picture)
        detail = picture.sharpness.centralDetail
        print = GenerateImageFeaturePrintRequest().observation(of: picture)
        preview = Preview(picture)
    }

    /// Creates a candidate from parts that are already known.
    package init(time: MediaTime, score: AestheticsScore, print: FeaturePrintObservation) {
        self.time = time
        self.score = score
        self.print = print
    }

    package var rank: Float { score.overall - objections.penalty }

    /// Whether `a` is preferred to `b`. A total order, since no two frames of a clip have the same time.
    package static func isBetter(_ a: Candidate, _ b: Candidate) -> Bool {
        a.rank != b.rank ? a.rank > b.rank : a.time < b.time
    }

    /// The cue that costs the frame most of its score, in words; nil if none is poor.
    package var weakness: String? {
        func loss(_ cue: AestheticCue) -> Float { cue.weight * (1 - score.cues[cue]) }
        guard let worst = AestheticCue.allCases.max(by: { loss($0) < loss($1) }), score.cues[worst] < 0.5 else {
            return nil
        }
        return "weakest: \(worst.title)"
    }

    package var reasons: [String] {
        var words: [String] = []
        if let utility = score.utility { words.append("no picture of anything (\(utility.rawValue))") }
        let good = AestheticCue.allCases.filter { score.cues[$0] >= 0.75 }.sorted { $0.weight > $1.weight }
        words += good.prefix(4).map(\.title)
        if let weakness { words.append(weakness) }
        if objections.isProbablyInTransition { words.append("in a transition") }
        if objections.isBesideCut { words.append("beside a cut") }
        if objections.mismatch > 0.55 { words.append("much moves") }
        words += objections.flaws
        if objections.isFrozen { words.append("frozen") }
        if objections.isDamaged { words.append("damaged") }
        return words
    }
}

extension Candidate {
    /// How far below the first pick a poor frame may rank.
    private static let largestDrop: Float = 0.6

    /// Whether a further pick is better than none: no frame is wanted that is cut, empty, or poor and far below the first
    /// one. Shaky clips may have nothing but smeared frames.
    private static func isWorthPicking(_ candidate: Candidate, beside first: Candidate) -> Bool {
        if candidate.objections.isCutByEdge || candidate.objections.isEmpty { return false }
        return candidate.score.overall >= 0 || candidate.rank >= first.rank - largestDrop
    }

    /// How far the best frame without flaws may rank below the best one.
    private static let priceOfFlawlessness: Float = 0.3

    /// The frames without flaws; none if they are much poorer otherwise.
    private static func withoutFlaws(_ pool: [Int], _ candidates: [Candidate]) -> [Int] {
        let flawless = pool.filter { !candidates[$0].objections.isFlawed }
        func best(_ indices: [Int]) -> Float { indices.map { candidates[$0].rank }.max() ?? -.infinity }
        return best(flawless) >= best(pool) - priceOfFlawlessness ? flawless : []
    }

    /// The distance from which on two pictures count as entirely different.
    private static let farDistance = 0.9
    /// The deduction from the rank of a frame whose distance to a pick is at the threshold; it falls linearly to 0 at
    /// `farDistance`.
    private static let likenessPenalty: Float = 0.5
    /// The deduction from the rank of a frame in the same scene as a pick.
    private static let scenePenalty: Float = 0.15

    /// Picks the best candidates that show different things.
    ///
    /// A pure function of the set: candidates are first sorted by rank and then by time, so their order does not
    /// matter. Each further pick is the candidate with the highest rank after a deduction for its similarity to the
    /// picks so far (maximal marginal relevance).
    ///
    /// - Parameters:
    ///   - candidates: all candidates, in any order.
    ///   - count: the number of picks wanted.
    ///   - threshold: the distance up to which two prints count as the same picture.
    /// - Returns: positions in `candidates`, best first; fewer than `count` if fewer candidates differ, or if the others
    ///   are far poorer.
    package static func mostDiverse(
        _ candidates: [Candidate], count: Int, threshold: Double = FeaturePrintObservation.sameThreshold
    ) -> [Int] {
        // Utility and damaged frames, and then frames in transitions, are used only when there is nothing else: a frame
        // of two scenes is unlike every other, so no deduction for likeness would keep it out.
        let useful = candidates.indices.filter { candidates[$0].score.utility == nil }
        let sound = useful.filter { !candidates[$0].objections.isDamaged }
        let whole = sound.filter { !candidates[$0].objections.isProbablyInTransition }
        let flawless = withoutFlaws(whole, candidates)
        let pool = [flawless, whole, sound, useful].first { !$0.isEmpty } ?? Array(candidates.indices)
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
            guard let best,
                picks.first.map({ isWorthPicking(candidates[left[best.position]], beside: candidates[$0]) }) ?? true
            else { break }
            let pick = left.remove(at: best.position)
            picks.append(pick)
            if let scene = candidates[pick].scene { scenes.insert(scene) }
            for index in left {
                nearest[index] = min(
                    nearest[index], candidates[index].print.comparableDistance(to: candidates[pick].print))
            }
            // One pick is enough when there are only utility frames.
            if useful.isEmpty { break }
        }
        return picks
    }
}
