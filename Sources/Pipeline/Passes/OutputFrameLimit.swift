internal import FrameCore

/// How many frames a plan may ask for: a few bytes may claim that their frames are shown for years, and nothing else would
/// end the writing.
struct OutputFrameLimit {
    /// Frames between two neighbours of the source beyond which the source's times are taken for wrong: a day at 11
    /// frames per second.
    static let mostOfPair = 1_000_000
    /// The same for each of many: 16 s at 60 frames per second.
    static let mostOfEach = 1000

    /// Frames planned so far.
    private var total = 0

    /// Counts frames without asking whether they are too many.
    mutating func count(_ planned: PlannedFrames) { total += planned.count }

    /// Counts frames that are to be made.
    ///
    /// - Parameters:
    ///   - planned: the frames from one source frame to the next.
    ///   - index: of the source frame, from 0.
    ///   - time: the source frame's.
    /// - Throws: `FrameError` when they are too many.
    mutating func take(_ planned: PlannedFrames, of index: Int, at time: MediaTime) throws(FrameError) {
        guard planned.count <= Self.mostOfPair else {
            throw FrameError(
                .input,
                "the frame is shown for so long that \(planned.count) frames would follow it; at most \(Self.mostOfPair) are made, and a lower rate makes fewer",
                at: .init(time: time))
        }
        total += planned.count
        guard total <= Self.mostOfPair + Self.mostOfEach * index else {
            throw FrameError(
                .input,
                "the frames so far are shown for so long that \(total) are made of \(index + 1); at most \(Self.mostOfPair) and \(Self.mostOfEach) for each are, and a lower rate makes fewer",
                at: .init(time: time))
        }
    }
}
