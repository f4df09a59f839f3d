package import FrameCore

/// Where in the source a run begins that makes a part of a clip.
package struct PartStart: Sendable, Hashable {
    /// The number of the last reset point at or before the part's first frame; 0 for a sample that begins without state.
    package let segment: Int
    /// The number of the first source frame to read.
    package let firstRead: Int
}

extension EffectChain {
    /// Returns where to begin so that the frames from source frame `number` on are those of a run over the whole clip:
    /// early enough for the effects to have their state, and the search for cuts its history, at the reset point before.
    ///
    /// - Parameters:
    ///   - number: the number of the part's first frame.
    ///   - source: the source's description.
    ///   - isSample: whether the frames may differ from those of a run over the whole clip. The effects then begin
    ///     there without state, wherever the last reset point is.
    /// - Throws: an error if an effect cannot process its input.
    package func start(
        ofPartAt number: Int, of source: VideoStreamDescription, isSample: Bool = false
    ) throws -> PartStart {
        let segment = ResetSchedule.segment(of: number)
        guard canSkip else { return PartStart(segment: segment, firstRead: 0) }
        if isSample { return PartStart(segment: 0, firstRead: number) }
        let first = try firstFrame(forSegment: segment, of: source)
        return PartStart(segment: segment, firstRead: max(0, first - ResetSchedule.lead))
    }
}

extension SourceCheckpoint {
    /// A checkpoint at a frame before which nothing is known.
    ///
    /// - Parameters:
    ///   - frame: the frame's number.
    ///   - time: its time.
    ///   - firstTime: the time of the clip's first frame.
    ///   - position: where it is in the input.
    ///   - cuts: how cuts are searched for.
    package init(frame: Int, time: MediaTime, firstTime: MediaTime, position: SourcePosition, cuts: CutSearch) {
        self.init(
            frame: frame, time: time, firstTime: firstTime, position: position, cuts: [], duplicates: 0,
            search: cuts.finder(from: frame).state)
    }
}
