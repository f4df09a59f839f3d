public import FrameCore
internal import Synchronization

/// Makes something from the frames of a run in addition to its output, such as a storyboard.
public protocol TeeBranch: AnyObject, Sendable {
    /// Takes all frames and prepares everything, but keeps it invisible. Called on the branch's own thread.
    ///
    /// - Throws: an error that ends the whole run; also any error that `frames` throws because the run has ended.
    func consume(_ frames: any FrameSource) throws
    /// Makes what was prepared visible; called when the sink's own output is complete.
    func publish() throws
    /// Drops what was prepared. Has no effect after ``publish()``.
    func discard()
}

/// Passes each frame to a sink and also to ``TeeBranch``es, each on its own thread, without decoding twice and without
/// copies.
///
/// A failure anywhere ends the whole run. Nothing becomes visible before every branch is ready and the sink is
/// finished.
///
/// `@unchecked Sendable`: mutable state is accessed by one thread at a time, as `FrameSink` requires.
public final class TeeSink: FrameSink, @unchecked Sendable {
    /// The maximum number of frames that wait for a branch.
    package static let waitingFrames = 2
    /// How long a cancelled sink waits for a busy branch, in seconds.
    private static let grace = 10.0

    private let sink: any FrameSink
    private let branches: [RunningBranch]
    private let isStopped = Atomic<Bool>(false)
    private var hasBegun = false
    private var isDone = false

    /// - Parameters:
    ///   - sink: the sink for the output itself.
    ///   - stream: the description of the frames.
    ///   - branches: the branches; started at once.
    public init(_ sink: any FrameSink, stream: VideoStreamDescription, branches: [any TeeBranch]) {
        self.sink = sink
        self.branches = branches.map { RunningBranch($0, stream) }
    }

    /// The resume point of the sink.
    public var resumePoint: ResumePoint { sink.resumePoint }

    /// The number of frames that the sink holds.
    public var framesHeld: Int { sink.framesHeld }

    /// Passes the call on to the sink.
    /// - Throws: any error of the sink.
    public func beginSegment(_ index: Int) throws { try sink.beginSegment(index) }

    /// Passes the call on to the sink.
    public func addToLastFrame(_ sideData: SideData) { sink.addToLastFrame(sideData) }

    /// Passes the call on to the sink.
    /// - Throws: any error of the sink.
    public func finishedFrames(_ take: (Frame) throws -> Void) throws {
        try sink.finishedFrames(take)
    }

    /// Stops the sink, and sends no more frames to the branches.
    public func stop() {
        isStopped.store(true, ordering: .releasing)
        for branch in branches { branch.source.cancel() }
        sink.stop()
    }

    /// Abandons the sink, which removes what it has written.
    public func abandon() { sink.abandon() }

    /// Sends the branches the frames that an earlier run has finished, before the first new frame.
    private func begin() throws {
        guard !hasBegun else { return }
        hasBegun = true
        guard !branches.isEmpty else { return }
        try finishedFrames { frame in
            for branch in branches { try branch.write(frame) }
        }
    }

    /// Passes the frame to the branches and the sink.
    /// - Throws: any error of a branch or the sink.
    public func write(_ frame: Frame) throws {
        try begin()
        for branch in branches { try branch.write(frame) }
        try sink.write(frame)
    }

    /// Waits for the branches, finishes the sink, then publishes what the branches have prepared.
    /// - Throws: any error of a branch or the sink.
    public func finish() throws {
        try begin()
        for branch in branches { branch.source.finish() }
        for branch in branches { try branch.waitUntilReady() }
        // After a stop, the caller may no longer be waiting, so nothing may become visible.
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

/// A branch, its thread and the frames queued for it.
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
            // The writing thread must not wait for a branch that takes no more frames.
            source.cancel()
        }
        if let error = thread.launchError {
            failure.withLock { $0 = error }
            source.cancel()
        }
    }

    func write(_ frame: Frame) throws {
        if source.push(frame) { return }
        thread.join()
        // A branch may end early without an error once it needs no more frames.
        if let error = failure.withLock({ $0 }) { throw error }
    }

    func waitUntilReady() throws {
        thread.join()
        if let error = failure.withLock({ $0 }) { throw error }
    }
}

/// A source of frames that another thread pushes.
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
