package import FrameCore
package import Motion

/// Estimates the motion between consecutive frames in both directions.
///
/// Not `Sendable`: one caller at a time. The same inputs give the same bits for every thread count.
package final class OpticalFlowEngine {
    private var tracker: PairTracker

    package init(
        width: Int, height: Int, quality: QualityPrioritization, filtersEdges: Bool = false, context: ExecutionContext
    ) {
        tracker = PairTracker(
            width: width, height: height,
            effort: MotionEffort(quality, pixels: width * height, filtersEdges: filtersEdges), context: context)
    }

    /// - Parameter relation: how the pair relates to the previous call's, whose motion may be reused accordingly.
    package func flow(
        from source: PixelBuffer, to next: PixelBuffer, relation: PairRelation
    ) throws(FrameError) -> OpticalFlow {
        let earlier = try tracker.reference(source), later = try tracker.reference(next)
        return try tracker.flow(from: earlier, to: later, relation)
    }
}

extension OpticalFlowEngine: FrameProcessorEffect {
    package func process(_ parameters: OpticalFlowParameters, relation: PairRelation, results: CallResults) throws {
        let found = try flow(
            from: try parameters.sourceFrame.buffer, to: try parameters.nextFrame.buffer, relation: relation)
        results.complete(parameters.destinationOpticalFlow, with: found)
    }
}
