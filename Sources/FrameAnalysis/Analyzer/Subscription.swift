import FrameCore

/// A request that somebody waits for.
protocol Subscription: AnyObject, Sendable {
    var number: Int { get }
    /// Whether the frame is one to look at; the answer counts as a look.
    func isDue(index: Int, time: MediaTime) -> Bool
    func look(at picture: AnalysisPicture) throws
    func finish(_ error: (any Error)?)
}

/// `@unchecked Sendable`: the due time is touched by the analysis thread alone.
final class RequestSubscription<Request: VideoAnalysisRequest>: Subscription, @unchecked Sendable {
    let number: Int
    let request: Request
    private let cadence: VideoAnalyzer.Cadence?
    private let continuation: AsyncThrowingStream<Request.Observation, any Error>.Continuation
    private var due: MediaTime?

    init(
        number: Int, request: Request, cadence: VideoAnalyzer.Cadence?,
        continuation: AsyncThrowingStream<Request.Observation, any Error>.Continuation
    ) {
        self.number = number
        self.request = request
        self.cadence = cadence
        self.continuation = continuation
    }

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

    func look(at picture: AnalysisPicture) throws { continuation.yield(try request.observation(of: picture)) }

    func finish(_ error: (any Error)?) { continuation.finish(throwing: error) }
}
