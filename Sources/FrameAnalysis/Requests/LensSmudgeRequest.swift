public import FrameCore

/// Tells whether the lens was smudged: part of the picture soft and veiled while the rest is sharp.
public struct DetectLensSmudgeRequest: VideoAnalysisRequest {
    /// Makes the request.
    public init() {}

    /// The confidence that the lens was smudged.
    public func observation(of picture: AnalysisPicture) -> SmudgeObservation {
        SmudgeObservation(
            time: picture.frame.presentationTime, duration: picture.frame.duration,
            confidence: SmudgeClassifier(picture).confidence)
    }
}

/// How sure it is that the lens was smudged.
public struct SmudgeObservation: VideoObservation {
    public let time: MediaTime
    public let duration: MediaTime?
    /// 0 (clean) … 1 (smudged).
    public let confidence: Float
}
