package import FrameCore
internal import Motion

/// Makes frames between the latest two without knowing what comes next.
///
/// Whether a cut lies between the two is told by them and those before alone; across one the nearer picture is shown
/// again, or both are cross-faded. Not `Sendable`: one caller at a time. The same inputs give the same bits for every
/// thread count.
package final class LowLatencyFrameInterpolationEngine {
    package struct Outcome: Sendable {
        /// One for each phase, then, where pictures are made larger, the later one.
        package var pictures: [PixelBuffer] = []
        /// Whether a cut lies between the two.
        package var isCut = false
        package var modes = InterpolationModeCounts()
    }

    private let engine: FrameRateConversionEngine
    /// nil keeps the size.
    private let scaler: LowLatencySuperResolutionScalerEngine?
    private let pool: PixelBufferPool
    private var detector = CausalSceneCutDetector()
    private var latest: (picture: PixelBuffer, signature: FrameSignature)?

    /// - Parameters:
    ///   - size: of the source.
    ///   - geometry: to which size pictures are brought; nil keeps theirs.
    package init(
        format: PixelFormat, size: FrameDimensions, geometry: UpscalingGeometry?, threads: Int
    ) throws(FrameError) {
        engine = try FrameRateConversionEngine(
            format: format, width: size.width, height: size.height,
            effort: .lowLatency(pixels: size.width * size.height), threads: threads)
        pool = try PixelBufferPool(format: format, width: size.width, height: size.height)
        scaler =
            if let geometry {
                try LowLatencySuperResolutionScalerEngine(format: format, geometry: geometry, threads: threads)
            } else { nil }
    }

    /// A picture as it comes out, larger where pictures are made larger.
    package func shown(_ picture: PixelBuffer, color: ColorDescription) throws(FrameError) -> PixelBuffer {
        guard let scaler else { return picture }
        return try scaler.upscale(picture, color: color)
    }

    /// - Parameters:
    ///   - phases: between 0 and 1 from `previous` to `source`.
    ///   - relation: `.follows` when `previous` was `source` in the last call.
    ///   - crossFades: mixes both pictures across a cut instead of showing the nearer.
    ///   - each: called with the position of a picture in the outcome and the picture as soon as that is made; false
    ///     leaves out the rest.
    package func interpolate(
        from previous: PixelBuffer, to source: PixelBuffer, color: ColorDescription, phases: [Float],
        relation: PairRelation, crossFades: Bool = false, each: (Int, PixelBuffer) -> Bool = { _, _ in true }
    ) throws -> Outcome {
        var outcome = Outcome()
        let follows = relation == .follows
        let known = follows ? latest.flatMap { $0.picture.hasSameSamples(as: previous) ? $0.signature : nil } : nil
        if known == nil { detector.reset() }
        let signature = FrameSignature(source)
        outcome.isCut = detector.isCut(known ?? FrameSignature(previous), signature)
        latest = (source, signature)

        func show(_ picture: PixelBuffer) throws(FrameError) -> Bool {
            let shown = try shown(picture, color: color)
            outcome.pictures.append(shown)
            return each(outcome.pictures.count - 1, shown)
        }
        var failure: (any Error)?, isWanted = true
        if outcome.isCut {
            for phase in phases where isWanted {
                let picture =
                    try crossFades
                    ? crossFade(from: previous, to: source, phase: phase, pool: pool) : phase < 0.5 ? previous : source
                isWanted = try show(picture)
            }
        } else {
            let made = try engine.interpolate(
                from: previous, to: source, phases: phases, relation: follows ? .follows : .none
            ) { _, picture in
                do { isWanted = try show(picture) } catch { failure = error }
                return isWanted && failure == nil
            }
            outcome.modes = made.modes
        }
        if let failure { throw failure }
        if isWanted, scaler != nil { _ = try show(source) }
        return outcome
    }
}

extension LowLatencyFrameInterpolationEngine: FrameProcessorEffect {
    package func process(
        _ parameters: LowLatencyFrameInterpolationParameters, relation: PairRelation, results: CallResults
    ) throws {
        let source = parameters.sourceFrame
        _ = try interpolate(
            from: try parameters.previousFrame.buffer, to: try source.buffer, color: try source.color,
            phases: parameters.interpolationPhase, relation: relation
        ) { index, picture in
            results.complete(index, with: picture) { made in
                // The larger source frame comes last.
                if index < parameters.interpolationPhase.count { made.sideData = made.sideData.forMadeFrames }
                scaler?.geometry.scaleMetadata(of: &made)
            }
            return !results.isCancelled()
        }
        if !results.isComplete { try results.checkCancellation() }
    }
}
