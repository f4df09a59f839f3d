public import FrameCore

/// Scores how good a frame looks, and tells whether it is a utility frame not worth remembering.
///
/// The score is a sum of measurable cues; <doc:PickingTheBestFrames> lists their weights and the reasons for them.
/// Scores do not depend on the rest of the clip, so scores from different clips can be compared.
public struct CalculateImageAestheticsScoresRequest: VideoAnalysisRequest {
    /// Creates the request.
    public init() {}

    /// Returns the frame's score.
    public func observation(of picture: AnalysisPicture) -> ImageAestheticsScoresObservation {
        ImageAestheticsScoresObservation(
            time: picture.frame.presentationTime, duration: picture.frame.duration, score: AestheticsScore(picture))
    }
}

/// The aesthetics score of a frame.
public struct ImageAestheticsScoresObservation: VideoObservation {
    public let time: MediaTime
    public let duration: MediaTime?
    /// The score with the cues it is made of.
    package let score: AestheticsScore

    /// The score: −1 (useless) … 1 (sharp, well lit, lively).
    public var overallScore: Float { score.overall }
    /// Whether the frame is not worth remembering even if it is well made: black, white, blank, faded, bars or text.
    public var isUtility: Bool { score.utility != nil }
    /// Why the frame is not worth remembering; nil when it is.
    public var utilityKind: UtilityKind? { score.utility }
}

/// The kinds of frames that are useless as thumbnails however well they are made.
public enum UtilityKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Black, or so dark that nothing can be seen.
    case black
    /// White or overexposed throughout.
    case white
    /// A single uniform color.
    case blank
    /// Color bars or another test card.
    case bars
    /// Titles, credits, slates or screens of text.
    case text
    /// Washed out by a fade, with very little contrast left.
    case faded
}
