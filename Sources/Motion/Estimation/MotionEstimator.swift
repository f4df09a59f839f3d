package import FrameCore

/// The amount of work that goes into motion estimation.
package struct MotionEffort: Sendable, Hashable {
    /// The finest pyramid level that is searched and refined; 0 is full size.
    package var finestLevel: Int
    /// The number of rounds of sub-pixel refinement on the finest level.
    package var refinements: Int
    /// The number of rounds on the next coarser level. It doubles with each coarser level, where cells are fewer and
    /// rounds cheaper.
    package var coarseRefinements: Int
    /// Whether the edges of motion are moved to those of the picture.
    package var filtersEdges: Bool

    package init(finestLevel: Int, refinements: Int, coarseRefinements: Int, filtersEdges: Bool = false) {
        self.finestLevel = finestLevel
        self.refinements = refinements
        self.coarseRefinements = coarseRefinements
        self.filtersEdges = filtersEdges
    }
}

/// Motion between two frames in both directions, on cells of ``MotionVectorField/cellSize`` samples of one pyramid
/// level.
package struct MotionPair: Sendable {
    /// The pyramid level of the fields.
    package let level: Int
    package let forward: MotionVectorField
    package let backward: MotionVectorField
    // Fields of every searched level, finest first, as predictors for the next pair.
    let forwardLevels: [MotionVectorField]
    let backwardLevels: [MotionVectorField]

    /// Returns the pair with levels in all, of which those that were not searched have the motion of the finer ones.
    fileprivate func extended(_ pyramid: LumaPyramid, levels: Int) -> MotionPair {
        func extended(_ fields: [MotionVectorField]) -> [MotionVectorField] {
            var fields = fields
            while fields.count < levels, let finer = fields.last {
                let plane = pyramid.levels[level + fields.count]
                let field = MotionVectorField(width: plane.width, height: plane.height)
                for y in 0..<field.rows {
                    for x in 0..<field.columns {
                        let v = finer.vectors.clamped(2 * x, 2 * y)
                        field.vectors[x, y] = MotionVector(v.x / 2, v.y / 2)
                    }
                }
                fields.append(field)
            }
            return fields
        }
        return MotionPair(
            level: level, forward: forward, backward: backward, forwardLevels: extended(forwardLevels),
            backwardLevels: extended(backwardLevels))
    }
}

/// Hierarchical block matching with sub-pixel refinement, in both directions at once.
package struct MotionEstimator: Sendable {
    package let effort: MotionEffort
    package let context: ExecutionContext

    package init(effort: MotionEffort, context: ExecutionContext) {
        self.effort = effort
        self.context = context
    }

    /// Estimates the motion between two frames of the same brightness (see ``BrightnessChange``).
    ///
    /// - Parameter previous: the motion of the pair that ends where this one begins, used as a predictor; nil if there
    ///   is no such pair.
    package func estimate(_ a: LumaPyramid, _ b: LumaPyramid, previous: MotionPair?) -> MotionPair {
        let top = min(a.levels.count, b.levels.count) - 1, finest = min(effort.finestLevel, top)
        let found = search(a, b, levels: finest...top, near: nil, previous: previous)
        guard let texture = RepeatingTexture(a, b, found: found, previous: previous, context: context) else {
            return found
        }
        func choice(near nodes: MotionNodes) -> (motion: MotionPair, evidence: MotionVector?) {
            let smooth = search(a, b, levels: finest...min(finest + 1, top), near: nodes, previous: nil)
            let plane = a.levels[finest]
            return PeriodChoice(
                found: found, smooth: smooth.extended(a, levels: found.forwardLevels.count), nodes: nodes,
                size: (plane.width, plane.height)
            ).chosen()
        }
        let first = choice(near: texture.smoothMotion())
        guard let evidence = first.evidence else { return first.motion }
        return choice(near: texture.smoothMotion(evidence: evidence)).motion
    }

    /// Searches some levels from the coarsest to the finest.
    ///
    /// - Parameter nodes: the motion near which to search; nil if it is not known.
    private func search(
        _ a: LumaPyramid, _ b: LumaPyramid, levels: ClosedRange<Int>, near nodes: MotionNodes?, previous: MotionPair?
    ) -> MotionPair {
        let top = levels.upperBound, finest = levels.lowerBound
        var forward: [MotionVectorField] = [], backward: [MotionVectorField] = []
        for level in stride(from: top, through: finest, by: -1) {
            let planeA = a.levels[level], planeB = b.levels[level]
            let depth = level - finest
            func start(isBackward: Bool) -> MotionVectorField? {
                nodes?.field(
                    width: (planeA.width + 1) / 2, height: (planeA.height + 1) / 2, shift: depth + 1,
                    isBackward: isBackward)
            }
            let coarseForward = forward.first ?? start(isBackward: false)
            let coarseBackward = backward.first ?? start(isBackward: true)
            func search(
                _ source: PaddedPlane, _ target: PaddedPlane, _ coarse: MotionVectorField?,
                _ opposite: MotionVectorField?, _ before: [MotionVectorField]?
            ) -> LevelSearch {
                let fits = before.flatMap { $0.count > depth && level - finest > 0 && level < top ? $0[depth] : nil }
                let radius = nodes == nil ? exhaustiveRadius(level, top: top) : nearRadius(level, top: top)
                return LevelSearch(
                    source: source, target: target, coarse: coarse, opposite: opposite, previous: fits,
                    field: MotionVectorField(width: source.width, height: source.height), exhaustiveRadius: radius,
                    smoothness: level == finest
                        ? SearchParameters.finestSmoothness : SearchParameters.coarseSmoothness,
                    staysNear: nodes != nil, context: context)
            }
            let searches = [
                search(planeA, planeB, coarseForward, coarseBackward, previous?.forwardLevels),
                search(planeB, planeA, coarseBackward, coarseForward, previous?.backwardLevels),
            ]
            estimate(
                searches,
                rounds: level == finest
                    ? effort.refinements
                    : min(RefinementParameters.maximumRounds, effort.coarseRefinements << (level - finest - 1)))
            forward.insert(searches[0].field, at: 0)
            backward.insert(searches[1].field, at: 0)
        }
        return MotionPair(
            level: finest, forward: forward[0], backward: backward[0], forwardLevels: forward, backwardLevels: backward)
    }

    /// As ``exhaustiveRadius(_:top:)``, for a search near known motion.
    private func nearRadius(_ level: Int, top: Int) -> Int32 { level == top ? SearchParameters.nearRadius : 0 }

    /// Returns the radius of the exhaustive search window around the best candidate on `level`; 0 for no such search.
    private func exhaustiveRadius(_ level: Int, top: Int) -> Int32 {
        if level == top { return SearchParameters.topRadius }
        if level >= top - 1 { return SearchParameters.secondRadius }
        return level >= SearchParameters.lastExhaustiveLevel ? SearchParameters.coarseRadius : 0
    }

    /// Searches both directions of a level and refines the fields.
    private func estimate(_ searches: [LevelSearch], rounds: Int) {
        let stripes = searches[0].stripes
        let refinements = searches.map {
            FlowRefinement(
                source: $0.source, target: $0.target, field: $0.field, rounds: rounds, context: context)
        }
        let bands = refinements[0].bands
        if searches[0].field.vectors.count <= RefinementParameters.wholeFieldCells {
            parallelFor(2, threads: context.threads) { direction in
                for stripe in 0..<stripes { searches[direction].run(stripe: stripe) }
                guard rounds > 0 else { return }
                for band in 0..<bands { refinements[direction].prepare(band: band) }
                for round in 0..<rounds {
                    for band in 0..<bands { refinements[direction].step(band: band, round: round) }
                }
            }
            return
        }
        parallelFor(2 * stripes, threads: context.threads) { searches[$0 & 1].run(stripe: $0 >> 1) }
        guard rounds > 0 else { return }
        parallelFor(2 * bands, threads: context.threads) { refinements[$0 & 1].prepare(band: $0 >> 1) }
        for round in 0..<rounds {
            parallelFor(2 * bands, threads: context.threads) { refinements[$0 & 1].step(band: $0 >> 1, round: round) }
        }
    }
}
