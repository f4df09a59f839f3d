public import FrameCore
internal import Motion

/// Picks the best frames of a stream that is fed frame by frame, in presentation order.
///
/// A value without clocks or threads: what it picks depends on the frames alone, so whoever makes frames can feed it from
/// the thread that has them. Memory is bounded whatever the stream's length: some 25 frames round the one that is looked
/// at, one candidate for each of at most `2 · capacity` buckets of time, and the candidates' frames where they are kept.
public struct ThumbnailSelector: Sendable {
    /// So many cuts are remembered.
    private static let mostCuts = 1 << 16

    /// What is looked for.
    public let options: Options
    private var window = SelectionWindow()
    /// The frame to be considered next.
    private var next = 0
    private var detector = SceneCutDetector()
    private var buckets: CandidateBuckets
    private var lastBucket: Int64?
    private var cuts: [MediaTime] = []
    private var lastTime: MediaTime?
    private var isFinished = false

    /// - Throws: `FrameError` when `options.count` or `options.capacity` is below 1.
    public init(_ options: Options = Options()) throws(FrameError) {
        guard options.count >= 1 else {
            throw FrameError(
                .invalidArgument, "\(options.count) frames cannot be picked; the count must be 1 or more")
        }
        guard (1...10_000).contains(options.capacity) else {
            throw FrameError(.invalidArgument, "the capacity \(options.capacity) is not a number from 1 to 10000")
        }
        self.options = options
        buckets = CandidateBuckets(options)
    }

    /// Takes the next frame.
    ///
    /// - Throws: `FrameError` when its time does not lie after that of the frame before, its size differs, or the stream
    ///   has been ended by ``finish()``. The selector stays as it was then.
    public mutating func append(_ frame: Frame) throws(FrameError) {
        try check(frame)
        if let lastTime, window.count == 1 { window.setReach(step: frame.presentationTime - lastTime) }
        lastTime = frame.presentationTime
        let signature = FrameSignature(frame.buffer)
        window.append(frame, signature)
        note(detector.append(signature))
        let ahead = max(window.reach, SceneCutDetector.lookAhead + SelectionWindow.localReach)
        while next + ahead < window.count { consider() }
    }

    /// Ends the stream and picks. Called again, it picks the same.
    public mutating func finish() -> ThumbnailSelection {
        let (candidates, cuts) = finishCandidates()
        return ThumbnailSelection(candidates, cuts: cuts, options: options)
    }

    /// Ends the stream without picking.
    mutating func finishCandidates() -> (candidates: [Candidate], cuts: [MediaTime]) {
        if !isFinished {
            isFinished = true
            note(detector.finish())
            while next < window.count { consider() }
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
        if let last = window.last?.buffer, last.width != frame.buffer.width || last.height != frame.buffer.height {
            throw FrameError(
                .invalidArgument,
                "a \(frame.buffer.width)x\(frame.buffer.height) frame cannot follow one of \(last.width)x\(last.height); a new size needs a new selector"
            )
        }
    }

    private mutating func note(_ transitions: [Transition]) {
        for transition in transitions {
            guard let frame = window.mark(transition), transition.kind == .cut, cuts.count < Self.mostCuts else {
                continue
            }
            cuts.append(frame.presentationTime)
        }
    }

    /// Looks closely at the next frame's neighbourhood if its bucket of time has no candidate yet.
    private mutating func consider() {
        defer {
            next += 1
            window.forget(before: next)
        }
        let time = window[next].frame.presentationTime
        // The middle of the bucket is looked at, so that neighbours of two buckets lie apart.
        let position = buckets.index(of: time)
        guard position != lastBucket else { return }
        lastBucket = position
        let chosen = window.sharpestNeighbour(of: next)
        let frame = window[chosen].frame
        var candidate = Candidate(AnalysisPicture(frame))
        candidate.objections = window.objections(to: chosen)
        candidate.objections.isAtEnd = options.isAtEnd(frame.presentationTime)
        candidate.scene = cuts.count { $0 <= candidate.time }
        if options.keepsFrames { candidate.frame = frame }
        buckets.keep(candidate, at: position)
        if buckets.widenToCapacity() { lastBucket = buckets.index(of: time) }
    }
}

extension ThumbnailSelector {
    /// How a stream is looked through.
    public struct Options: Sendable {
        /// How many frames are wanted, at least 1.
        public var count: Int
        /// About how many frames are looked at closely, whatever the length.
        public var capacity: Int
        /// The stream's length, where it is known: buckets are right from the start then.
        public var duration: MediaTime?
        /// When the stream begins.
        public var start: MediaTime
        /// Keeps the candidates' frames, so that picks come with their pictures; `2 · capacity` of them at most.
        public var keepsFrames: Bool
        /// Print distance up to which two frames are the same picture.
        public var distinctness: Double

        /// Options; each default suits a stream of unknown length.
        public init(
            count: Int = 3, capacity: Int = 100, duration: MediaTime? = nil, start: MediaTime = .zero,
            keepsFrames: Bool = false, distinctness: Double = FeaturePrintObservation.sameThreshold
        ) {
            self.count = count
            self.capacity = capacity
            self.duration = duration
            self.start = start
            self.keepsFrames = keepsFrames
            self.distinctness = distinctness
        }

        /// Whether a time lies in the first or last hundredths of the stream, as far as its length is known.
        func isAtEnd(_ time: MediaTime) -> Bool {
            guard let duration, duration > .zero else { return false }
            let share = (time - start).seconds / duration.seconds
            return share < 0.02 || share > 0.98
        }

        /// Keeps the candidates' frames, and looks at fewer of large ones so that they fit into memory.
        package mutating func keepFrames(of stream: VideoStreamDescription) {
            keepsFrames = true
            capacity = min(capacity, max(12, 96_000_000 / max(1, stream.width * stream.height)))
        }
    }
}
