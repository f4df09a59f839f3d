public import FrameCore

/// What a selection came to.
public struct ThumbnailSelection: Sendable {
    /// A frame that was looked at.
    public struct Look: Sendable {
        /// When it is shown.
        public let time: MediaTime
        /// Its aesthetics score, −1…1.
        public let score: Float
        /// The score less what its neighbours say against it.
        public let rank: Float
        /// Why it is no use; nil as a rule.
        public let utilityKind: UtilityKind?
        /// A small picture of it; nil where memory was short.
        package let preview: Preview?
    }

    /// The best frames, best first, no two of the same picture.
    public let picks: [PickedFrame]
    /// All frames that were looked at, by time.
    public let looks: [Look]
    /// Where new scenes begin, as far as the frames between were seen; the first 65 536 of them.
    public let cuts: [MediaTime]
    /// One sentence for each thing that is not as it was asked for.
    public let notes: [String]
    /// What was lost of the input where the selection read it by itself, as ``KeyFrameSelection`` does.
    public internal(set) var damage = DamageReport()

    private init(picks: [PickedFrame], looks: [Look], cuts: [MediaTime], notes: [String]) {
        self.picks = picks
        self.looks = looks
        self.cuts = cuts
        self.notes = notes
    }

    /// The selection out of candidates in any order.
    init(_ candidates: [Candidate], cuts: [MediaTime], options: ThumbnailSelector.Options) {
        // Two buckets may have the same sharpest frame.
        var ordered: [Candidate] = []
        for candidate in candidates.sorted(by: { $0.time < $1.time }) {
            if let last = ordered.last, last.time == candidate.time {
                if Candidate.isBetter(candidate, last) { ordered[ordered.count - 1] = candidate }
            } else {
                ordered.append(candidate)
            }
        }
        let picks = Candidate.mostDiverse(ordered, count: options.count, threshold: options.distinctness)
        var notes: [String] = []
        if ordered.isEmpty {
            notes.append("there are no frames to pick from")
        } else if picks.count < options.count {
            notes.append(
                "\(picks.count) of \(options.count) frames picked: there are no more that show different things")
        }
        if let kind = picks.first.flatMap({ ordered[$0].score.utility }) {
            notes.append("nothing but \(kind.rawValue) pictures were found")
        }
        self.init(
            picks: picks.map { PickedFrame(ordered[$0]) },
            looks: ordered.map {
                Look(
                    time: $0.time, score: $0.score.overall, rank: $0.rank, utilityKind: $0.score.utility,
                    preview: $0.preview)
            }, cuts: cuts, notes: notes)
    }
}

/// A frame chosen to stand for a clip, and why.
public struct PickedFrame: Sendable {
    /// When the frame is shown.
    public let time: MediaTime
    /// How long it is shown; nil when the source does not say.
    public let duration: MediaTime?
    /// The aesthetics score of the frame by itself, −1…1.
    public let score: Float
    /// The score less what its neighbours say against it, by which frames are ranked.
    public let rank: Float
    /// Why the frame is no use although nothing better was found; nil as a rule.
    public let utilityKind: UtilityKind?
    /// What it looks like, for comparing.
    public let print: FeaturePrintObservation
    /// What speaks for and against it, in words.
    public let reasons: [String]
    /// The frame, where the selector was asked to keep frames.
    public let frame: Frame?
    /// What the score is made of.
    package let cues: AestheticCues

    init(_ candidate: Candidate) {
        time = candidate.time
        duration = candidate.duration
        score = candidate.score.overall
        rank = candidate.rank
        utilityKind = candidate.score.utility
        print = candidate.print
        reasons = candidate.reasons
        frame = candidate.frame
        cues = candidate.score.cues
    }
}
