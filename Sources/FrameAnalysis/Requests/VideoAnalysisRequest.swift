public import FrameCore

/// Something to find out about single frames.
public protocol VideoAnalysisRequest: Sendable, Hashable {
    /// What is found out.
    associatedtype Observation: VideoObservation
    /// Looks at one frame.
    ///
    /// - Throws: what keeps it from being looked at.
    func observation(of picture: AnalysisPicture) throws -> Observation
}

extension VideoAnalysisRequest {
    /// Looks at one frame by itself.
    public func perform(on frame: Frame) throws -> Observation { try observation(of: AnalysisPicture(frame)) }
}

/// What was found out about a frame, and which frame it was.
public protocol VideoObservation: Sendable {
    /// When the frame is shown.
    var time: MediaTime { get }
    /// How long it is shown; nil when the source does not say.
    var duration: MediaTime? { get }
    /// How far the finding is to be trusted, 0…1.
    var confidence: Float { get }
}

extension VideoObservation {
    /// All that is said without a reservation.
    public var confidence: Float { 1 }
}
