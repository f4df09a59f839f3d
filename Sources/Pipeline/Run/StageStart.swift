internal import FrameCore

/// Where in a clip a run begins to read.
struct StageStart {
    /// The number of the first frame that is read.
    var frame: Int
    /// The time of that frame.
    var time: MediaTime
    /// The time of the clip's first frame.
    var firstTime: MediaTime
}

extension StageStart {
    init(_ checkpoint: SourceCheckpoint) {
        self.init(frame: checkpoint.frame, time: checkpoint.time, firstTime: checkpoint.firstTime)
    }
}
