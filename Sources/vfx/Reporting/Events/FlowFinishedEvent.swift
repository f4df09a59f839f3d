internal import CommandLineCore
internal import FrameCore

/// `vfx flow` has finished.
struct FlowFinishedEvent: JSONEvent {
    static let type = "finished"

    /// The number of frames read.
    let framesRead: Int
    /// The number of frames written.
    let framesWritten: Int
    /// The number of pairs of frames.
    let pairs: Int
    /// The number of pairs across a cut, which have no motion.
    let pairsAcrossCuts: Int
    /// The median time for both directions of a pair in milliseconds; null if there are no pairs.
    let medianMs: Double?
    /// The 95th percentile of that time; null if there are no pairs.
    let p95Ms: Double?
    /// The motion in pixels that is drawn at full scale; null if none is drawn.
    let maxMotion: Double?
    /// The longest motion in pixels; null for a whole clip.
    let longestMotion: Double?
    /// The time of the first frame of a pair in a video; otherwise null.
    let time: MediaTime?
    /// The time of the second frame of a pair in a video; otherwise null.
    let nextTime: MediaTime?
    /// The wall-clock time in seconds.
    let seconds: Double
    /// The peak memory of the process in KiB; null if unknown.
    let peakMemoryKib: Int?
    /// The number of cuts.
    let cuts: Int
    /// The exit code of the program.
    let exitCode: Int32
}
