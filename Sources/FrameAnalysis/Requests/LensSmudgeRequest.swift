public import FrameCore

/// Detects a smudged lens: part of the picture is soft and veiled while the rest is sharp.
public struct DetectLensSmudgeRequest: VideoAnalysisRequest {
    /// Creates the request.
    public init() {}

    /// Returns the confidence that the lens was smudged.
    public func observation(of picture: AnalysisPicture) -> SmudgeObservation {
        SmudgeObservation(
            time: picture.frame.presentationTime, duration: picture.frame.duration,
            confidence: SmudgeClassifier(picture).confidence)
    }
}

/// The confidence that the lens was smudged when the frame was taken.
public struct SmudgeObservation: VideoObservation {
    public let time: MediaTime
    public let duration: MediaTime?
    /// The confidence: 0 (clean) … 1 (smudged).
    public let confidence: Float
}
