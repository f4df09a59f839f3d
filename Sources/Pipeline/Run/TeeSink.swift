public import FrameCore
internal import Synchronization

/// Something that is made of the frames of a run beside its output, such as a storyboard.
public protocol TeeBranch: AnyObject, Sendable {
    /// Takes the frames to their end and makes everything ready, out of sight. Called on a thread of its own.
    ///
    /// - Throws: what ends the whole run; also what `frames` throws when the run has ended otherwise.
    func consume(_ frames: any FrameSource) throws
    /// Makes what was prepared visible; called when the sink's own output is complete.
    func publish() throws
    /// Drops what was prepared. Harmless after ``publish()``.
    func discard()
}

/// Hands each frame to a sink and at the same time to ``TeeBranch``es, each on a thread of its own, without a second
/// decode and without copies.
///
/// What fails anywhere ends all. Nothing becomes visible before every branch is ready and the sink is finished.
///
/// `@unchecked Sendable`: what changes is touched by one thread at a time, as `FrameSink` demands.
public final class TeeSink: FrameSink, @unchecked Sendable {
    /// Frames that wait for a branch at most.
    package static let waitingFrames = 2
    /// Seconds that a cancelled sink waits for a branch that is at work.
    private static let grace = 10.0

    private let sink: any FrameSink
    private let branches: [RunningBranch]
    private let isStopped = Atomic<Bool>(false)
    private var hasBegun = false
    private var isDone = false

    /// - Parameters:
    ///   - sink: the output proper.
    ///   - stream: what the frames are.
    ///   - branches: what else is made of them; started at once.
    public init(_ sink: any FrameSink, stream: VideoStreamDescription, branches: [any TeeBranch]) {
        self.sink = sink
        self.branches = branches.map { RunningBranch($0, stream) }
    }

    /// The sink's.
    public var resumePoint: ResumePoint { sink.resumePoint }

    /// Passed on to the sink.
    /// - Throws: what the sink failed of.
    public func beginSegment(_ index: Int) throws { try sink.beginSegment(index) }

    /// The sink's.
    /// - Throws: what the sink throws.
    public func finishedFrames(_ take: (Frame) throws -> Void) throws {
        try sink.finishedFrames(take)
    }

    /// Stops the sink, and has branches that are at work be given no more.
    public func stop() {
        isStopped.store(true, ordering: .releasing)
        for branch in branches { branch.source.cancel() }
        sink.stop()
    }

    /// Has the sink remove what it has written.
    public func abandon() { sink.abandon() }

    /// The branches see what an earlier run has finished first.
    private func begin() throws {
        guard !hasBegun else { return }
        hasBegun = true
        guard !branches.isEmpty else { return }
        try finishedFrames { frame in
            for branch in branches { try branch.write(frame) }
        }
    }

    /// Gives the frame to all.
    /// - Throws: what a branch or the sink failed of.
    public func write(_ frame: Frame) throws {
        try begin()
        for branch in branches { try branch.write(frame) }
        try sink.write(frame)
    }

    /// Waits for the branches, finishes the sink, then makes visible what the branches have prepared.
    /// - Throws: what any of them failed of.
    public func finish() throws {
        try begin()
        for branch in branches { branch.source.finish() }
        for branch in branches { try branch.waitUntilReady() }
        // Whoever has stopped the run may have gone: nothing may become visible behind their back.
        guard !isStopped.load(ordering: .acquiring) else { throw CancellationError() }
        try sink.finish()
        for running in branches { try running.branch.publish() }
        isDone = true
    }

    /// Cancels the sink and drops what the branches have prepared.
    public func cancel() {
        guard !isDone else { return }
        for branch in branches { branch.source.cancel() }
        sink.cancel()
        for running in branches {
            _ = running.thread.join(forAtMost: Self.grace)
            running.branch.discard()
        }
        isDone = true
    }
}

/// A branch, its thread and the frames on their way to it.
private final class RunningBranch: Sendable {
    let branch: any TeeBranch
    let source: QueueSource
    let thread: WorkerThread
    private let failure = Lock<(any Error)?>(nil)

    init(_ branch: any TeeBranch, _ stream: VideoStreamDescription) {
        let source = QueueSource(stream)
        self.branch = branch
        self.source = source
        thread = WorkerThread(name: "vfx-tee") { [failure] in
            do {
                try branch.consume(source)
            } catch {
                failure.withLock { $0 = error }
            }
            // Whoever writes must not wait for a branch that takes no more.
            source.cancel()
        }
    }

    func write(_ frame: Frame) throws {
        if source.push(frame) { return }
        thread.join()
        // A branch that has seen enough may end early.
        if let error = failure.withLock({ $0 }) { throw error }
    }

    func waitUntilReady() throws {
        thread.join()
        if let error = failure.withLock({ $0 }) { throw error }
    }
}

/// Frames that another thread pushes.
private final class QueueSource: FrameSource {
    let stream: VideoStreamDescription
    private let queue = BoundedQueue<Frame>(capacity: TeeSink.waitingFrames)
    private let isComplete = Atomic<Bool>(false)

    init(_ stream: VideoStreamDescription) { self.stream = stream }

    var damage: DamageReport { DamageReport() }

    func push(_ frame: Frame) -> Bool { queue.push(frame) }

    func finish() {
        isComplete.store(true, ordering: .releasing)
        queue.finish()
    }

    func cancel() { queue.cancel() }

    func nextFrame() throws -> Frame? {
        if let frame = queue.pop() { return frame }
        guard isComplete.load(ordering: .acquiring) else { throw CancellationError() }
        return nil
    }
}
