public import FrameCore

/// An analysis of single frames.
public protocol VideoAnalysisRequest: Sendable, Hashable {
    /// The result of analyzing one frame.
    associatedtype Observation: VideoObservation
    /// Analyzes one frame.
    ///
    /// - Throws: the reason the frame cannot be analyzed.
    func observation(of picture: AnalysisPicture) throws -> Observation
}

extension VideoAnalysisRequest {
    /// Analyzes a single frame outside a ``VideoAnalyzer``.
    public func perform(on frame: Frame) throws -> Observation { try observation(of: AnalysisPicture(frame)) }
}

/// The result of analyzing a frame, with the frame's times.
public protocol VideoObservation: Sendable {
    /// The frame's presentation time.
    var time: MediaTime { get }
    /// The frame's duration; nil when the source does not specify one.
    var duration: MediaTime? { get }
    /// How reliable the result is, 0…1.
    var confidence: Float { get }
}

extension VideoObservation {
    /// 1, for observations that carry no uncertainty.
    public var confidence: Float { 1 }
}
