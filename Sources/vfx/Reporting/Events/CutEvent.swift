internal import CommandLineCore
internal import FrameCore

/// A scene cut in the input.
struct CutEvent: JSONEvent {
    static let type = "cut"

    /// The number of the first frame after the cut, counted from 0 in the source.
    let frame: Int
    /// The time of that frame.
    let time: MediaTime
}
