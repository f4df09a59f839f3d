/// The bounded queues that join the stages of a run, and counts of the frames that are alive.
package struct RunQueues<Signature: Sendable>: Sendable {
    /// A frame as it was read, and what cuts are found by.
    package typealias ReadFrame = (frame: TimelineFrame, signature: Signature)

    let read = BoundedQueue<ReadFrame>(capacity: StagedRun.readAhead)
    /// What each effect makes.
    let made: [BoundedQueue<TimelineFrame>]
    /// What the last effect makes.
    let finished: BoundedQueue<TimelineFrame>
    /// Of the frames read, then of those that each effect makes.
    let counters: [LiveFrameCounter]

    init(effects: Int) {
        finished = BoundedQueue(capacity: StagedRun.writeBehind)
        made = (1..<max(1, effects)).map { _ in BoundedQueue(capacity: StagedRun.betweenEffects) } + [finished]
        counters = (0...effects).map { _ in LiveFrameCounter() }
    }

    /// Ends all who wait.
    func cancel() {
        read.cancel()
        made.forEach { $0.cancel() }
    }
}
