internal import DequeModule
public import FrameCore

/// Runs one effect on frames that the caller submits one by one, for programs that have a loop of their own: players,
/// plug-ins, callers from other languages.
///
/// The frames are those of a ``ConversionPipeline`` with the same effect and the same source. Alternate: submit frames
/// until ``submit(_:)`` returns false or there are no more, then take results until ``receive()`` returns
/// ``Output/needsInput``. The effect works on a thread of its own, which starts with the first frame. At most
/// ``inputCapacity`` frames wait for it and ``outputCapacity`` results wait for the caller.
///
/// All functions can be called from any thread; to overlap their work, one thread may submit while another receives.
public final class EffectStream: Sendable {
    /// The maximum number of submitted frames that wait for the effect.
    public static let inputCapacity = 4
    /// The maximum number of results that wait for the caller.
    public static let outputCapacity = 2

    /// What ``EffectStream/receive()`` returns.
    public enum Output: Sendable {
        /// The next frame, in presentation order.
        case frame(Frame, beginsScene: Bool)
        /// Nothing more can be made before another frame is submitted, or before the end is declared.
        case needsInput
        /// There are no more frames.
        case ended
    }

    /// The description of the results.
    public let outputStream: VideoStreamDescription
    private let finder: any TransitionFinder
    private let exchange = FrameExchange()
    private let state = RunState()
    private let start: @Sendable (FrameExchange, RunState, MediaTime) -> WorkerThread
    private let worker = Lock<WorkerThread?>(nil)

    /// Creates a stream; nothing runs before the first frame.
    ///
    /// - Parameters:
    ///   - effect: the effect.
    ///   - source: describes the frames to come.
    ///   - cuts: how cuts are detected.
    ///   - segment: number of the reset point from which frames are made. Of the frames before, only the cuts are looked
    ///     for.
    ///   - first: the number of the first frame that is submitted, at most ``latestStart(forSegment:)``. Unless it is 0,
    ///     the clip's first frame counts as being shown at time 0.
    /// - Throws: an error if the effect cannot process the source, and `FrameError` if `first` is out of range.
    public init(
        _ effect: any ClipEffect, source: VideoStreamDescription, cuts: CutSearch = .lookingAhead,
        fromSegment segment: Int = 0, firstFrame first: Int = 0
    ) throws {
        guard 0...Self.latestStart(forSegment: segment) ~= first else {
            throw FrameError(
                .invalidArgument,
                "the first frame \(first) is not allowed; for segment \(segment) it is 0 to \(Self.latestStart(forSegment: segment))"
            )
        }
        guard first == 0 || EffectChain(effect).canSkip else {
            throw FrameError(.invalidArgument, "the first frame is \(first); this effect needs all frames from 0 on")
        }
        outputStream = try EffectChain(effect).outputStream(for: source)
        let finder = cuts.finder(from: first), firstFrame = ResetSchedule.frame(of: segment)
        self.finder = finder
        start = { exchange, state, time in
            WorkerThread(name: "vfx-stream") {
                let stage = EffectStage(
                    effect, stream: source, timeline: SourceTimeline(finder, from: first),
                    start: first > 0 ? StageStart(frame: first, time: time, firstTime: .zero) : nil,
                    counter: LiveFrameCounter(), wantsMotion: false, firstFrame: firstFrame, onCut: { _ in },
                    send: { if !exchange.push($0) { throw CancellationError() } })
                do {
                    _ = try stage.run(on: exchange, state)
                    exchange.end(nil)
                } catch {
                    exchange.end(error)
                }
            }
        }
    }

    /// Returns the number of the last frame with which submitting may begin so that the frames from a reset point on are
    /// those of the whole clip.
    public static func latestStart(forSegment segment: Int) -> Int {
        ResetSchedule.latestStart(for: segment)
    }

    deinit { stop() }

    /// Submits the next frame.
    ///
    /// - Returns: false if the frame was not taken because results must be received first.
    /// - Throws: the error that has ended the stream, `CancellationError` after ``cancel()``, and `FrameError` after
    ///   ``finish()`` or if the system has no more threads.
    public func submit(_ frame: Frame) throws -> Bool {
        guard try exchange.waitForSpace() else { return false }
        var entry = TimelineFrame(frame: frame)
        entry.signature = finder.signature(of: frame.buffer)
        try worker.withLock { worker throws(FrameError) in
            guard worker == nil else { return }
            let started = start(exchange, state, frame.presentationTime)
            if let error = started.launchError { throw error }
            worker = started
        }
        return try exchange.submit(entry)
    }

    /// Declares that no more frames follow. Has no effect when repeated.
    public func finish() { exchange.finish() }

    /// Waits for the next result.
    ///
    /// - Throws: the error that has ended the stream, or `CancellationError` after ``cancel()``.
    public func receive() throws -> Output { try exchange.receive() }

    /// Ends the stream, wakes all callers that wait, and waits until the effect has stopped, which takes at most as long
    /// as one frame.
    public func cancel() {
        stop()
        worker.withLock { $0 }?.join()
    }

    private func stop() {
        // Without a failure, the stage would take the end of its input for the end of the clip.
        state.fail(CancellationError(), in: nil)
        exchange.cancel()
    }
}

/// The frames on their way between a caller and the thread of an effect.
///
/// `@unchecked Sendable`: all state is accessed only while the condition is locked.
private final class FrameExchange: StageInput, @unchecked Sendable {
    private let condition = ThreadCondition()
    private var inputs = Deque<TimelineFrame>()
    private var outputs = Deque<TimelineFrame>()
    private var hasStarted = false
    private var isFinished = false
    private var isCancelled = false
    private var hasEnded = false
    private var failure: (any Error)?
    /// Whether the effect waits for a frame, or for the caller to take one.
    private var waitsForInput = false
    private var waitsForSpace = false

    // The caller's side.

    /// Waits until a frame can be submitted; false if the caller must take results first.
    func waitForSpace() throws -> Bool {
        try condition.withLock { () throws in
            while true {
                if isCancelled { throw CancellationError() }
                if let failure { throw failure }
                if isFinished {
                    throw FrameError(.invalidArgument, "a frame was submitted after the end of the stream")
                }
                if inputs.count < EffectStream.inputCapacity { return true }
                if waitsForSpace, outputs.count >= EffectStream.outputCapacity { return false }
                condition.wait()
            }
        }
    }

    func submit(_ frame: TimelineFrame) throws -> Bool {
        guard try waitForSpace() else { return false }
        condition.withLock {
            hasStarted = true
            inputs.append(frame)
            condition.broadcast()
        }
        return true
    }

    func finish() {
        condition.withLock {
            isFinished = true
            // Without a frame there is no thread that could end.
            if !hasStarted { hasEnded = true }
            condition.broadcast()
        }
    }

    func receive() throws -> EffectStream.Output {
        try condition.withLock { () throws in
            while true {
                if isCancelled { throw CancellationError() }
                if let output = outputs.popFirst() {
                    condition.broadcast()
                    return .frame(output.frame, beginsScene: output.before.isCut)
                }
                if let failure { throw failure }
                if hasEnded { return .ended }
                if inputs.isEmpty, !isFinished, waitsForInput || !hasStarted { return .needsInput }
                condition.wait()
            }
        }
    }

    func cancel() {
        condition.withLock {
            isCancelled = true
            inputs.removeAll()
            outputs.removeAll()
            condition.broadcast()
        }
    }

    // The effect's side.

    func pop() -> TimelineFrame? {
        condition.withLock {
            waitsForInput = true
            condition.broadcast()
            while inputs.isEmpty, !isFinished, !isCancelled { condition.wait() }
            waitsForInput = false
            return takeFirst()
        }
    }

    private func takeFirst() -> TimelineFrame? {
        guard !isCancelled, let frame = inputs.popFirst() else { return nil }
        condition.broadcast()
        return frame
    }

    func push(_ frame: TimelineFrame) -> Bool {
        condition.withLock {
            waitsForSpace = true
            condition.broadcast()
            while outputs.count >= EffectStream.outputCapacity, !isCancelled { condition.wait() }
            waitsForSpace = false
            guard !isCancelled else { return false }
            outputs.append(frame)
            condition.broadcast()
            return true
        }
    }

    func end(_ error: (any Error)?) {
        condition.withLock {
            failure = error
            hasEnded = true
            condition.broadcast()
        }
    }
}
