/// Reads groups of successive frames of a clip, which are spread over it to see what it consists of.
///
/// A place that can be reached only by decoding many frames, in a clip with few keyframes, is left out, and so is one that
/// cannot be read.
package struct FrameGroups<Source: SeekableFrameSource> {
    private let source: Source
    /// The time of the clip's first frame.
    package let start: MediaTime
    /// The frame that has been read but not passed on.
    private var pending: Frame?
    /// The time of the latest frame that was passed on.
    private var latest: MediaTime?
    /// The number of frames that are decoded at most to reach a place beyond the frames that were passed on before.
    private static var mostSkipped: Int { 300 }

    /// - Parameter source: the clip, about to return its first frame. Its position changes.
    /// - Returns: nil if the clip has no frames.
    /// - Throws: any error of the source.
    package init?(_ source: Source) throws {
        guard let first = try source.nextFrame() else { return nil }
        (self.source, start, pending) = (source, first.presentationTime, first)
    }

    /// Reads successive frames that have not been passed on.
    ///
    /// - Parameters:
    ///   - time: where they begin, or somewhat earlier; nil for the beginning of the clip.
    ///   - count: their number; fewer at the end of the clip.
    ///   - body: called with each frame.
    /// - Throws: `FrameError` if memory cannot be allocated, and errors of `body` of other types.
    package mutating func read(_ time: MediaTime?, _ count: Int, _ body: (Frame) throws -> Void) throws {
        do {
            if let time {
                pending = nil
                try source.seek(to: time)
            }
            var skipped = 0, read = 0
            while read < count, skipped <= Self.mostSkipped, let frame = try pending ?? source.nextFrame() {
                pending = nil
                // Several places may have the same keyframe before them.
                if let latest, frame.presentationTime <= latest {
                    skipped += 1
                    continue
                }
                latest = frame.presentationTime
                read += 1
                try body(frame)
            }
        } catch let error as FrameError where error.code != .allocation {}
    }
}
