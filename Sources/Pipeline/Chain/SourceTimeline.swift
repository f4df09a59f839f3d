internal import DequeModule
package import FrameCore
internal import Motion

/// Holds source frames until the boundary before each is known, and marks the reset points and long holds; a pure value.
///
/// Boundaries are determined here only, once per run. At most ``capacity(lookAhead:)`` frames are held, provided that
/// the finder returns transitions as early as it promises.
package struct SourceTimeline: Sendable {
    private var finder: any TransitionFinder
    private var waiting = Deque<TimelineFrame>()
    private var settled = Deque<Transition>()
    /// The times of the latest frames returned, as many as ``LongHolds`` needs.
    private var recentTimes: [MediaTime] = []
    /// The position of the first frame that is appended; earlier ones are known from a checkpoint.
    private var start = 0
    /// The position of the next frame to be returned.
    private var index = 0
    /// The cuts found so far, in order of time.
    package private(set) var cuts: [SceneCut] = []
    /// The number of frames that repeat the one before.
    package private(set) var duplicates = 0
    /// The number of frames appended.
    package private(set) var framesRead = 0

    /// - Parameters:
    ///   - finder: classifies the transitions, from the signatures that the frames carry.
    ///   - first: the number of the first frame that is appended.
    package init(_ finder: any TransitionFinder, from first: Int = 0) {
        self.finder = finder
        (start, index, framesRead) = (first, first, first)
    }

    /// Continues from a checkpoint: the next frame appended is the one with the checkpoint's index.
    ///
    /// - Returns: nil if the checkpoint was not made with this kind of finder.
    package init?(_ finder: any TransitionFinder, at checkpoint: SourceCheckpoint) {
        var finder = finder
        guard finder.restore(Array(checkpoint.search)) else { return nil }
        self.finder = finder
        (start, index, framesRead) = (checkpoint.frame, checkpoint.frame, checkpoint.frame)
        cuts = checkpoint.cuts.map { SceneCut(frame: $0.frame, time: $0.time) }
        duplicates = checkpoint.duplicates
    }

    /// The number of frames after a pair whose times are looked at: none if nothing waits for them.
    private var timesAhead: Int { min(LongHolds.reach, finder.framesAhead) }

    /// The state of the search for cuts.
    var search: [UInt8] { finder.state }

    /// Returns the maximum number of frames held for a finder that looks `lookAhead` frames past a pair.
    package static func capacity(lookAhead: Int) -> Int { max(0, lookAhead) }

    package var count: Int { waiting.count }

    /// Adds the next frame and returns the frames whose boundaries are now known.
    package mutating func append(_ frame: TimelineFrame) -> [TimelineFrame] {
        settle(finder.append(frame.signature))
        var frame = frame
        (frame.signature, frame.position, frame.checksum) = (nil, nil, nil)
        frame.arrival = .now
        frame.sourceNumber = frame.isFirstAgain ? 0 : framesRead
        waiting.append(frame)
        framesRead += 1
        return release(hasEnded: false)
    }

    /// Ends the clip and returns the remaining frames; transitions that were never reported count as continuous.
    package mutating func finish() -> [TimelineFrame] {
        settle(finder.finish())
        return release(hasEnded: true)
    }

    private mutating func settle(_ transitions: [Transition]) {
        settled.append(contentsOf: transitions.lazy.filter { [start] in $0.index >= start })
    }

    private mutating func release(hasEnded: Bool) -> [TimelineFrame] {
        var frames: [TimelineFrame] = []
        while var frame = waiting.first {
            frame.before.resetPoint = ResetSchedule.point(at: index)
            if index == 0 {
                // No scene precedes the clip's first frame.
                frame.before.isCut = true
            } else {
                guard hasEnded || waiting.count > timesAhead,
                    let transition = settled.popFirst()
                        ?? (hasEnded ? Transition(index: index, kind: .continuous) : nil)
                else { break }
                frame.before.isFlash = transition.isFlash
                frame.before.heldUntil = LongHolds.end(
                    before: recentTimes, after: waiting.prefix(1 + timesAhead).map(\.frame.presentationTime))
                switch transition.kind {
                case .cut:
                    frame.before.isCut = true
                    cuts.append(SceneCut(frame: index, time: frame.frame.presentationTime))
                case .duplicate: duplicates += 1
                case .continuous: break
                }
            }
            waiting.removeFirst()
            recentTimes = recentTimes.suffix(LongHolds.reach) + [frame.frame.presentationTime]
            index += 1
            frame.isLast = waiting.isEmpty ? (hasEnded ? true : nil) : false
            frames.append(frame)
        }
        return frames
    }
}
