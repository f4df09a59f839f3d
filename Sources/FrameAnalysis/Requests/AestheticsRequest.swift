public import FrameCore

/// Tells how good a frame is to look at, and whether it is one nobody wants to remember.
///
/// The score is a sum of measurable cues whose weights stand in one table with their reasons; see
/// <doc:PickingTheBestFrames>. Nothing is relative to a clip, so scores compare between clips.
public struct CalculateImageAestheticsScoresRequest: VideoAnalysisRequest {
    /// Makes the request.
    public init() {}

    /// The frame's score.
    public func observation(of picture: AnalysisPicture) -> ImageAestheticsScoresObservation {
        ImageAestheticsScoresObservation(
            time: picture.frame.presentationTime, duration: picture.frame.duration, score: AestheticsScore(picture))
    }
}

/// How good a frame is to look at.
public struct ImageAestheticsScoresObservation: VideoObservation {
    public let time: MediaTime
    public let duration: MediaTime?
    /// What the score is made of.
    package let score: AestheticsScore

    /// −1 (useless) … 1 (sharp, well lit, lively).
    public var overallScore: Float { score.overall }
    /// Whether the frame may be well made but is not worth remembering: black, white, faded, bars, text.
    public var isUtility: Bool { score.utility != nil }
    /// Why it is not worth remembering; nil when it is.
    public var utilityKind: UtilityKind? { score.utility }
}

/// Pictures that are no use as a thumbnail however well they are made.
public enum UtilityKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Black, or so dark that nothing shows.
    case black
    /// White, or burnt out.
    case white
    /// One even color.
    case blank
    /// Color bars or another test card.
    case bars
    /// Titles, credits, slates, screens of text.
    case text
    /// Emptied by a fade: very little contrast left.
    case faded
}
