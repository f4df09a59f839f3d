public import FrameCore

/// The result of a selection.
public struct ThumbnailSelection: Sendable {
    /// A frame that was examined.
    public struct Look: Sendable {
        /// The frame's presentation time.
        public let time: MediaTime
        /// The frame's aesthetics score, −1…1.
        public let score: Float
        /// The score minus deductions for what neighbouring frames show.
        public let rank: Float
        /// Why the frame is useless as a thumbnail; usually nil.
        public let utilityKind: UtilityKind?
        /// A small picture of the frame; nil when memory was short.
        package let preview: Preview?
    }

    /// The picked frames, best first, no two of the same picture.
    public let picks: [PickedFrame]
    /// All frames that were examined, in time order.
    public let looks: [Look]
    /// The times at which new scenes begin, where consecutive frames were seen; at most the first 65 536.
    public let cuts: [MediaTime]
    /// One sentence for each request that could not be met.
    public let notes: [String]
    /// Damage in the input, when the selection reads the input itself, as ``KeyFrameSelection`` does.
    public internal(set) var damage = DamageReport()

    private init(picks: [PickedFrame], looks: [Look], cuts: [MediaTime], notes: [String]) {
        self.picks = picks
        self.looks = looks
        self.cuts = cuts
        self.notes = notes
    }

    /// A picked frame with a lower score is hardly worth showing, and a note says so.
    private static let leastScore: Float = 0

    /// Returns a sentence for each pick with a score below ``leastScore``.
    private static func weaknesses(_ picks: [Candidate]) -> [String] {
        picks.enumerated().filter { $1.score.overall < leastScore }.map { index, pick in
            let score = (100 * pick.score.overall).rounded() / 100
            let reason = pick.weakness.map { "; \($0)" } ?? ""
            return "pick \(index + 1) at \(pick.time) s is poor (score \(score)\(reason)), but no other frame is better"
        }
    }

    /// Makes the selection from candidates in any order.
    init(_ candidates: [Candidate], cuts: [MediaTime], options: ThumbnailSelector.Options) {
        // Two buckets may share the same sharpest frame.
        var ordered: [Candidate] = []
        for candidate in candidates.sorted(by: { $0.time < $1.time }) {
            if let last = ordered.last, last.time == candidate.time {
                if Candidate.isBetter(candidate, last) { ordered[ordered.count - 1] = candidate }
            } else {
                ordered.append(candidate)
            }
        }
        ordered = Candidate.compared(ordered)
        let picks = Candidate.mostDiverse(ordered, count: options.count, threshold: options.distinctness)
        var notes: [String] = []
        if ordered.isEmpty {
            notes.append("there are no frames to pick from")
        } else if picks.count < options.count {
            notes.append(
                "\(picks.count) of \(options.count) frames picked: the others show the same or are far poorer")
        }
        if let kind = picks.first.flatMap({ ordered[$0].score.utility }) {
            notes.append("nothing but \(kind.rawValue) pictures were found")
        } else {
            notes += Self.weaknesses(picks.map { ordered[$0] })
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

/// A frame picked to represent a clip, and the reasons.
public struct PickedFrame: Sendable {
    /// The frame's presentation time.
    public let time: MediaTime
    /// The frame's duration; nil when the source does not specify one.
    public let duration: MediaTime?
    /// The aesthetics score of the frame, −1…1. Neighbouring frames play no part, except that they show which parts move and
    /// are blurred.
    public let score: Float
    /// The score minus deductions for what neighbouring frames show; frames are ranked by it.
    public let rank: Float
    /// Why the frame is useless as a thumbnail, when nothing better was found; usually nil.
    public let utilityKind: UtilityKind?
    /// The frame's feature print, for comparisons.
    public let print: FeaturePrintObservation
    /// The points for and against the frame, in words.
    public let reasons: [String]
    private let stored: StoredFrame?
    /// The cues that make up the score.
    package let cues: AestheticCues

    init(_ candidate: Candidate) {
        time = candidate.time
        duration = candidate.duration
        score = candidate.score.overall
        rank = candidate.rank
        utilityKind = candidate.score.utility
        print = candidate.print
        reasons = candidate.reasons
        stored = candidate.frame
        cues = candidate.score.cues
    }

    /// Returns the frame; nil unless the selector keeps frames. It may have to be read from a file, so take one frame
    /// after the other.
    ///
    /// - Throws: `FrameError` if it cannot be read.
    public func frame() throws(FrameError) -> Frame? { try stored?.frame() }
}
