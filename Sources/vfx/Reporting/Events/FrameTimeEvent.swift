internal import CommandLineCore

/// The moment that a frame of a speed ramp shows, printed by `--print-times`.
struct FrameTimeEvent: JSONEvent {
    static let type = "frame_time"

    /// The number of the output frame, from 0.
    let frame: Int
    /// When it is shown, in seconds from the first frame.
    let time: SixDecimals
    /// The time of the source that it shows, in seconds.
    let source: SixDecimals
    /// The speed at that time.
    let speed: SixDecimals
}
