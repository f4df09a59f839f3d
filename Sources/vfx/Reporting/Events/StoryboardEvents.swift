internal import CommandLineCore
internal import FrameCore

/// `vfx storyboard` has written a storyboard.
struct StoryboardEvent: JSONEvent {
    static let type = "storyboard"

    /// The input, as named on the command line.
    let input: String
    /// The output folder, as named on the command line.
    let output: String
    /// The number of tiles.
    let tiles: Int
    /// The number of sheets.
    let sheets: Int
    /// The number of columns of a sheet.
    let columns: Int
    /// The number of rows of a sheet.
    let rows: Int
    /// The width of a tile in pixels.
    let tileWidth: Int
    /// The height of a tile in pixels.
    let tileHeight: Int
    /// The time from one tile to the next in milliseconds.
    let intervalMs: Int
    /// The duration of the storyboard in milliseconds.
    let durationMs: Int
    /// The wall-clock time in seconds.
    let seconds: Double
    /// Notes, each with the keys of a `note`.
    let notes: [NoteEvent]
    /// The exit code of the program.
    let exitCode: Int32
}

/// `vfx storyboard --lookup` has written the thumbnail for a time.
struct ThumbnailEvent: JSONEvent {
    static let type = "thumbnail"

    /// The track, as named on the command line.
    let track: String
    /// The output, as named on the command line.
    let output: String
    /// The requested time.
    let time: MediaTime
    /// The time from which the thumbnail is shown.
    let start: MediaTime
    /// The time until which the thumbnail is shown.
    let end: MediaTime
    /// The image and the rectangle in it, as the track names them.
    let image: String
    /// The width of the thumbnail.
    let width: Int
    /// The height of the thumbnail.
    let height: Int
    /// The exit code of the program.
    let exitCode: Int32
}
