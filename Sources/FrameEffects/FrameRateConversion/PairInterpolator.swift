import FrameCore
import Imaging
import Motion

/// Interpolates frames between two neighbouring frames without black bars, and keeps what the next pair can reuse.
final class PairInterpolator {
    /// What the pairs around a pair tell about it, and what that was found from.
    private struct Surroundings {
        let neighbours: NeighbouringPairs
        let following: PixelBuffer?
        /// The motion from which frames are made.
        let flow: OpticalFlow
        /// How paths bend; nil if they are straight.
        let curvature: PathCurvature?
    }

    private let pool: PixelBufferPool
    private let context: ExecutionContext
    private let network: FusionNetwork?
    private var tracker: PairTracker
    /// The latest pair; the first frame and the motion of the pair before it, if it follows one.
    private var latest: (pair: TrackedPair, previous: PixelBuffer?, before: OpticalFlow?)?
    /// The motion of the pairs after the latest one, nearest first; two at most.
    private var upcoming: [UpcomingMotion] = []
    /// What the pairs around the latest pair tell about it, once this has been asked for.
    private var surroundings: Surroundings?
    /// The overlay of the latest pair; nil if it has none.
    private(set) var overlay: StillOverlay?

    init(
        format: PixelFormat, width: Int, height: Int, effort: MotionEffort, network: FusionNetwork?,
        context: ExecutionContext
    ) throws(FrameError) {
        pool = try PixelBufferPool(format: format, width: width, height: height)
        self.network = network
        self.context = context
        tracker = PairTracker(width: width, height: height, effort: effort, resamples: true, context: context)
    }

    /// Interpolates a frame at each phase and keeps none of them.
    ///
    /// The parameters and the result are those of
    /// ``FrameRateConversionEngine/make(from:to:previous:phases:relation:flow:upcoming:neighbours:each:)``.
    func make(
        from source: PixelBuffer, to next: PixelBuffer, previous: PixelBuffer?, phases: [Float], relation: PairRelation,
        flow: OpticalFlow?, upcoming: [UpcomingFrame], neighbours: NeighbouringPairs,
        each: (Int, PixelBuffer, OpticalFlow?) -> Bool
    ) throws(FrameError) -> (modes: InterpolationModeCounts, flow: OpticalFlow) {
        var relation = relation
        if let previous { relation = try follow(previous, to: source, next, relation) }
        let pair = try track(from: source, to: next, relation, known: flow)
        if let first = upcoming.first, first.flow == nil,
            self.upcoming.first?.isOfPair(from: next, to: first.next, first.relation) != true
        {
            self.upcoming = [UpcomingMotion(tracker, from: next, to: first.next, first.relation)]
        }
        let flow = pair.flow
        overlay = try overlay(of: pair, relation, phases)
        let shown = overlay.map { ($0.a, $0.b, $0.flow) } ?? (pair.a, pair.b, flow)
        var modes = InterpolationModeCounts()
        for (index, phase) in phases.enumerated() {
            var picture = phase <= 0 ? source : next, isStraight = true
            if phase > 0, phase < 1 {
                var (a, b, _) = shown
                if let change = pair.change {
                    (a, b) = try pair.brightnessCompensated(change, phase: phase, context: context)
                }
                let surroundings = try surroundings(shown: shown.2, upcoming, neighbours)
                let motion = IntermediateFlow(
                    surroundings.flow, a: a.pyramid, b: b.pyramid, phase: phase, hasAlternatives: network != nil,
                    context: context)
                modes += motion.modes
                var offsets: PathOffsets?
                if motion.modes.blended > 0 || motion.modes.repeated > 0 {
                    // These frames are unrelated: what seemed a change of brightness is none.
                    (a, b, _) = shown
                } else if let curvature = surroundings.curvature {
                    offsets = PathOffsets(curvature, motion, phase: phase, context: context)
                }
                isStraight = offsets?.areLarge != true
                picture = try pool.makeBuffer()
                try FrameSynthesis(
                    a: a, b: b, motion: motion, offsets: offsets, phase: phase, network: network, context: context
                ).write(to: &picture)
                try overlay?.write(to: &picture, phase: phase)
                if !pair.isOpaque {
                    picture = try picture.straightened(keeping: phase < 0.5 ? pair.a : pair.b, context: context)
                }
            }
            guard each(index, picture, isStraight ? flow : nil) else { break }
        }
        return (modes, flow)
    }

    /// Returns the overlay of a pair if frames are made from it, which that of the pair before helps to remove.
    ///
    /// Where the brightness changes, the overlay may or may not change with the ground; it is not looked for, nor where the
    /// ground is partly transparent.
    private func overlay(
        of pair: TrackedPair, _ relation: PairRelation, _ phases: [Float]
    ) throws(FrameError) -> StillOverlay? {
        guard pair.change == nil, pair.isOpaque, phases.contains(where: { $0 > 0 && $0 < 1 }) else { return nil }
        if relation == .samePair, let overlay, overlay.isOfPair(pair.a.buffer, pair.b.buffer) { return overlay }
        let follows = relation == .follows && overlay?.originals.b.buffer.hasSameSamples(as: pair.a.buffer) == true
        return try StillOverlay(
            pair.a, pair.b, flow: pair.flow, previous: follows ? overlay : nil, context: context)
    }

    /// Returns what the pairs around the latest pair tell about it. From then on, the motion of the second pair after it is
    /// estimated.
    ///
    /// - Parameter shown: the motion between its frames, without that of an overlay.
    private func surroundings(
        shown: OpticalFlow, _ announced: [UpcomingFrame], _ neighbours: NeighbouringPairs
    ) throws(FrameError) -> Surroundings {
        let following = announced.first.flatMap { neighbours.after && $0.relation == .follows ? $0.next : nil }
        if let surroundings, surroundings.neighbours == neighbours, isSame(surroundings.following, following) {
            return surroundings
        }
        var after = following == nil ? nil : announced.first?.flow
        if let following, after == nil, let found = try foundUpcoming() {
            after = found.pair.flow
            if announced.count > 1, announced[1].flow == nil, upcoming.count == 1 {
                upcoming.append(
                    UpcomingMotion(found.tracker, from: following, to: announced[1].next, announced[1].relation))
            }
        }
        var flow = shown, curvature: PathCurvature?
        if let latest,
            let outer = OuterMotion(
                of: latest.pair.flow, before: neighbours.before ? latest.before : nil, after: after)
        {
            flow = try outer.occlusionsTracked(in: shown, context: context)
            curvature = PathCurvature(latest.pair.flow, shown: flow, outer: outer, context: context)
        }
        let found = Surroundings(neighbours: neighbours, following: following, flow: flow, curvature: curvature)
        surroundings = found
        return found
    }

    /// Waits for the motion of the pair after the latest one; nil if it is not estimated.
    private func foundUpcoming() throws(FrameError) -> UpcomingMotion.Found? {
        guard !upcoming.isEmpty else { return nil }
        do {
            return try upcoming[0].found()
        } catch {
            // A background result can be taken only once, so the next call has to start over.
            upcoming = []
            throw error
        }
    }

    private func isSame(_ a: PixelBuffer?, _ b: PixelBuffer?) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        return a.hasSameSamples(as: b)
    }

    /// Returns the motion of a pair, which may already have been estimated as that of the upcoming one.
    private func track(
        from source: PixelBuffer, to next: PixelBuffer, _ relation: PairRelation, known: OpticalFlow?
    ) throws(FrameError) -> TrackedPair {
        if relation == .samePair, let latest, latest.pair.a.buffer.hasSameSamples(as: source),
            latest.pair.b.buffer.hasSameSamples(as: next)
        {
            guard let known else { return latest.pair }
            let pair = try tracker.pair(from: source, to: next, relation, known: known)
            self.latest?.pair = pair
            (surroundings, overlay) = (nil, nil)
            return pair
        }
        let earlier = relation == .follows && isSame(latest?.pair.b.buffer, source) ? latest?.pair : nil
        let pair: TrackedPair
        if known == nil, upcoming.first?.isOfPair(from: source, to: next, relation) == true,
            let found = try foundUpcoming()
        {
            (tracker, pair) = found
            upcoming.removeFirst()
        } else {
            upcoming = []
            pair = try tracker.pair(from: source, to: next, relation, known: known)
        }
        latest = (pair, earlier?.a.buffer, earlier?.flow)
        surroundings = nil
        return pair
    }

    /// Estimates the motion of the pair before, unless it was the latest one.
    ///
    /// - Returns: how the pair from `source` to `next` relates to the latest one.
    private func follow(
        _ previous: PixelBuffer, to source: PixelBuffer, _ next: PixelBuffer, _ relation: PairRelation
    ) throws(FrameError) -> PairRelation {
        func isLatest(_ a: PixelBuffer, _ b: PixelBuffer) -> Bool {
            isSame(latest?.pair.a.buffer, a) && isSame(latest?.pair.b.buffer, b)
        }
        if relation == .samePair, isLatest(source, next), isSame(latest?.previous, previous) { return .samePair }
        if relation != .follows || !isLatest(previous, source) {
            // Nothing that earlier calls found belongs to these frames.
            overlay = nil
            _ = try track(from: previous, to: source, .none, known: nil)
        }
        return .follows
    }
}
