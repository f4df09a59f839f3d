public import FrameCore

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
