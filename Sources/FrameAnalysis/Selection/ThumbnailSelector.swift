public import FrameCore
internal import Motion

/// Picks the best frames of a stream that is appended frame by frame, in presentation order.
///
/// A value type that uses no clocks and no threads. The picks depend only on the frames, so the code that produces
/// frames can append them from its own thread. Memory is bounded however long the stream is: it holds the frames next to
/// those that it may examine, at most 34, one candidate for each of at most `2 · capacity` time buckets, and the candidates
/// of the last 1.44 s, with their frames if they are kept. With ``Options/spillFolder``, at most 128 MiB of frames are in memory, or four frames if
/// those are larger; the others are in a file.
public struct ThumbnailSelector: Sendable {
    /// The maximum number of cuts to remember.
    private static let mostCuts = 1 << 16

    /// The options of the selection.
    public let options: Options
    private var window = SelectionWindow()
    /// The index of the frame to consider next.
    private var next = 0
    private var detector = SceneCutDetector()
    private var buckets: CandidateBuckets
    private let store: FrameStore
    private var lastBucket: Int64?
    /// The time of the last frame whose neighbourhood was examined.
    private var lastExamined: MediaTime?
    /// Candidates whose blend is not known yet, oldest first.
    private var open: [OpenCandidate] = []
    private var cuts: [MediaTime] = []
    private var lastTime: MediaTime?
    private var isFinished = false
    private var selection: ThumbnailSelection?

    /// Creates a selector.
    ///
    /// - Throws: `FrameError` when `options.count` is below 1 or `options.capacity` is not 1…10000.
    public init(_ options: Options = Options()) throws(FrameError) {
        try self.init(options, store: FrameStore(folder: options.spillFolder))
    }

    /// - Parameter store: keeps the frames.
    package init(_ options: Options, store: FrameStore) throws(FrameError) {
        guard options.count >= 1 else {
            throw FrameError(
                .invalidArgument, "a count of \(options.count) frames is not allowed; it must be 1 or more")
        }
        guard (1...10_000).contains(options.capacity) else {
            throw FrameError(
                .invalidArgument, "a capacity of \(options.capacity) is not allowed; it must be 1 to 10000")
        }
        self.options = options
        buckets = CandidateBuckets(options)
        self.store = store
    }

    /// Appends the next frame.
    ///
    /// - Throws: `FrameError` when its time is not after that of the previous frame, its size differs, or ``finish()``
    ///   has ended the stream; the selector is then unchanged. Also when a frame cannot be kept in a file.
    public mutating func append(_ frame: Frame) throws(FrameError) {
        try check(frame)
        let mayBeExamined = lastTime.map { buckets.mayBegin(at: frame.presentationTime, after: $0) } ?? true
        let signature = DescribedFrame.signature(of: frame)
        try window.append(frame, signature, mayBeExamined: mayBeExamined, in: store)
        if let lastTime, window.count == 2 { window.setReach(step: frame.presentationTime - lastTime) }
        lastTime = frame.presentationTime
        note(detector.append(signature))
        let ahead = SelectionWindow.localReach + max(window.farReach, SceneCutDetector.lookAhead)
        while next + ahead < window.count { try consider() }
        while let first = open.first, first.index + window.blendReach < window.count { close() }
    }

    /// Ends the stream and picks the frames. Calling it again returns the same picks.
    ///
    /// - Throws: `FrameError` when a frame cannot be read from the file in which it was kept.
    public mutating func finish() throws(FrameError) -> ThumbnailSelection {
        if let selection { return selection }
        let (candidates, cuts) = try finishCandidates()
        let made = ThumbnailSelection(candidates, cuts: cuts, options: options)
        selection = made
        // Of the frames that were kept, only those picked are needed from here on.
        buckets = CandidateBuckets(options)
        return made
    }

    /// Ends the stream without picking frames.
    mutating func finishCandidates() throws(FrameError) -> (candidates: [Candidate], cuts: [MediaTime]) {
        if !isFinished {
            isFinished = true
            note(detector.finish())
            while next < window.count { try consider() }
            while !open.isEmpty { close() }
            window.removeAll()
        }
        return (buckets.candidates, cuts)
    }

    private func check(_ frame: Frame) throws(FrameError) {
        guard !isFinished else {
            throw FrameError(
                .invalidArgument,
                "a frame at \(frame.presentationTime) s comes after the end; a new stream needs a new selector")
        }
        if let lastTime, frame.presentationTime <= lastTime {
            throw FrameError(
                .invalidArgument,
                "a frame at \(frame.presentationTime) s cannot follow one at \(lastTime) s; times must ascend")
        }
        if let last = window.size, last.width != frame.buffer.width || last.height != frame.buffer.height {
            throw FrameError(
                .invalidArgument,
                "a \(frame.buffer.width)x\(frame.buffer.height) frame cannot follow one of \(last.width)x\(last.height); a new size needs a new selector"
            )
        }
    }

    private mutating func note(_ transitions: [Transition]) {
        for transition in transitions {
            guard let time = window.mark(transition), transition.kind == .cut, cuts.count < Self.mostCuts else {
                continue
            }
            cuts.append(time)
        }
    }

    /// Examines the neighbourhood of the next frame if its time bucket has not been examined yet.
    private mutating func consider() throws(FrameError) {
        defer {
            next += 1
            window.forget(before: next, open: open.first?.index ?? next)
        }
        let time = window[next].time
        // Examining only the first frame of each bucket keeps the candidates of adjacent buckets apart.
        let position = buckets.index(of: time)
        guard position != lastBucket else { return }
        lastBucket = position
        let chosen = window.sharpestNeighbour(of: next)
        guard let stored = window[chosen].frame else { return }
        let frame = try stored.frame()
        var candidate = Candidate(AnalysisPicture(frame), change: window.change(at: chosen))
        let smear = candidate.objections.smear
        candidate.objections = window.objections(to: chosen)
        candidate.objections.smear = smear
        candidate.objections.isAtEnd = options.isAtEnd(frame.presentationTime)
        candidate.scene = cuts.count { $0 <= candidate.time }
        if options.keepsFrames { candidate.frame = stored }
        lastExamined = time
        open.append(OpenCandidate(candidate: candidate, index: chosen, time: time))
    }

    /// Puts the oldest open candidate into its bucket.
    private mutating func close() {
        var first = open.removeFirst()
        first.candidate.objections.blend = window.blend(at: first.index)
        buckets.keep(first.candidate, at: buckets.index(of: first.time))
        if buckets.widenToCapacity(), let lastExamined { lastBucket = buckets.index(of: lastExamined) }
    }
}

/// A candidate that waits for later frames.
private struct OpenCandidate: Sendable {
    var candidate: Candidate
    /// The index of the frame.
    var index: Int
    /// The time that decides on the bucket.
    var time: MediaTime
}

extension ThumbnailSelector {
    /// Options of a selection.
    public struct Options: Sendable {
        /// The number of frames to pick; at least 1.
        public var count: Int
        /// The approximate number of frames to examine, however long the stream is; 1…10000.
        public var capacity: Int
        /// The stream's duration if it is known; the buckets then have the right length from the start.
        public var duration: MediaTime?
        /// The stream's start time.
        public var start: MediaTime
        /// Whether to keep the candidates' frames, at most `2 · capacity`, so that each pick comes with its frame.
        public var keepsFrames: Bool
        /// The folder for an unnamed temporary file of frames beyond the memory bound; nil keeps all frames in memory.
        public var spillFolder: String?
        /// The print distance up to which two frames count as the same picture.
        public var distinctness: Double

        /// Creates options; the defaults suit a stream of unknown duration.
        public init(
            count: Int = 3, capacity: Int = 100, duration: MediaTime? = nil, start: MediaTime = .zero,
            keepsFrames: Bool = false, spillFolder: String? = nil,
            distinctness: Double = FeaturePrintObservation.sameThreshold
        ) {
            self.count = count
            self.capacity = capacity
            self.duration = duration
            self.start = start
            self.keepsFrames = keepsFrames
            self.spillFolder = spillFolder
            self.distinctness = distinctness
        }

        /// Whether a time is in the first or last 2 % of the stream; false when the duration is unknown.
        func isAtEnd(_ time: MediaTime) -> Bool {
            guard let duration, duration > .zero else { return false }
            let share = (time - start).seconds / duration.seconds
            return share < 0.02 || share > 0.98
        }
    }
}
