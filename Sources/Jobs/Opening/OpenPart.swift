package import FrameCore
package import MediaIO
internal import Pipeline

/// A part of a clip, and where to begin in order to make it.
package struct OpenPart {
    package let located: LocatedPart
    /// The number of the last reset point at or before the part's first frame; 0 if that frame's number is unknown.
    package let segment: Int
    /// Where reading begins; nil for the clip's first frame.
    package let checkpoint: SourceCheckpoint?

    /// - Parameters:
    ///   - located: the part.
    ///   - reader: a reader of the clip.
    ///   - chain: the effects.
    ///   - search: how cuts are searched for.
    ///   - isSample: whether the part is only a sample, whose frames need not be those of the whole clip.
    init(
        _ located: LocatedPart, of reader: MediaReader, _ chain: EffectChain, _ search: CutSearch, isSample: Bool
    ) throws {
        self.located = located
        guard let first = located.firstFrame else {
            (segment, checkpoint) = (0, nil)
            return
        }
        let start = try chain.start(ofPartAt: first, of: reader.stream, isSample: isSample)
        segment = start.segment
        checkpoint = reader.position(ofFrame: start.firstRead, of: located).map {
            SourceCheckpoint(
                frame: start.firstRead, time: $0.time, firstTime: located.clipStart, position: $0.position,
                cuts: search)
        }
    }

    /// Returns the part of the output that is written.
    func output(_ chain: EffectChain) -> OutputPart {
        let retiming = chain.retiming
        return OutputPart(
            start: retiming.time(of: located.start), end: located.end.map { retiming.time(of: $0) },
            firstSegment: segment, rate: chain.sampledRate)
    }
}
