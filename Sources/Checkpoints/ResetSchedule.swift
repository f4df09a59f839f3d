public import FrameCore

/// The reset points of a source, where effects drop all state kept between frames: every source frame whose position is
/// a multiple of ``interval``.
///
/// The schedule depends only on the source's timeline and is the same in every run, so a job can be split into segments
/// at reset points without affecting the result.
public enum ResetSchedule {
    /// The number of source frames from one reset point to the next.
    public static let interval = 240

    /// Returns the number of the reset point at a source frame; nil if there is none.
    ///
    /// - Parameter index: position of the source frame, counted from 0.
    package static func point(at index: Int) -> Int? {
        index.isMultiple(of: interval) ? index / interval : nil
    }

    /// Returns the position of the source frame at a reset point, capped for numbers that no clip reaches.
    ///
    /// - Parameter point: number of the reset point; values below 0 are treated as 0.
    package static func frame(of point: Int) -> Int { min(max(0, point), Int(Int32.max)) * interval }

    /// The longest duration of a source that is encoded in one piece.
    private static let longestPiece = MediaTime(value: 30, timescale: 1)

    /// Whether a job over a source is worth dividing, so that its video is encoded in segments that begin at reset
    /// points.
    ///
    /// - Parameter source: the source's description. A source of unknown duration counts as long.
    public static func isWorthSegmenting(_ source: VideoStreamDescription) -> Bool {
        source.duration.map { $0 > longestPiece } ?? true
    }
}
