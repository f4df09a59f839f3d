public import FrameCore

/// Where all that effects remember from frame to frame is dropped: at every source frame whose position is a multiple of
/// ``interval``.
///
/// The schedule depends on the source's timeline alone and is the same in every run. So a job can be cut into segments
/// at reset points without a trace.
public enum ResetSchedule {
    /// Source frames from one reset point to the next.
    public static let interval = 240

    /// Number of the reset point that lies at a source frame; nil for none.
    ///
    /// - Parameter index: position of the source frame, from 0.
    package static func point(at index: Int) -> Int? {
        index.isMultiple(of: interval) ? index / interval : nil
    }

    /// Position of the source frame at which a reset point lies; the largest for numbers that no clip reaches.
    ///
    /// - Parameter point: number of the reset point; below 0 is taken as 0.
    package static func frame(of point: Int) -> Int { min(max(0, point), Int(Int32.max)) * interval }

    /// Sources of no more than this are encoded in one piece.
    private static let longestPiece = MediaTime(value: 30, timescale: 1)

    /// Whether a job over a source is worth dividing: whether its video is encoded in segments, which begin at reset points.
    ///
    /// - Parameter source: what is read. A source that does not say how long it is counts as long.
    public static func divides(_ source: VideoStreamDescription) -> Bool {
        source.duration.map { $0 > longestPiece } ?? true
    }
}
