internal import Checkpoints
internal import DequeModule
internal import FrameCore
internal import Motion

/// Holds source frames until it is known what lies before each, and marks the reset points: a pure value.
///
/// This is done once for a run. Holds at most ``capacity(lookAhead:)`` frames when transitions come no later than promised.
package struct SourceTimeline: Sendable {
    private var finder: any TransitionFinder
    private var waiting = Deque<TimelineFrame>()
    private var settled = Deque<Transition>()
    /// Position of the next frame to come out.
    private var index = 0
    /// In the order of their times, as far as they are settled.
    package private(set) var cuts: [SceneCut] = []
    /// Frames that repeat the one before.
    package private(set) var duplicates = 0
    /// Frames taken.
    package private(set) var framesRead = 0

    /// - Parameter finder: tells what lies between frames that bring its signatures along.
    package init(_ finder: any TransitionFinder) { self.finder = finder }

    /// Frames that are held at most for a finder that looks `lookAhead` frames ahead of a pair.
    package static func capacity(lookAhead: Int) -> Int { max(0, lookAhead) }

    package var count: Int { waiting.count }

    /// Takes the next frame; returns the frames about which all is known.
    package mutating func append(_ frame: TimelineFrame) -> [TimelineFrame] {
        settled.append(contentsOf: finder.append(frame.signature))
        var frame = frame
        frame.signature = nil
        frame.arrival = .now
        waiting.append(frame)
        framesRead += 1
        return release(hasEnded: false)
    }

    /// Says that no frame follows; transitions that never came count as continuous.
    package mutating func finish() -> [TimelineFrame] {
        settled.append(contentsOf: finder.finish())
        return release(hasEnded: true)
    }

    private mutating func release(hasEnded: Bool) -> [TimelineFrame] {
        var frames: [TimelineFrame] = []
        while var frame = waiting.first {
            frame.before.resetPoint = ResetSchedule.point(at: index)
            if index == 0 {
                // Nothing lies before the clip's first frame.
                frame.before.isCut = true
            } else {
                guard
                    let transition = settled.popFirst()
                        ?? (hasEnded ? Transition(index: index, kind: .continuous) : nil)
                else { break }
                frame.before.isFlash = transition.isFlash
                switch transition.kind {
                case .cut:
                    frame.before.isCut = true
                    cuts.append(SceneCut(frame: index, time: frame.frame.presentationTime))
                case .duplicate: duplicates += 1
                case .continuous: break
                }
            }
            waiting.removeFirst()
            index += 1
            frame.isLast = waiting.isEmpty ? (hasEnded ? true : nil) : false
            frames.append(frame)
        }
        return frames
    }
}
