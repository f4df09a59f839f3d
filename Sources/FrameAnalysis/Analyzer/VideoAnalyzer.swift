internal import Foundation
public import FrameCore

/// Looks through a video for several requests at once: one decode pass, a stream of observations for each request.
///
/// Add requests, read their streams in tasks of their own, then start:
///
/// ```
/// let analyzer = VideoAnalyzer { try MediaReader("in.mp4") }
/// let scores = try await analyzer.addRequest(
///     CalculateImageAestheticsScoresRequest(), cadence: .timeInterval(MediaTime(value: 1, timescale: 2)))
/// analyzer.startAnalysis()
/// for try await score in scores { print(score.time, score.overallScore) }
/// ```
///
/// Observations wait in their stream until they are read; a stream that is dropped takes its request away.
public final class VideoAnalyzer: Sendable {
    /// How often a request looks.
    public enum Cadence: Sendable, Hashable {
        /// At every Nth frame, beginning with the first; at least 1.
        case frameInterval(Int)
        /// At one frame per interval at most; the interval lies above 0.
        case timeInterval(MediaTime)
    }

    /// The shares of the video that have been looked through, 0…1, ascending; ends when the analysis does.
    public let progress: AsyncStream<Double>

    private enum Phase { case open, running, ended }

    private struct Contents {
        var phase = Phase.open
        var subscriptions: [Subscription] = []
        var nextNumber = 0
        var isCancelled = false
        /// Resumed when the thread has ended.
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let contents = Lock(Contents())
    private let openSource: @Sendable () throws -> any FrameSource
    private let progressContinuation: AsyncStream<Double>.Continuation

    /// - Parameter source: opens the video; called once, on the thread that reads it. Where it gives a
    ///   `SeekableFrameSource`, a time range is reached without decoding what lies before.
    public init(source: @escaping @Sendable () throws -> any FrameSource) {
        openSource = source
        // Who does not read the progress misses shares, not memory.
        (progress, progressContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds a request.
    ///
    /// Added while the analysis runs, it sees the frames that follow.
    ///
    /// - Parameters:
    ///   - request: what to find out.
    ///   - cadence: how often; nil looks at every frame.
    /// - Returns: the observations in order of time. It ends with the video and throws what ended it early:
    ///   `CancellationError` after ``cancel()``.
    /// - Throws: `FrameError` when the cadence is not above 0 or the analysis has ended.
    public func addRequest<Request: VideoAnalysisRequest>(
        _ request: Request, cadence: Cadence? = nil
    ) async throws -> AsyncThrowingStream<Request.Observation, any Error> {
        switch cadence {
        case .frameInterval(let interval) where interval < 1:
            throw FrameError(
                .invalidArgument, "every \(interval)th frame is no cadence; the interval must be 1 or more")
        case .timeInterval(let interval) where interval <= .zero:
            throw FrameError(.invalidArgument, "\(interval) s is no cadence; the interval must lie above 0")
        default: break
        }
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Request.Observation.self)
        let number: Int? = contents.withLock { contents in
            guard contents.phase != .ended else { return nil }
            let number = contents.nextNumber
            contents.nextNumber += 1
            contents.subscriptions.append(
                Subscription(number: number, request: request, cadence: cadence, continuation: continuation))
            return number
        }
        guard let number else {
            throw FrameError(.invalidArgument, "the analysis has ended; a new analysis needs a new analyzer")
        }
        continuation.onTermination = { [weak self] _ in
            self?.contents.withLock { contents in contents.subscriptions.removeAll { $0.number == number } }
        }
        return stream
    }

    /// Takes a request away; its stream ends after what was found so far.
    ///
    /// - Returns: whether there was such a request.
    @discardableResult
    public func removeRequest<Request: VideoAnalysisRequest>(_ request: Request) async -> Bool {
        let removed: (Subscription)? = contents.withLock { contents in
            guard
                let index = contents.subscriptions.firstIndex(where: {
                    ($0.request as? Request) == request
                })
            else { return nil }
            return contents.subscriptions.remove(at: index)
        }
        removed?.finish(nil)
        return removed != nil
    }

    /// Starts to look through the video; errors appear on the streams. Harmless when it has been started.
    ///
    /// - Parameter range: the times to look at; nil looks at all.
    public func startAnalysis(of range: Range<MediaTime>? = nil) {
        let starts = contents.withLock { contents in
            guard contents.phase == .open else { return false }
            contents.phase = .running
            return true
        }
        guard starts else { return }
        // A thread of its own: reading blocks, and the cooperative pool must not.
        let thread = Thread { [self] in run(range) }
        thread.name = "vfx-analysis"
        thread.stackSize = 4 << 20
        thread.start()
    }

    /// Stops, and returns when nothing is looked at any more; the streams throw `CancellationError`.
    public func cancel() async {
        await withCheckedContinuation { continuation in
            let (isRunning, orphans): (Bool, [Subscription]) = contents.withLock { contents in
                contents.isCancelled = true
                switch contents.phase {
                case .running:
                    contents.waiters.append(continuation)
                    return (true, [])
                case .open:
                    contents.phase = .ended
                    defer { contents.subscriptions = [] }
                    return (false, contents.subscriptions)
                case .ended: return (false, [])
                }
            }
            guard !isRunning else { return }
            for subscription in orphans { subscription.finish(CancellationError()) }
            progressContinuation.finish()
            continuation.resume()
        }
    }

    private func run(_ range: Range<MediaTime>?) {
        var failure: (any Error)?
        do { try look(range) } catch { failure = error }
        let (left, waiters) = contents.withLock { contents in
            contents.phase = .ended
            defer { (contents.subscriptions, contents.waiters) = ([], []) }
            return (contents.subscriptions, contents.waiters)
        }
        for subscription in left { subscription.finish(failure) }
        if failure == nil { progressContinuation.yield(1) }
        progressContinuation.finish()
        for waiter in waiters { waiter.resume() }
    }

    private func look(_ range: Range<MediaTime>?) throws {
        let source = try openSource()
        if let range, range.lowerBound > .zero, let seekable = source as? any SeekableFrameSource, seekable.isSeekable {
            try seekable.seek(to: range.lowerBound)
        }
        var index = 0
        var first: MediaTime?
        while let frame = try source.nextFrame() {
            let subscriptions = contents.withLock { $0.isCancelled ? nil : $0.subscriptions }
            guard let subscriptions else { throw CancellationError() }
            // Nobody waits for anything any more.
            if subscriptions.isEmpty { return }
            if let range {
                if frame.presentationTime >= range.upperBound { return }
                if frame.presentationTime < range.lowerBound { continue }
            }
            let start = range?.lowerBound ?? first ?? frame.presentationTime
            first = first ?? frame.presentationTime
            let due = subscriptions.filter { $0.isDue(index: index, time: frame.presentationTime) }
            if !due.isEmpty {
                let picture = AnalysisPicture(frame)
                for subscription in due {
                    do {
                        try subscription.look(picture)
                    } catch {
                        contents.withLock { contents in
                            contents.subscriptions.removeAll { $0.number == subscription.number }
                        }
                        subscription.finish(error)
                    }
                }
            }
            index += 1
            let length = range.map { $0.upperBound - $0.lowerBound } ?? source.stream.duration
            if let length, length > .zero {
                let end = frame.presentationTime + (frame.duration ?? .zero)
                progressContinuation.yield(max(0, min(1, (end - start).seconds / length.seconds)))
            }
        }
    }
}

/// A request that somebody waits for.
///
/// `@unchecked Sendable`: the due time is touched by the analysis thread alone.
private final class Subscription: @unchecked Sendable {
    let number: Int
    /// A request of any kind.
    let request: any Sendable
    private let cadence: VideoAnalyzer.Cadence?
    /// Looks at a picture and hands its observation on.
    let look: @Sendable (AnalysisPicture) throws -> Void
    /// Ends the stream.
    let finish: @Sendable ((any Error)?) -> Void
    private var due: MediaTime?

    init<Request: VideoAnalysisRequest>(
        number: Int, request: Request, cadence: VideoAnalyzer.Cadence?,
        continuation: AsyncThrowingStream<Request.Observation, any Error>.Continuation
    ) {
        self.number = number
        self.request = request
        self.cadence = cadence
        look = { continuation.yield(try request.observation(of: $0)) }
        finish = { continuation.finish(throwing: $0) }
    }

    /// Whether the frame is one to look at; the answer counts as a look.
    func isDue(index: Int, time: MediaTime) -> Bool {
        switch cadence {
        case nil: return true
        case .frameInterval(let interval): return index % interval == 0
        case .timeInterval(let interval):
            if let due, time < due { return false }
            due = time + interval
            return true
        }
    }
}
