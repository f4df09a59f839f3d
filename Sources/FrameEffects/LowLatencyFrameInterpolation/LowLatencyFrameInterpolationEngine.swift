package import FrameCore
internal import Motion

/// Interpolates between the latest two frames without knowing the next one.
///
/// Cuts are detected from these two frames and earlier ones only. Across a cut, the nearer frame is repeated or the two
/// are cross-faded. Not `Sendable`: one caller at a time. The same inputs give the same bits for every thread count.
package final class LowLatencyFrameInterpolationEngine {
    package struct Outcome: Sendable {
        /// One frame for each phase; with upscaling, followed by the upscaled source frame.
        package var pictures: [PixelBuffer] = []
        /// Whether there is a cut between the two frames.
        package var isCut = false
        package var modes = InterpolationModeCounts()
    }

    private let engine: FrameRateConversionEngine
    /// Upscales the output; nil if frames keep their size.
    private let scaler: LowLatencySuperResolutionScalerEngine?
    private let pool: PixelBufferPool
    private var detector = CausalSceneCutDetector()
    private var latest: (picture: PixelBuffer, signature: FrameSignature)?

    /// - Parameters:
    ///   - size: size of the source frames.
    ///   - geometry: source and output size of the upscaling; nil to keep the size.
    ///   - context: the threads and kernels to use.
    package init(
        format: PixelFormat, size: FrameDimensions, geometry: UpscalingGeometry?, context: ExecutionContext
    ) throws(FrameError) {
        engine = try FrameRateConversionEngine(
            format: format, width: size.width, height: size.height,
            effort: { .lowLatency(pixels: $0) }, network: { FusionNetwork(.normal, pixels: $0) }, context: context)
        pool = try PixelBufferPool(format: format, width: size.width, height: size.height)
        scaler =
            if let geometry {
                try LowLatencySuperResolutionScalerEngine(format: format, geometry: geometry, context: context)
            } else { nil }
    }

    /// Returns a frame as the engine outputs it: upscaled if upscaling is on.
    package func shown(_ picture: PixelBuffer, color: ColorDescription) throws(FrameError) -> PixelBuffer {
        guard let scaler else { return picture }
        return try scaler.upscale(picture, color: color)
    }

    /// - Parameters:
    ///   - phases: phases between 0 (`previous`) and 1 (`source`).
    ///   - relation: `.follows` if `previous` was the `source` of the last call.
    ///   - crossFades: whether to cross-fade across a cut instead of repeating the nearer frame.
    ///   - each: called with each frame and its index in the outcome as soon as the frame is ready; returns false to
    ///     skip the rest.
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
                // Index `interpolationPhase.count` is the upscaled source frame itself, which keeps all side data.
                if index < parameters.interpolationPhase.count { made.sideData = made.sideData.forMadeFrames }
                scaler?.geometry.scaleMetadata(of: &made)
            }
            return !results.isCancelled()
        }
        if !results.isComplete { try results.checkCancellation() }
    }
}
