internal import FrameCore
internal import MediaIO
internal import Pipeline

/// Where a run begins to read its input: at a checkpoint of an earlier run, or at the beginning.
struct SourceStart {
    /// The reader, about to return the first frame needed.
    let reader: MediaReader
    /// The checkpoint that the reader has resumed at; nil for the beginning.
    var checkpoint: SourceCheckpoint?
    /// Whether the reader begins earlier than the finished segments allow.
    var isFallback = false

    init(reader: MediaReader, isFallback: Bool = false) {
        self.reader = reader
        self.isFallback = isFallback
    }

    /// Tries the checkpoints in the job's folder, the latest first, and then begins at the first frame.
    ///
    /// - Parameters:
    ///   - reader: a reader that has not returned any frames yet.
    ///   - kept: the work of an earlier run.
    ///   - chain: the effects.
    ///   - part: the part of the clip to make; nil for all of it.
    ///   - reopening: opens the input again.
    init(
        _ reader: MediaReader, _ kept: JobCheckpoint, _ chain: EffectChain, _ part: PreparedPart?,
        reopening: () throws(FrameError) -> MediaReader
    ) throws {
        self.init(reader: reader)
        let folder = kept.folder.flatMap { $0.finished.isEmpty ? nil : $0 }
        guard folder != nil || part?.checkpoint != nil else { return }
        let segment = (part?.segment ?? 0) + (folder?.resumePoint.segment ?? 0)
        let known = folder?.sourceCheckpoints ?? []
        let candidates =
            try chain.checkpoints(forSegment: segment, of: reader.stream, among: known)
            + [part?.checkpoint].compactMap(\.self)
        var next = reader
        for (index, checkpoint) in candidates.enumerated() {
            if (try? next.resume(at: checkpoint.position)) == true {
                self.init(reader: next, isFallback: index > 0)
                self.checkpoint = checkpoint
                return
            }
            next = try reopening()
        }
        // If there are only unsuitable checkpoints, the effects themselves need the whole clip.
        self.init(reader: next, isFallback: known.isEmpty || !candidates.isEmpty)
    }
}
