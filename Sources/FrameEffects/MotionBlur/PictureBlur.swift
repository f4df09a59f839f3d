import FrameCore
import Imaging
import Motion

/// Blurs frames without black bars, and keeps what the next call can reuse.
final class PictureBlur {
    private let pool: PixelBufferPool
    private let context: ExecutionContext
    private var linear: LinearPlanes?
    private var tracker: PairTracker
    /// The motion from the previous frame to the frame of the latest call; nil without a previous frame.
    private(set) var previousFlow: OpticalFlow?

    init(
        format: PixelFormat, width: Int, height: Int, quality: QualityPrioritization, linearLight: Bool,
        context: ExecutionContext
    ) throws(FrameError) {
        pool = try PixelBufferPool(format: format, width: width, height: height)
        self.context = context
        linear = linearLight ? LinearPlanes() : nil
        tracker = PairTracker(
            width: width, height: height, effort: MotionEffort(quality, pixels: width * height), resamples: true,
            context: context)
    }

    /// Returns `current` as a long exposure would show it. The parameters and errors are those of
    /// ``MotionBlurEngine/blur(_:previous:next:color:strength:relation:previousFlow:nextFlow:)``.
    func blur(
        _ current: PixelBuffer, previous: PixelBuffer?, next: PixelBuffer?, color: ColorDescription, strength: Int,
        relation: PairRelation, previousFlow: OpticalFlow?, nextFlow: OpticalFlow?
    ) throws(FrameError) -> PixelBuffer {
        self.previousFlow = nil
        let before = if let previous { try tracker.reference(previous) } else { ReferenceFrame?.none }
        let here = try tracker.reference(current)
        var behind: (ahead: FlowField, back: FlowField)?, ahead: (ahead: FlowField, back: FlowField)?
        if let before {
            let flow = try tracker.flow(
                from: before, to: here, relation == .follows ? .samePair : .none, known: previousFlow)
            self.previousFlow = flow
            behind = (flow.backward, flow.forward)
        }
        let after = if let next { try tracker.reference(next) } else { ReferenceFrame?.none }
        if let after {
            let flow = try tracker.flow(
                from: here, to: after, relation == .follows && previous != nil ? .follows : .none, known: nextFlow)
            ahead = (flow.forward, flow.backward)
        }
        let reach = Float(strength) / 200
        if let a = ahead?.ahead, let b = behind?.ahead, a.level != b.level {
            throw FrameError(
                .invalidArgument,
                "the flow from the previous frame has cells of \(b.cellSide), the flow to the next frame cells of \(a.cellSide); both must be the same"
            )
        }
        guard let level = ahead?.ahead.level ?? behind?.ahead.level,
            let first = HalfShutterMotion(mine: behind, other: ahead?.ahead, reach: reach, context: context),
            let second = HalfShutterMotion(mine: ahead, other: behind?.ahead, reach: reach, context: context)
        else { return current }
        let isOpaque = [here, before, after].allSatisfy { $0?.isOpaque != false }
        // Premultiplied code values have no light of their own.
        let light =
            isOpaque
            ? try linear?.sources(here, before, after, color: color, format: current.format, context: context) : nil
        var picture = try pool.makeBuffer()
        try first.withLookup { first throws(FrameError) in
            try second.withLookup { second throws(FrameError) in
                try BlurSynthesis(
                    halves: (first, second), level: level, reach: reach, light: light, context: context
                ).write(to: &picture, current: here, previous: before, next: after)
            }
        }
        return try isOpaque ? picture : picture.straightened(keeping: here, context: context)
    }
}
