internal import FrameCore

/// Captions and other data of single source frames, on its way to the output frames of another frame rate.
///
/// An output frame gets the data of all source frames since the output frame before it, so everything comes out once,
/// in order, and late by less than an output frame.
struct SinglePictureData {
    private var waiting: [SideData.Entry] = []

    /// Adds the data of the next source frame.
    mutating func append(_ source: Frame) {
        waiting += source.sideData.entries.filter(\.isOfThisPictureOnly)
    }

    /// Whether earlier frames than this one, which was added last, have left data.
    func holdsMore(than last: Frame) -> Bool {
        waiting.count > last.sideData.entries.count(where: \.isOfThisPictureOnly)
    }

    /// Gives what has been waiting to the next output frame, in place of the data that it has.
    mutating func move(to frame: inout Frame) {
        frame.sideData = frame.sideData.forMadeFrames
        frame.sideData.entries += waiting
        waiting = []
    }

    /// Returns what is left after the last output frame.
    mutating func takeRest() -> SideData {
        defer { waiting = [] }
        return SideData(waiting)
    }

    /// Drops what an output frame before the first one that is made has got.
    mutating func removeAll() { waiting = [] }
}
