/// Where a run continues the work of an earlier one.
public struct ResumePoint: Sendable, Hashable {
    /// Number of the source's reset point from which on frames are made and written. One that lies behind the source's
    /// end makes nothing.
    public var segment: Int
    /// Frames that the earlier run has written.
    public var framesWritten: Int

    /// - Parameters:
    ///   - segment: from 0; less is taken as 0.
    ///   - framesWritten: by the earlier run.
    public init(segment: Int, framesWritten: Int) {
        self.segment = max(0, segment)
        self.framesWritten = max(0, framesWritten)
    }

    /// Nothing is done yet.
    public static let start = ResumePoint(segment: 0, framesWritten: 0)
}
