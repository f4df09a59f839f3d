/// The reset points of a source, where effects drop all state kept between frames: every source frame whose position is
/// a multiple of ``interval``.
///
/// The schedule depends only on the source's timeline and is the same in every run, so a job can be split into segments
/// at reset points without affecting the result.
public enum ResetSchedule {
    /// The number of source frames from one reset point to the next.
    public static let interval = 240
    /// The number of frames before a reset point with which reading begins at the latest. Fades are remembered for 40
    /// frames, everything else for less.
    package static let lead = 64

    /// The number of a reset point that no clip reaches.
    package static let noPoint = Int(Int32.max)

    /// Returns the number of the reset point at a source frame; nil if there is none.
    ///
    /// - Parameter index: position of the source frame, counted from 0.
    package static func point(at index: Int) -> Int? {
        index.isMultiple(of: interval) ? index / interval : nil
    }

    /// Returns the number of the last reset point at or before a source frame.
    ///
    /// - Parameter index: position of the source frame, counted from 0; values below 0 are treated as 0.
    package static func segment(of index: Int) -> Int { max(0, index) / interval }

    /// Returns the position of the source frame at a reset point, capped for numbers that no clip reaches.
    ///
    /// - Parameter point: number of the reset point; values below 0 are treated as 0.
    package static func frame(of point: Int) -> Int { min(max(0, point), noPoint) * interval }

    /// Returns the last position at which reading may begin so that frames from a reset point on are those of the whole
    /// clip.
    ///
    /// - Parameter point: number of the reset point.
    package static func latestStart(for point: Int) -> Int { max(0, frame(of: point) - lead) }

    /// Returns the position of a source frame among the last `count` frames before the next reset point; below 0 if it comes
    /// before them.
    package static func place(of index: Int, amongLast count: Int) -> Int { index % interval - (interval - count) }

    /// Returns the number of segments of a source, at least 1.
    package static func segmentCount(ofFrames frames: Int) -> Int { max(1, (max(0, frames) + interval - 1) / interval) }

    /// Returns the number of frames in a segment of a source.
    ///
    /// - Parameters:
    ///   - segment: number of the segment, counted from 0.
    ///   - frames: the number of frames from the first segment on.
    package static func frameCount(of segment: Int, ofFrames frames: Int) -> Int {
        max(0, min(interval, frames - frame(of: segment)))
    }

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
