public import FrameCore
import Motion

/// Picks the best frames of a stream that is fed frame by frame, in presentation order.
///
/// A value without clocks or threads: what it picks depends on the frames alone, so whoever makes frames can feed it from
/// the thread that has them. Memory is bounded whatever the stream's length: some 25 frames round the one that is looked
/// at, one candidate for each of at most `2 · capacity` stretches of time, and the candidates' frames where they are kept.
public struct ThumbnailSelector: Sendable {
    /// How a stream is looked through.
    public struct Options: Sendable {
        /// How many frames are wanted, at least 1.
        public var count: Int
        /// About how many frames are looked at closely, whatever the length.
        public var capacity: Int
        /// The stream's length, where it is known: stretches are right from the start then.
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
    }

    private struct Entry {
        var frame: Frame
        var signature: FrameSignature
        var sharpness: Float?
        /// Whether a new scene begins with it, and whether it repeats the frame before; known some frames later.
        var isCut = false
        var isRepeat = false
    }

    /// Frames to either side among which the sharpest is taken.
    private static let localReach = 4
    /// So many cuts are remembered.
    private static let mostCuts = 1 << 16
    private static let microsecond = Rational(1, 1_000_000)
    /// The longest stretch, in microseconds: a quarter more than its double must not overflow.
    private static let longestStretch = Int64.max / 4

    /// What is looked for.
    public let options: Options
    /// Frames to either side that tell of transitions.
    private var reach = 8
    private var entries: [Entry] = []
    private var firstIndex = 0
    private var count = 0
    /// The frame to be considered next.
    private var next = 0
    private var detector = TransitionDetector()
    /// Microseconds of time for which there is one candidate.
    private var stretch: Int64
    private var lastStretch: Int64?
    private(set) var candidates: [Int64: Candidate] = [:]
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
        if let duration = options.duration, duration > .zero {
            let share = duration.ticks(of: Self.microsecond) / Int64(options.capacity)
            stretch = max(10_000, min(share, 3_600_000_000))
        } else {
            stretch = 125_000
        }
    }

    /// Takes the next frame.
    ///
    /// - Throws: `FrameError` when its time does not lie after that of the frame before, its size differs, or the stream
    ///   has been ended by ``finish()``. The selector stays as it was then.
    public mutating func append(_ frame: Frame) throws(FrameError) {
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
        if let last = entries.last?.frame.buffer,
            last.width != frame.buffer.width || last.height != frame.buffer.height
        {
            throw FrameError(
                .invalidArgument,
                "a \(frame.buffer.width)x\(frame.buffer.height) frame cannot follow one of \(last.width)x\(last.height); a new size needs a new selector"
            )
        }
        if let lastTime, count == 1 { reach = Self.reach(step: frame.presentationTime - lastTime) }
        lastTime = frame.presentationTime
        let signature = FrameSignature(frame.buffer)
        entries.append(Entry(frame: frame, signature: signature))
        count += 1
        note(detector.append(signature))
        let ahead = max(reach, TransitionDetector.lookAhead + Self.localReach)
        while next + ahead < count { consider() }
    }

    /// Ends the stream and picks. Called again, it picks the same.
    public mutating func finish() -> ThumbnailSelection {
        let (candidates, cuts) = finishCandidates()
        return Self.selection(candidates, cuts: cuts, options: options)
    }

    /// Ends the stream without picking.
    mutating func finishCandidates() -> (candidates: [Candidate], cuts: [MediaTime]) {
        if !isFinished {
            isFinished = true
            note(detector.finish())
            while next < count { consider() }
            entries = []
        }
        return (Array(candidates.values), cuts)
    }

    /// The selection out of candidates in any order.
    static func selection(_ candidates: [Candidate], cuts: [MediaTime], options: Options) -> ThumbnailSelection {
        // Two stretches may have the same sharpest frame.
        var ordered: [Candidate] = []
        for candidate in candidates.sorted(by: { $0.time < $1.time }) {
            if let last = ordered.last, last.time == candidate.time {
                if Candidate.isBetter(candidate, last) { ordered[ordered.count - 1] = candidate }
            } else {
                ordered.append(candidate)
            }
        }
        let picks = DiverseSelection.select(ordered, count: options.count, threshold: options.distinctness)
        var notes: [String] = []
        if ordered.isEmpty {
            notes.append("there are no frames to pick from")
        } else if picks.count < options.count {
            notes.append(
                "\(picks.count) of \(options.count) frames picked: there are no more that show different things")
        }
        if let kind = picks.first.flatMap({ ordered[$0].score.utility }) {
            notes.append("nothing but \(kind.rawValue) pictures were found")
        }
        return ThumbnailSelection(
            picks: picks.map { PickedFrame(ordered[$0]) },
            looks: ordered.map {
                .init(
                    time: $0.time, score: $0.score.overall, rank: $0.rank, utilityKind: $0.score.utility,
                    preview: $0.preview)
            }, cuts: cuts, notes: notes)
    }

    /// A third of a second, in frames.
    private static func reach(step: MediaTime) -> Int {
        max(2, min(16, Int((0.32 / max(0.001, step.seconds)).rounded())))
    }

    private mutating func note(_ transitions: [Transition]) {
        for transition in transitions where transition.index >= firstIndex {
            let position = transition.index - firstIndex
            guard position < entries.count else { continue }
            entries[position].isRepeat = transition.kind == .duplicate
            if transition.kind == .cut {
                entries[position].isCut = true
                if cuts.count < Self.mostCuts { cuts.append(entries[position].frame.presentationTime) }
            }
        }
    }

    /// Looks closely at the next frame's neighbourhood if its stretch of time has no candidate yet.
    private mutating func consider() {
        defer {
            next += 1
            let oldest = next - max(reach, Self.localReach) - 1
            if oldest > firstIndex {
                entries.removeFirst(oldest - firstIndex)
                firstIndex = oldest
            }
        }
        let time = entries[next - firstIndex].frame.presentationTime
        // The middle of the stretch is looked at, so that neighbours of two stretches lie apart.
        let position = stretchIndex(of: time)
        guard position != lastStretch else { return }
        lastStretch = position
        let chosen = sharpestNeighbour(of: next)
        let entry = entries[chosen - firstIndex]
        var candidate = Candidate(AnalysisPicture(entry.frame))
        candidate.objections = objections(to: chosen)
        candidate.scene = cuts.count { $0 <= candidate.time }
        if options.keepsFrames { candidate.frame = entry.frame }
        keep(candidate, at: position)
        while candidates.count > 2 * options.capacity, stretch < Self.longestStretch {
            widen()
            lastStretch = stretchIndex(of: time)
        }
    }

    /// Counted from a quarter of a stretch before the start, so that the first frame does not lie at a stretch's edge.
    private func stretchIndex(of time: MediaTime) -> Int64 {
        let ticks = (time - options.start).ticks(of: Self.microsecond)
        let (sum, isTooLarge) = ticks.addingReportingOverflow(stretch / 4)
        let shifted = isTooLarge ? .max : sum
        let index = shifted / stretch
        return shifted < index * stretch ? index - 1 : index
    }

    private mutating func keep(_ candidate: Candidate, at position: Int64) {
        if let present = candidates[position], Candidate.isBetter(present, candidate) { return }
        candidates[position] = candidate
    }

    /// Doubles the stretches; of two neighbours the better candidate stays.
    private mutating func widen() {
        stretch = min(2 * stretch, Self.longestStretch)
        let old = candidates
        candidates = [:]
        for position in old.keys.sorted() {
            if let candidate = old[position] { keep(candidate, at: stretchIndex(of: candidate.time)) }
        }
    }

    /// The sharpest frame near `index` in the same scene.
    private mutating func sharpestNeighbour(of index: Int) -> Int {
        let scene = sceneRange(round: index, reach: Self.localReach)
        var best = (index: index, sharpness: -Float.infinity)
        for neighbour in scene {
            let position = neighbour - firstIndex
            let sharpness = entries[position].sharpness ?? quickSharpness(entries[position].frame.buffer)
            entries[position].sharpness = sharpness
            // Beside a cut coders save, and dissolves begin.
            let edge = neighbour - scene.lowerBound < 2 || scene.upperBound - 1 - neighbour < 2
            let isShort = scene.count < 2 * Self.localReach + 1
            let value = sharpness - (isShort && edge ? 0.05 : 0) - (entries[position].frame.isDamaged ? 1 : 0)
            if value > best.sharpness + 0.002 { best = (neighbour, value) }
        }
        return best.index
    }

    /// Frames round `index` that belong to its scene.
    private func sceneRange(round index: Int, reach: Int) -> Range<Int> {
        var (first, last) = (index, index)
        while first > max(firstIndex, index - reach), !entries[first - firstIndex].isCut { first -= 1 }
        while last + 1 < min(count, index + reach + 1), !entries[last + 1 - firstIndex].isCut { last += 1 }
        return first..<last + 1
    }

    private func objections(to index: Int) -> Candidate.Objections {
        var objections = Candidate.Objections()
        let scene = sceneRange(round: index, reach: reach)
        let half = min(reach, index - scene.lowerBound, scene.upperBound - 1 - index)
        let hasCut =
            (scene.lowerBound > firstIndex && entries[scene.lowerBound - firstIndex].isCut
                && index - scene.lowerBound < 2)
            || (scene.upperBound < count && scene.upperBound - 1 - index < 2 && scene.upperBound - index <= reach
                && entries[scene.upperBound - firstIndex].isCut)
        objections.isBesideCut = hasCut
        // Near an end of the scene the frames that there are on the other side must do.
        let (first, last) =
            half >= 2 ? (index - half, index + half) : (scene.lowerBound, scene.upperBound - 1)
        if last - first >= 4 {
            let transition = GradualTransition(
                before: entries[first - firstIndex].signature,
                middle: entries[(first + last) / 2 - firstIndex].signature, after: entries[last - firstIndex].signature)
            objections.isInTransition = transition.isDissolve || transition.isFade
            objections.mismatch = transition.mismatch
        }
        let near = max(scene.lowerBound, index - 2)...min(scene.upperBound - 1, index + 2)
        let repeats = near.count { $0 > firstIndex && entries[$0 - firstIndex].isRepeat }
        objections.isFrozen = near.count > 3 && repeats >= near.count - 1
        objections.isDamaged = entries[index - firstIndex].frame.isDamaged
        if let duration = options.duration, duration > .zero {
            let share = (entries[index - firstIndex].frame.presentationTime - options.start).seconds / duration.seconds
            objections.isAtEnd = share < 0.02 || share > 0.98
        }
        return objections
    }
}
