internal import Checkpoints
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
    ///   - reopening: opens the input again.
    init(
        _ reader: MediaReader, _ kept: JobCheckpoint, _ chain: EffectChain,
        reopening: () throws(FrameError) -> MediaReader
    ) throws {
        self.init(reader: reader)
        guard let folder = kept.folder, !folder.finished.isEmpty else { return }
        let segment = folder.resumePoint.segment
        let candidates = try chain.checkpoints(
            forSegment: segment, of: reader.stream, among: folder.sourceCheckpoints)
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
        self.init(reader: next, isFallback: folder.sourceCheckpoints.isEmpty || !candidates.isEmpty)
    }
}
