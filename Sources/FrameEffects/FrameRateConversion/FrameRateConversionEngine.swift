package import FrameCore
package import Motion

/// Interpolates frames between two neighbouring frames, and keeps what the next pair can reuse. Black bars round the picture
/// stay as they are.
///
/// Not `Sendable`: for one caller at a time. The same inputs give the same bits with any number of threads.
package final class FrameRateConversionEngine {
    /// The result of a call.
    package struct Outcome: Sendable {
        /// One frame per phase, in the requested order.
        package var pictures: [PixelBuffer]
        /// How the cells of the frames were interpolated.
        package var modes: InterpolationModeCounts
        /// The motion between the two neighbours, of the part inside black bars if there are any.
        package var flow: OpticalFlow
        /// Whether an overlay stands still in the frames while the ground moves.
        package var holdsOverlay = false
    }

    private let pool: PixelBufferPool
    private let makeInterpolator: (_ width: Int, _ height: Int) throws(FrameError) -> PairInterpolator
    /// Those of a pair, the frame before it and two after it.
    private var active = ActivePicture(keptParts: 5)
    /// Makes the frames of the active picture.
    private var interpolator: PairInterpolator

    package convenience init(
        format: PixelFormat, width: Int, height: Int, quality: QualityPrioritization, context: ExecutionContext
    ) throws(FrameError) {
        try self.init(
            format: format, width: width, height: height, effort: { MotionEffort(quality, pixels: $0) },
            network: { FusionNetwork(quality, pixels: $0) }, context: context)
    }

    /// - Parameters:
    ///   - effort: returns the work to do for the motion of a picture of so many pixels.
    ///   - network: returns the network that weighs the predictions of such a picture.
    init(
        format: PixelFormat, width: Int, height: Int, effort: @escaping (Int) -> MotionEffort,
        network: @escaping (Int) -> FusionNetwork?, context: ExecutionContext
    ) throws(FrameError) {
        pool = try PixelBufferPool(format: format, width: width, height: height)
        makeInterpolator = { width, height throws(FrameError) in
            try PairInterpolator(
                format: format, width: width, height: height, effort: effort(width * height),
                network: network(width * height), context: context)
        }
        interpolator = try makeInterpolator(width, height)
    }

    /// Interpolates a frame at each phase and returns all of them.
    ///
    /// - Parameters:
    ///   - each: called with the index of a phase and its frame as soon as the frame is made; return false to skip the
    ///     rest. The other parameters are those of
    ///     ``make(from:to:previous:phases:relation:flow:upcoming:neighbours:each:)``.
    /// - Throws: `FrameError` if memory cannot be allocated.
    package func interpolate(
        from source: PixelBuffer, to next: PixelBuffer, previous: PixelBuffer? = nil, phases: [Float],
        relation: PairRelation, flow: OpticalFlow? = nil, upcoming: [UpcomingFrame] = [],
        neighbours: NeighbouringPairs = .none, each: (Int, PixelBuffer) -> Bool = { _, _ in true }
    ) throws(FrameError) -> Outcome {
        var pictures: [PixelBuffer] = []
        let (modes, flow) = try make(
            from: source, to: next, previous: previous, phases: phases, relation: relation, flow: flow,
            upcoming: upcoming, neighbours: neighbours
        ) { index, picture, _ in
            pictures.append(picture)
            return each(index, picture)
        }
        return Outcome(
            pictures: pictures, modes: modes, flow: flow, holdsOverlay: interpolator.overlay != nil)
    }

    /// Interpolates a frame at each phase and keeps none of them.
    ///
    /// - Parameters:
    ///   - source: the earlier neighbour.
    ///   - next: the later neighbour.
    ///   - previous: the frame before `source`, whose motion is estimated unless that was done by the latest call; nil to
    ///     use what the relation allows.
    ///   - phases: 0…1 from `source` to `next`, in any order; 0 and 1 return the neighbour itself.
    ///   - relation: what can be reused from the previous call. If the frames contradict it, nothing is reused.
    ///   - flow: the motion between `source` and `next`, of their size; nil to estimate it. Bars are not looked for if it is
    ///     given.
    ///   - upcoming: the frames after `next`, nearest first, whose motion will be needed; two at most are used. While the frames
    ///     of this call are made, the motion of the second is estimated, or of the first if they do not depend on it.
    ///   - neighbours: the neighbouring pairs to use. The pair before is used only if this pair follows it, the pair after
    ///     only with `upcoming`.
    ///   - each: called with the index of a phase, its frame as soon as it is made, and the motion between the two
    ///     neighbours, nil if there are bars or the frame is far from where that would lead; return false to skip the rest.
    /// - Returns: how the cells of the frames were interpolated, and the motion between the two neighbours, of the part
    ///   inside bars if there are any.
    /// - Throws: `FrameError` if memory cannot be allocated.
    package func make(
        from source: PixelBuffer, to next: PixelBuffer, previous: PixelBuffer? = nil, phases: [Float],
        relation: PairRelation, flow: OpticalFlow?, upcoming: [UpcomingFrame], neighbours: NeighbouringPairs = .none,
        each: (Int, PixelBuffer, OpticalFlow?) -> Bool
    ) throws(FrameError) -> (modes: InterpolationModeCounts, flow: OpticalFlow) {
        let crop = flow == nil ? active.find(in: source, next, relation) : nil
        if active.crop != crop {
            interpolator = try makeInterpolator(crop?.width ?? pool.width, crop?.height ?? pool.height)
            active.use(crop)
        }
        guard let crop else {
            return try interpolator.make(
                from: source, to: next, previous: previous, phases: phases, relation: relation, flow: flow,
                upcoming: upcoming, neighbours: neighbours, each: each)
        }
        var failure: FrameError?
        let result = try interpolator.make(
            from: try active.part(of: source), to: try active.part(of: next),
            previous: try previous.map { frame throws(FrameError) in try active.part(of: frame) }, phases: phases,
            relation: relation, flow: nil,
            upcoming: try upcoming.map { upcoming throws(FrameError) in
                UpcomingFrame(try active.part(of: upcoming.next), upcoming.relation)
            }, neighbours: neighbours
        ) { index, part, _ in
            let phase = phases[index]
            if phase <= 0 || phase >= 1 { return each(index, phase <= 0 ? source : next, nil) }
            do throws(FrameError) {
                var frame = try pool.makeBuffer()
                try crop.write(part, barsOf: phase < 0.5 ? source : next, to: &frame)
                return each(index, frame, nil)
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
        return result
    }
}

extension FrameRateConversionEngine: FrameProcessorEffect {
    package func process(
        _ parameters: FrameRateConversionParameters, relation: PairRelation, results: CallResults
    ) throws {
        _ = try interpolate(
            from: try parameters.sourceFrame.buffer, to: try parameters.nextFrame.buffer,
            previous: try parameters.previousFrame?.buffer, phases: parameters.interpolationPhase, relation: relation,
            flow: try parameters.opticalFlow?.opticalFlow,
            upcoming: try parameters.followingFrame.map { [UpcomingFrame(try $0.buffer, .follows)] } ?? [],
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
