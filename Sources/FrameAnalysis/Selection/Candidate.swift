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
