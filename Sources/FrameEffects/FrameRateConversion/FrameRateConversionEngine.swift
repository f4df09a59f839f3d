package import FrameCore
package import Motion

/// Interpolates frames between two neighbouring frames, and keeps what the next pair can reuse.
///
/// Not `Sendable`: for one caller at a time. The same inputs give the same bits with any number of threads.
package final class FrameRateConversionEngine {
    /// The result of a call.
    package struct Outcome: Sendable {
        /// One frame per phase, in the requested order.
        package var pictures: [PixelBuffer]
        /// How the cells of the frames were interpolated.
        package var modes: InterpolationModeCounts
        /// The motion between the two neighbours.
        package var flow: OpticalFlow
        /// Whether an overlay stands still in the frames while the ground moves.
        package var holdsOverlay = false
    }

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
    private var upcoming: UpcomingMotion?
    /// What the pairs around the latest pair tell about it, once this has been asked for.
    private var surroundings: Surroundings?
    /// The overlay of the latest pair; nil if it has none.
    private var overlay: StillOverlay?

    package convenience init(
        format: PixelFormat, width: Int, height: Int, quality: QualityPrioritization, context: ExecutionContext
    ) throws(FrameError) {
        try self.init(
            format: format, width: width, height: height,
            effort: MotionEffort(quality, pixels: width * height),
            network: FusionNetwork(quality, pixels: width * height), context: context)
    }

    init(
        format: PixelFormat, width: Int, height: Int, effort: MotionEffort, network: FusionNetwork?,
        context: ExecutionContext
    ) throws(FrameError) {
        pool = try PixelBufferPool(format: format, width: width, height: height)
        self.network = network
        self.context = context
        tracker = PairTracker(width: width, height: height, effort: effort, resamples: true, context: context)
    }

    /// Interpolates a frame at each phase and returns all of them.
    ///
    /// - Parameters:
    ///   - each: called with the index of a phase and its frame as soon as the frame is made; return false to skip the
    ///     rest. The other parameters are those of
    ///     ``make(from:to:phases:relation:flow:upcoming:neighbours:each:)``.
    /// - Throws: `FrameError` if memory cannot be allocated.
    package func interpolate(
        from source: PixelBuffer, to next: PixelBuffer, phases: [Float], relation: PairRelation,
        flow: OpticalFlow? = nil, upcoming: UpcomingFrame? = nil, neighbours: NeighbouringPairs = .none,
        each: (Int, PixelBuffer) -> Bool = { _, _ in true }
    ) throws(FrameError) -> Outcome {
        var pictures: [PixelBuffer] = []
        let (modes, flow) = try make(
            from: source, to: next, phases: phases, relation: relation, flow: flow, upcoming: upcoming,
            neighbours: neighbours
        ) { index, picture, _ in
            pictures.append(picture)
            return each(index, picture)
        }
        return Outcome(pictures: pictures, modes: modes, flow: flow, holdsOverlay: overlay != nil)
    }

    /// Interpolates a frame at each phase and keeps none of them.
    ///
    /// - Parameters:
    ///   - source: the earlier neighbour.
    ///   - next: the later neighbour.
    ///   - phases: 0…1 from `source` to `next`, in any order; 0 and 1 return the neighbour itself.
    ///   - relation: what can be reused from the previous call. If the frames contradict it, nothing is reused.
    ///   - flow: the motion between `source` and `next`, of their size; nil to estimate it.
    ///   - upcoming: the frame after `next`. Its motion is then estimated while the frames of this call are made. Nil if
    ///     that motion will not be needed.
    ///   - neighbours: the neighbouring pairs to use. What is not known is not used: the pair before unless this one
    ///     follows it, and the pair after without `upcoming`.
    ///   - each: called with the index of a phase, its frame as soon as it is made, and the motion between the two
    ///     neighbours, nil if the frame is far from where that would lead; return false to skip the rest.
    /// - Returns: how the cells of the frames were interpolated, and the motion between the two neighbours.
    /// - Throws: `FrameError` if memory cannot be allocated.
    package func make(
        from source: PixelBuffer, to next: PixelBuffer, phases: [Float], relation: PairRelation, flow: OpticalFlow?,
        upcoming: UpcomingFrame?, neighbours: NeighbouringPairs = .none, each: (Int, PixelBuffer, OpticalFlow?) -> Bool
    ) throws(FrameError) -> (modes: InterpolationModeCounts, flow: OpticalFlow) {
        let pair = try track(from: source, to: next, relation, known: flow)
        if let upcoming, upcoming.flow == nil,
            self.upcoming?.isOfPair(from: next, to: upcoming.next, upcoming.relation) != true
        {
            self.upcoming = UpcomingMotion(tracker, from: next, to: upcoming.next, upcoming.relation)
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
            }
            guard each(index, picture, isStraight ? flow : nil) else { break }
        }
        return (modes, flow)
    }

    /// Returns the overlay of a pair if frames are made from it, which that of the pair before helps to remove.
    ///
    /// Where the brightness changes, the overlay may or may not change with the ground; it is not looked for.
    private func overlay(
        of pair: TrackedPair, _ relation: PairRelation, _ phases: [Float]
    ) throws(FrameError) -> StillOverlay? {
        guard pair.change == nil, phases.contains(where: { $0 > 0 && $0 < 1 }) else { return nil }
        if relation == .samePair, let overlay, overlay.isOfPair(pair.a.buffer, pair.b.buffer) { return overlay }
        let follows = relation == .follows && overlay?.originals.b.buffer.hasSameSamples(as: pair.a.buffer) == true
        return try StillOverlay(
            pair.a, pair.b, flow: pair.flow, previous: follows ? overlay : nil, context: context)
    }

    /// Returns what the pairs around the latest pair tell about it.
    ///
    /// - Parameter shown: the motion between its frames, without that of an overlay.
    private func surroundings(
        shown: OpticalFlow, _ announced: UpcomingFrame?, _ neighbours: NeighbouringPairs
    ) throws(FrameError) -> Surroundings {
        let following = announced.flatMap { neighbours.after && $0.relation == .follows ? $0.next : nil }
        if let surroundings, surroundings.neighbours == neighbours, isSame(surroundings.following, following) {
            return surroundings
        }
        var after = following == nil ? nil : announced?.flow
        if following != nil, after == nil { after = try upcoming?.found()?.pair.flow }
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
            surroundings = nil
            return pair
        }
        let earlier = relation == .follows && isSame(latest?.pair.b.buffer, source) ? latest?.pair : nil
        var announced = upcoming
        upcoming = nil
        let pair: TrackedPair
        if known == nil, announced?.isOfPair(from: source, to: next, relation) == true,
            let found = try announced?.found()
        {
            (tracker, pair) = found
        } else {
            pair = try tracker.pair(from: source, to: next, relation, known: known)
        }
        latest = (pair, earlier?.a.buffer, earlier?.flow)
        surroundings = nil
        return pair
    }
}

extension FrameRateConversionEngine: FrameProcessorEffect {
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

    package func process(
        _ parameters: FrameRateConversionParameters, relation: PairRelation, results: CallResults
    ) throws {
        let source = try parameters.sourceFrame.buffer, next = try parameters.nextFrame.buffer
        var relation = relation
        if let previous = try parameters.previousFrame?.buffer {
            relation = try follow(previous, to: source, next, relation)
        }
        _ = try interpolate(
            from: source, to: next, phases: parameters.interpolationPhase, relation: relation,
            flow: try parameters.opticalFlow?.opticalFlow,
            upcoming: try parameters.followingFrame.map { UpcomingFrame(try $0.buffer, .follows) },
            neighbours: NeighbouringPairs(
                before: parameters.previousFrame != nil, after: parameters.followingFrame != nil)
        ) { index, picture in
            results.complete(index, with: picture) { $0.sideData = $0.sideData.forMadeFrames }
            return !results.isCancelled()
        }
        // Frames are skipped only when the call has been cancelled.
        if !results.isComplete { try results.checkCancellation() }
    }
}
