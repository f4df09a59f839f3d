public import FrameCore

/// Picks the best frames of a long file without decoding all of it: it examines keyframes spread over the whole file,
/// then the frames that follow each of the best ones.
public struct KeyFrameSelection: Sendable {
    private let options: ThumbnailSelector.Options
    private let makeKeyFrames: @Sendable () throws -> any KeyFrameSource
    private let makeFrames: @Sendable () throws -> any SeekableFrameSource
    private let threads: Int

    /// With fewer keyframes than this, too much of the file would go unseen.
    private static let leastKeyFrames = 12
    /// How far to search after a picked keyframe, in seconds and in frames.
    private static let window = (time: MediaTime(value: 6, timescale: 5), frames: 48)

    /// Creates a selection for one file.
    ///
    /// - Parameters:
    ///   - options: the options of a ``ThumbnailSelector``; `duration` must be known.
    ///   - threads: the number of keyframe readers that work at the same time. The picks do not depend on it.
    ///   - keyFrames: opens the file for reading keyframes.
    ///   - frames: opens the file for reading the frames after a keyframe.
    public init(
        _ options: ThumbnailSelector.Options, threads: Int = 1,
        keyFrames: @escaping @Sendable () throws -> any KeyFrameSource,
        frames: @escaping @Sendable () throws -> any SeekableFrameSource
    ) {
        self.options = options
        self.threads = threads
        makeKeyFrames = keyFrames
        makeFrames = frames
    }

    /// Picks the best frames of the file.
    ///
    /// - Parameter progress: called with the fraction done, 0…1, on any thread; returning false stops the work.
    /// - Returns: nil when there are too few keyframes to choose from; the file must then be read from start to end.
    /// - Throws: `FrameError` when the file cannot be read, `CancellationError` when `progress` returned false.
    public func run(progress: @escaping @Sendable (Double) -> Bool = { _ in true }) throws -> ThumbnailSelection? {
        guard let duration = options.duration, duration > .zero else { return nil }
        _ = try ThumbnailSelector(options)
        let (found, damage) = try keyCandidates(duration, progress)
        guard found.count >= min(Self.leastKeyFrames, options.capacity) else { return nil }
        var selection = try refined(found, damage, progress)
        // Two readers may encounter the same damage and count it twice.
        selection.damage.lostUnits = 0
        return selection
    }

    private func keyCandidates(
        _ duration: MediaTime, _ progress: @escaping @Sendable (Double) -> Bool
    ) throws -> (candidates: [Candidate], damage: DamageReport) {
        let count = options.capacity
        let lanes = max(1, min(threads, count))
        let results = Lock<[MediaTime: Candidate]>([:])
        let state = Lock<(done: Int, isCancelled: Bool, failure: (any Error)?)>((0, false, nil))
        let sources = try (0..<lanes).map { _ in try makeKeyFrames() }
        parallelFor(lanes, threads: lanes) { lane in
            // Each lane takes one contiguous stretch, so that times that share a keyframe are read one after another.
            for index in lane * count / lanes..<(lane + 1) * count / lanes {
                if state.withLock({ $0.isCancelled }) { return }
                let share = Rational(Int32(2 * index + 1), Int32(2 * count))
                let time = options.start + duration.multiplied(by: share)
                do {
                    if let frame = try sources[lane].keyFrame(at: time) {
                        let candidate = candidate(frame)
                        results.withLock { $0[candidate.time] = candidate }
                    }
                } catch {
                    state.withLock { $0.failure = $0.failure ?? error }
                }
                let done = state.withLock { state in
                    state.done += 1
                    return state.done
                }
                if !progress(0.8 * Double(done) / Double(count)) { state.withLock { $0.isCancelled = true } }
            }
        }
        let end = state.withLock { $0 }
        if end.isCancelled { throw CancellationError() }
        let found = results.withLock { Array($0.values) }
        if found.isEmpty, let failure = end.failure { throw failure }
        var damage = DamageReport()
        for source in sources { damage.add(source.damage) }
        if end.failure != nil { damage.note("some keyframes are damaged and were skipped") }
        return (found, damage)
    }

    private func candidate(_ frame: Frame) -> Candidate {
        var candidate = Candidate(AnalysisPicture(frame))
        candidate.objections.isDamaged = frame.isDamaged
        candidate.objections.isAtEnd = options.isAtEnd(frame.presentationTime)
        return candidate
    }

    /// Examines the frames after each picked keyframe until every pick has been refined.
    private func refined(
        _ found: [Candidate], _ damage: DamageReport, _ progress: @Sendable (Double) -> Bool
    ) throws -> ThumbnailSelection {
        var damage = damage
        var candidates = found.sorted { $0.time < $1.time }
        var isRefined = [Bool](repeating: false, count: candidates.count)
        let most = 3 * min(options.count, candidates.count) + 4
        var cuts: [MediaTime] = []
        var source: (any SeekableFrameSource)?
        for round in 0..<most {
            candidates = Candidate.compared(candidates)
            let picks = Candidate.mostDiverse(candidates, count: options.count, threshold: options.distinctness)
            guard let open = picks.first(where: { !isRefined[$0] }) else { break }
            isRefined[open] = true
            let reader = try source ?? makeFrames()
            source = reader
            if let better = try bestAfter(candidates[open], reader, &cuts, &damage) { candidates[open] = better }
            if !progress(0.8 + 0.2 * Double(round + 1) / Double(most)) { throw CancellationError() }
        }
        if let source { damage.add(source.damage) }
        var selection = ThumbnailSelection(candidates, cuts: cuts.sorted(), options: options)
        selection.damage = damage
        return selection
    }

    /// Returns the best frame from a keyframe onwards; nil when no frame can be read, so that the keyframe is kept.
    private func bestAfter(
        _ key: Candidate, _ source: any SeekableFrameSource, _ cuts: inout [MediaTime], _ damage: inout DamageReport
    ) throws -> Candidate? {
        var local = options
        (local.duration, local.start, local.capacity) = (nil, key.time, 64)
        var selector = try ThumbnailSelector(local)
        let unread = "some frames after key frames cannot be read"
        do { try source.seek(to: key.time) } catch {
            damage.note(unread)
            return nil
        }
        var count = 0
        while count < Self.window.frames {
            let next: Frame?
            do { next = try source.nextFrame() } catch {
                damage.note(unread)
                break
            }
            guard let frame = next, frame.presentationTime <= key.time + Self.window.time else { break }
            // After a seek with a coarse index, frames from before the keyframe come first.
            if frame.presentationTime < key.time { continue }
            try selector.append(frame)
            count += 1
        }
        let result = try selector.finishCandidates()
        cuts += result.cuts
        let compared = Candidate.compared(result.candidates.sorted { $0.time < $1.time })
        guard var best = compared.min(by: Candidate.isBetter) else { return nil }
        best.objections.isAtEnd = key.objections.isAtEnd
        best.scene = nil
        return best
    }
}
