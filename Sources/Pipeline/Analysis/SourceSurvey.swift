package import Checkpoints
package import FrameCore
internal import Motion

/// What a job that is divided among machines must know about its source beforehand: where each part can begin, and what
/// depends on all frames before it.
package struct SourceSurvey: Sendable {
    /// The number of frames before the end of the clip or of the part, counted from the clip's first frame.
    package private(set) var frames = 0
    /// The time of the clip's first frame.
    package private(set) var firstTime = MediaTime.zero
    /// The time of the last frame.
    package private(set) var lastTime = MediaTime.zero
    /// The time of the second frame; nil if there is only one.
    package private(set) var secondTime: MediaTime?
    /// The first frames of new scenes, without the clip's first.
    package private(set) var cuts: [Int] = []
    /// Frames of which exactly one of the frame and the one before it is lit by a flash.
    package private(set) var flashes: [Int] = []
    /// The number of frames that repeat the one before.
    package private(set) var duplicates = 0
    /// The checkpoints by reset point; missing where reading cannot safely begin.
    package private(set) var checkpoints: [Int: SourceCheckpoint] = [:]
    /// What was lost or repaired.
    package private(set) var damage = DamageReport()

    /// Reads a source from its beginning to its end, or what a part of it depends on.
    ///
    /// - Parameters:
    ///   - source: the source.
    ///   - chain: the effects that will run; they determine how far before a reset point reading begins.
    ///   - search: how cuts are detected.
    ///   - cutList: the first frames of new scenes, if they are known; no others are cuts.
    ///   - part: where reading begins, and the time at which the part ends; nil for the whole clip.
    ///   - onFrame: called after each frame with the number of frames read so far.
    /// - Throws: any error of the source or of `onFrame`.
    package init(
        of source: any ResumableFrameSource, chain: EffectChain, search: CutSearch, cutList: Set<Int>? = nil,
        part: (start: SourceCheckpoint?, end: MediaTime?)? = nil, onFrame: (Int) throws -> Void
    ) throws {
        let finder = search.finder(cutList: cutList), store = CollectedCheckpoints()
        let start = part?.start, end = part?.end
        guard var timeline = start.map({ SourceTimeline(finder, at: $0) }) ?? SourceTimeline(finder) else {
            throw SourceMismatch()
        }
        let checked = CheckedSource(source, from: start, checkpointLead: chain.checkpointLead)
        var recorder = CheckpointRecorder(store, chain, start)
        var index = start?.frame ?? 0, framesPastEnd = 0
        frames = index
        if let start { firstTime = start.firstTime }
        func note(_ settled: [TimelineFrame]) {
            for frame in settled {
                if frame.before.isCut, index > 0 { cuts.append(index) }
                if frame.before.isFlash { flashes.append(index) }
                index += 1
            }
        }
        while var frame = try checked.next() {
            if frames == 0 { firstTime = frame.frame.presentationTime }
            if frames == 1 { secondTime = frame.frame.presentationTime }
            lastTime = frame.frame.presentationTime
            frame.signature = finder.signature(of: frame.frame.buffer)
            recorder.append(frame, timeline)
            note(timeline.append(frame))
            if let end, frame.frame.presentationTime >= end {
                // The last frames of the part depend on those behind it.
                framesPastEnd += 1
                guard framesPastEnd < RestartingTransitions.lead else { break }
            } else {
                frames += 1
            }
            try onFrame(frames)
        }
        note(timeline.finish())
        guard frames > 0 else {
            throw FrameError(.input, "there is no video frame in the input that can be decoded")
        }
        duplicates = timeline.duplicates
        damage = source.damage
        // A worker is given the cuts of the whole clip, so it searches for none.
        for checkpoint in store.all { checkpoints[checkpoint.resetPoint] = checkpoint.withKnownTransitions }
    }
}

/// Collects checkpoints in memory.
private final class CollectedCheckpoints: SourceCheckpointStore {
    private let list = Lock<[SourceCheckpoint]>([])
    var all: [SourceCheckpoint] { list.withLock { $0 } }
    func keep(_ checkpoint: SourceCheckpoint) { list.withLock { $0.append(checkpoint) } }
}
