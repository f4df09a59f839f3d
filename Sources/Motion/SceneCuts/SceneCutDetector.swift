/// Parameters of flashes. Adjusted by hand on the joined scenes of `Tests/Measurements/SceneCuts`, 2026-11-21.
///
/// `into` is the match of the pair that leads into the flash, `across` the match of the frames before and after the
/// flash. Mismatches and histogram distances are 0…1.
private enum FlashParameters {
    /// Longest flash next to a cut, in frames, unless its frames are blank.
    static let longestBesideCut = 3
    /// Difference in mismatch up to which the pair before a flash counts as the cut, although the pair after it matches
    /// worse.
    static let tie: Float = 0.02
    /// Mismatch across a run of white frames below which the earlier scene returns.
    static let whiteMismatch: Float = 0.5
    /// Histogram distance across a run of white frames below which the earlier scene returns.
    static let whiteHistogram: Float = 0.25
    /// Mismatch of `across` below which the scene returns, regardless of the histograms.
    static let sameMismatch: Float = 0.4
    /// Share of the mismatch of `into` below which the mismatch of `across` means that the scene returns, regardless of
    /// the histograms.
    static let sameShare: Float = 0.5
    /// The histogram distance of `across` must be below this share of that of `into`, plus ``histogramOffset``.
    static let histogramShare: Float = 0.5
    /// Histogram distance that is added to the limit given by ``histogramShare``.
    static let histogramOffset: Float = 0.02
    /// Histogram distance of `across` below which levels and colours return, where the middle frames are lit
    /// differently from both outer ones.
    static let litHistogram: Float = 0.06
    /// Share of the histogram distance of `into` below which the histogram distance of `across` means that levels and
    /// colours return.
    static let litHistogramShare: Float = 0.15
    /// The mismatch of `across` must be below this share of that of `into` where levels and colours return: motion need
    /// not explain everything else.
    static let litShare: Float = 0.8
    /// Structural mismatch of `across` below which edges are where they were.
    static let structure: Float = 0.55
    /// Share of the structural mismatch of `into` below which that of `across` means that edges are where they were.
    static let structureShare: Float = 0.7
    /// The mismatch of `across` must be below this share of that of `into` after frames in different light.
    static let otherLightShare: Float = 0.65
    /// Mismatch of `across`, after frames in different light, below which the residual decides.
    static let residualMismatch: Float = 0.9
    /// The residual of `across` must be below this share of that of `into` after frames in different light.
    static let residualShare: Float = 0.25
    /// Mismatch across a single frame of any content below which the scene returns.
    static let singleMismatch: Float = 0.6
    /// Share of the mismatch of `into` below which the mismatch across a single frame means that the scene returns.
    static let singleShare: Float = 0.75
    /// The residual across a single frame must be below this share of that of `into`.
    static let singleResidualShare: Float = 0.6
}

/// Parameters of dissolves. Adjusted by hand on the joined scenes of `Tests/Measurements/SceneCuts`, 2026-11-21.
private enum DissolveParameters {
    /// Bend below which a frame is halfway between its neighbours (see ``DownscaledPlane/bend(_:_:_:)``).
    static let bend: Float = 0.36
}

/// Detects cuts, flashes and duplicates frame by frame, with a few frames of look-ahead.
///
/// A value type without clocks or threads: the transitions depend only on the frames appended since its creation. It
/// holds the signatures of at most `lookAhead + 5` frames.
package struct SceneCutDetector: Sendable {
    /// The maximum number of frames that must be appended after a pair before its transition is returned. Chosen by
    /// hand, November 2026.
    package static let lookAhead = 6

    /// Signatures of the frames from index `firstFrame`, as far back as a decision may look.
    var frames: [FrameSignature] = []
    var firstFrame = 0
    /// Measurements of the pairs from index `firstPair`; the index of a pair is that of its second frame.
    var pairs: [PairMeasurement] = []
    var firstPair = 1
    /// The index of the next pair to decide.
    var next = 1
    /// The number of frames appended.
    var count = 0
    /// The last decided frame that is not a duplicate.
    var kept: FrameSignature?
    var fades = FadeHistory()
    /// The last decided frame that is not white.
    var lastShown: FrameSignature?
    /// The number of white frames since ``lastShown``.
    var whiteRun = 0
    /// Pairs that an earlier decision found to lead into or out of a flash.
    var flashPairs: [Int] = []
    /// The last pair of a known flash; pairs up to it are not cuts.
    var litThrough = 0

    /// The score above which a pair may be a cut, -1…1.
    private let scoreLimit: Float
    /// The threshold of ``init(threshold:)``.
    package let threshold: Float

    /// The threshold of ``init(threshold:)`` by default.
    package static let defaultThreshold: Float = 0.5

    /// - Parameter threshold: the evidence from which a pair may be a cut, 0…1; with a higher one, fewer cuts are found.
    package init(threshold: Float = Self.defaultThreshold) {
        self.threshold = threshold
        scoreLimit = 2 * threshold - 1
    }

    /// Takes the next frame and returns the transitions that it completes, in order, one per pair of neighbouring
    /// frames. The transition of the pair ending at frame `n` is returned when frame `n + lookAhead` is appended.
    package mutating func append(_ signature: FrameSignature) -> [Transition] {
        if let last = frames.last {
            pairs.append(PairMeasurement(last, signature))
        } else {
            kept = signature
            if !signature.statistics.isWhite { lastShown = signature }
        }
        frames.append(signature)
        fades.append(signature.statistics)
        count += 1
        guard next + Self.lookAhead < count else { return [] }
        return [decideNext()]
    }

    /// Ends the clip and returns the remaining transitions. The next frame appended starts a new clip at index 0.
    package mutating func finish() -> [Transition] {
        var rest: [Transition] = []
        while next < count { rest.append(decideNext()) }
        self = SceneCutDetector(threshold: threshold)
        return rest
    }

    private func frame(_ index: Int) -> FrameSignature { frames[index - firstFrame] }
    private func pair(_ index: Int) -> PairMeasurement { pairs[index - firstPair] }

    private mutating func decideNext() -> Transition {
        let index = next
        let context = PairContext(pairs: pairs, position: index - firstPair)
        let current = pair(index)
        var transition = Transition(index: index, kind: .continuous)
        transition.features = TransitionFeatures(current, context)
        let score = context.cutScore
        transition.confidence = abs(score)
        if flashPairs.contains(index) {
            transition.isFlash = true
        } else if index > litThrough, score > scoreLimit {
            classifyCandidate(index, &transition)
        }
        if transition.kind != .cut, !transition.isFlash, let kept {
            let change = FrameChange(kept, frame(index))
            transition.features.duplicateDifference = change.sampleMean
            if change.isDuplicate(reference: context.changeReference) { transition.kind = .duplicate }
        }
        if transition.kind != .duplicate { kept = frame(index) }
        pairs[index - firstPair].isBreak = transition.kind == .cut || transition.isFlash
        if transition.kind == .cut { fades.cut(at: index) }
        if frame(index).statistics.isWhite {
            whiteRun += 1
        } else {
            (lastShown, whiteRun) = (frame(index), 0)
        }
        advance()
        return transition
    }

    /// Classifies a pair whose score is that of a cut.
    private mutating func classifyCandidate(_ index: Int, _ transition: inout Transition) {
        if fades.isEndOfFade(index) || fades.isStepOfFade(index) || isDissolve(index) { return }
        let before = frame(index - 1)
        let current = pair(index)
        if classifyWhite(index, &transition) { return }
        let reach = min(Self.lookAhead, count - 1 - index)
        for length in stride(from: 1, through: reach, by: 1) where isFlash(from: index, length: length) {
            transition.isFlash = true
            flashPairs.append(index + length)
            litThrough = index + length
            return
        }
        // A flash next to a cut: of the two breaks, one is the cut and the other belongs to the flash.
        var broken = pairs
        broken[index - firstPair].isBreak = true
        for length in stride(from: 1, through: reach, by: 1) {
            if length > FlashParameters.longestBesideCut, !frame(index + length - 1).statistics.isBlank { break }
            let other = PairContext(pairs: broken, position: index + length - firstPair)
            guard other.cutScore > scoreLimit else { continue }
            // If a flash of the new scene begins there, this pair is a cut.
            let rest = stride(from: 1, through: reach - length, by: 1)
            if rest.contains(where: { isFlash(from: index + length, length: $0) }) { break }
            let after = frame(index + length)
            let middle = (0..<length).map { frame(index + $0) }
            let overBefore = middle.allSatisfy { LightingChange(of: $0, over: before) != nil }
            let overAfter = middle.allSatisfy { LightingChange(of: $0, over: after) != nil }
            let blank = middle.allSatisfy { $0.statistics.isBlank }
            guard length == 1 ? overBefore || overAfter : overBefore && overAfter && blank else { break }
            let belongsToAfter =
                overBefore == overAfter
                ? current.match.mean >= pair(index + length).match.mean - FlashParameters.tie : overAfter
            if belongsToAfter {
                flashPairs.append(index + length)
                litThrough = index + length
                break
            } else {
                transition.isFlash = true
                return
            }
        }
        transition.kind = .cut
    }

    /// Classifies a pair that leads into or out of a long run of white frames, which is not a scene itself. If the
    /// earlier scene returns, the run was a flash; otherwise the new scene begins where the run ends.
    ///
    /// - Returns: whether the pair is such a pair and `transition` has been set.
    private func classifyWhite(_ index: Int, _ transition: inout Transition) -> Bool {
        guard let shown = lastShown else { return false }
        if frame(index).statistics.isWhite {
            guard !frame(index - 1).statistics.isWhite, count - index > Self.lookAhead else { return false }
            guard (0...Self.lookAhead).allSatisfy({ frame(index + $0).statistics.isWhite }) else { return false }
            transition.isFlash = true
            return true
        }
        guard frame(index - 1).statistics.isWhite, whiteRun > Self.lookAhead else { return false }
        let across = PairMatch(shown, frame(index))
        transition.isFlash =
            across.mean < FlashParameters.whiteMismatch && across.histogramDistance < FlashParameters.whiteHistogram
        if !transition.isFlash { transition.kind = .cut }
        return true
    }

    /// Whether two successive frames at the pair are about the mean of their neighbours, as in a dissolve. Next to a
    /// cut, neither is; after a flash, at most one is.
    private func isDissolve(_ index: Int) -> Bool {
        let between = (index - 2...index + 1).map { middle in
            guard middle - 1 >= firstFrame, middle + 1 < count else { return false }
            return DownscaledPlane.bend(frame(middle - 1).luma, frame(middle).luma, frame(middle + 1).luma)
                < DissolveParameters.bend
        }
        return zip(between, between.dropFirst()).contains { $0 && $1 }
    }

    /// Whether the scene returns after `length` frames in different light, or after one frame of any content.
    private func isFlash(from index: Int, length: Int) -> Bool {
        typealias P = FlashParameters
        let (before, after) = (frame(index - 1), frame(index + length))
        let middle = (0..<length).map { frame(index + $0) }
        let lit = middle.allSatisfy { LightingChange(of: $0, over: before, and: after) != nil }
        let rises = middle.map { $0.statistics.mean - max(before.statistics.mean, after.statistics.mean) }
        let falls = middle.map { min(before.statistics.mean, after.statistics.mean) - $0.statistics.mean }
        let shifted =
            rises.allSatisfy { $0 > LightingParameters.minimumShift }
            || falls.allSatisfy { $0 > LightingParameters.minimumShift }
        guard lit || shifted || length == 1 else { return false }
        let (into, across) = (pair(index).match, PairMatch(before, after))
        if across.mean < min(P.sameMismatch, P.sameShare * into.mean) { return true }
        guard across.histogramDistance < P.histogramShare * into.histogramDistance + P.histogramOffset else {
            return false
        }
        if lit, across.histogramDistance < min(P.litHistogram, P.litHistogramShare * into.histogramDistance),
            across.mean < P.litShare * into.mean
        {
            return true
        }
        // A flash that has not quite faded, or that lit only part of the frame, leaves the edges where they were.
        let unlike = max(across.structure.forward, across.structure.backward)
        if unlike > 0, unlike < min(P.structure, P.structureShare * into.structureMean) { return true }
        if lit || shifted {
            return across.mean < P.otherLightShare * into.mean
                || across.mean < P.residualMismatch && across.residual < P.residualShare * into.residual
        }
        return length == 1 && across.mean < min(P.singleMismatch, P.singleShare * into.mean)
            && across.residual < P.singleResidualShare * into.residual
    }

    private mutating func advance() {
        next += 1
        flashPairs.removeAll { $0 < next }
        // `isDissolve` looks back three frames.
        let oldestFrame = next - 3
        if oldestFrame > firstFrame {
            frames.removeFirst(oldestFrame - firstFrame)
            firstFrame = oldestFrame
        }
        let oldestPair = next - PairContext.reach
        if oldestPair > firstPair {
            pairs.removeFirst(oldestPair - firstPair)
            firstPair = oldestPair
        }
    }
}

/// Detects cuts without look-ahead: sooner than ``SceneCutDetector``, and less reliably. The start and the end of a
/// flash count as cuts.
package struct CausalSceneCutDetector: Sendable {
    var pairs: [PairMeasurement] = []
    /// The threshold of ``init(threshold:)``.
    package let threshold: Float

    /// - Parameter threshold: the evidence from which a pair is a cut, 0…1; with a higher one, fewer cuts are found.
    package init(threshold: Float = SceneCutDetector.defaultThreshold) { self.threshold = threshold }

    /// Forgets all earlier frames.
    package mutating func reset() { pairs = [] }

    /// Whether a new scene begins with `next`.
    ///
    /// - Parameters:
    ///   - frame: the preceding frame: `next` of the last call, unless ``reset()`` was called since.
    ///   - next: the new frame.
    package mutating func isCut(_ frame: FrameSignature, _ next: FrameSignature) -> Bool {
        var pair = PairMeasurement(frame, next)
        pairs.append(pair)
        let score = PairContext(pairs: pairs, position: pairs.count - 1).cutScore
        let isCut = score > 2 * threshold - 1
        if isCut {
            pair.isBreak = true
            pairs[pairs.count - 1] = pair
        }
        if pairs.count > PairContext.reach { pairs.removeFirst() }
        return isCut
    }
}
