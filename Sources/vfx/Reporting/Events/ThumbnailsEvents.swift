internal import CommandLineCore
internal import FrameCore

/// `vfx thumbnails` has picked a frame; the best comes first.
struct PickEvent: JSONEvent {
    static let type = "pick"

    /// The name of the image in the output folder.
    let file: String
    /// The time of the frame.
    let time: MediaTime
    /// The aesthetic score, from -1 to 1.
    let score: SixDecimals
    /// The score by which frames are ordered, which also considers the neighbours of the frame and what it shows.
    let rank: SixDecimals
}

/// `vfx thumbnails` has finished.
struct ThumbnailsFinishedEvent: JSONEvent {
    static let type = "finished"

    /// The number of frames that were picked.
    let picks: Int
    /// The number of frames that were examined.
    let lookedAt: Int
    /// The wall-clock time in seconds.
    let seconds: Double
    /// The exit code of the program.
    let exitCode: Int32
}
