internal import Foundation
public import FrameCore

/// Runs several requests over a video in one decode pass, with a stream of observations for each request.
///
/// Add the requests, start a task that reads each stream, then start the analysis:
///
/// ```
/// let analyzer = VideoAnalyzer { try MediaReader("in.mp4") }
/// let scores = try await analyzer.addRequest(
///     CalculateImageAestheticsScoresRequest(), cadence: .timeInterval(MediaTime(value: 1, timescale: 2)))
/// analyzer.startAnalysis()
/// for try await score in scores { print(score.time, score.overallScore) }
/// ```
///
/// Observations are buffered in their stream until they are read. Dropping a stream removes its request.
public final class VideoAnalyzer: Sendable {
    /// How often a request analyzes a frame.
    public enum Cadence: Sendable, Hashable {
        /// Every Nth frame, starting with the first; N is at least 1.
        case frameInterval(Int)
        /// At most one frame per interval; the interval is greater than 0.
        case timeInterval(MediaTime)
    }

    /// The fraction of the video analyzed so far, 0…1, ascending; the stream ends with the analysis.
    public let progress: AsyncStream<Double>

    private enum Phase { case open, running, ended }

    private struct Contents {
        var phase = Phase.open
        var subscriptions: [Subscription] = []
        var nextNumber = 0
        var isCancelled = false
        /// Resumed when the analysis thread has ended.
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let contents = Lock(Contents())
    private let openSource: @Sendable () throws -> any FrameSource
    private let progressContinuation: AsyncStream<Double>.Continuation

    /// Creates an analyzer for one video.
    ///
    /// - Parameter source: opens the video. Called once, on the analysis thread. If it returns a `SeekableFrameSource`,
    ///   a time range is reached by seeking, without decoding what comes before it.
    public init(source: @escaping @Sendable () throws -> any FrameSource) {
        openSource = source
        // A slow reader misses intermediate values instead of letting the buffer grow.
        (progress, progressContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds a request.
    ///
    /// A request added while the analysis runs sees only the frames that follow.
    ///
    /// - Parameters:
    ///   - request: the request to perform.
    ///   - cadence: how often to perform it; nil performs it on every frame.
    /// - Returns: the observations in time order. The stream ends with the video and throws the error that ended the
    ///   analysis early: `CancellationError` after ``cancel()``.
    /// - Throws: `FrameError` when the cadence is not greater than 0 or the analysis has ended.
    public func addRequest<Request: VideoAnalysisRequest>(
        _ request: Request, cadence: Cadence? = nil
    ) async throws -> AsyncThrowingStream<Request.Observation, any Error> {
        switch cadence {
        case .frameInterval(let interval) where interval < 1:
            throw FrameError(
                .invalidArgument, "a frame interval of \(interval) is not allowed; it must be 1 or more")
        case .timeInterval(let interval) where interval <= .zero:
            throw FrameError(
                .invalidArgument, "a time interval of \(interval) s is not allowed; it must be greater than 0")
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
            throw FrameError(.invalidArgument, "the analysis has ended; create a new analyzer to analyze again")
        }
        continuation.onTermination = { [weak self] _ in
            self?.contents.withLock { contents in contents.subscriptions.removeAll { $0.number == number } }
        }
        return stream
    }

    /// Removes a request; its stream ends after the observations made so far.
    ///
    /// - Returns: whether the analyzer had this request.
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

    /// Starts the analysis; errors are thrown from the streams. Has no effect if the analysis has already been started.
    ///
    /// - Parameter range: the times to analyze; nil analyzes the whole video.
    public func startAnalysis(of range: Range<MediaTime>? = nil) {
        let starts = contents.withLock { contents in
            guard contents.phase == .open else { return false }
            contents.phase = .running
            return true
        }
        guard starts else { return }
        // A dedicated thread: reading blocks, which the cooperative thread pool must not do.
        let thread = Thread { [self] in run(range) }
        thread.name = "vfx-analysis"
        thread.stackSize = 4 << 20
        thread.start()
    }

    /// Stops the analysis and waits until it has ended; the streams throw `CancellationError`.
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
            // No streams remain to deliver to.
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

/// A request and the stream its observations go to.
///
/// `@unchecked Sendable`: only the analysis thread accesses the due time.
private final class Subscription: @unchecked Sendable {
    let number: Int
    /// The request, type-erased.
    let request: any Sendable
    private let cadence: VideoAnalyzer.Cadence?
    /// Analyzes a picture and yields the observation to the stream.
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

    /// Returns whether the frame is due for analysis and, if it is, schedules the next due time.
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
