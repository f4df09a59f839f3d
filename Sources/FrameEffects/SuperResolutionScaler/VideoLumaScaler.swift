import FrameCore
import Kernels
import Motion

/// Upscales the luma of consecutive frames: each on its own, with detail from the previous output and from the next
/// frame.
struct VideoLumaScaler {
    /// Upscales frames that have a previous output, and those that only serve as the next frame.
    private let scaler: LumaScaler
    /// Upscales frames without a previous output, which have less to build on.
    private let first: LumaScaler
    private let transfer: DetailTransfer
    /// Buffers for luma of the output size.
    private let pool: PixelBufferPool
    private var tracker: PairTracker
    /// The next frame of the latest call, upscaled on its own.
    private var ahead: (source: PixelBuffer, luma: PixelBuffer)?

    /// - Parameters:
    ///   - scaler: upscales frames that have a previous output.
    ///   - first: upscales frames that have none; may be the same.
    ///   - transfer: adds detail from other frames.
    ///   - format: pixel format of the frames.
    ///   - output: size of the output.
    ///   - tracker: estimates motion between frames of the source size.
    init(
        _ scaler: LumaScaler, first: LumaScaler, transfer: DetailTransfer, format: PixelFormat, output: FrameDimensions,
        tracker: PairTracker
    ) throws(FrameError) {
        self.scaler = scaler
        self.first = first
        self.transfer = transfer
        self.tracker = tracker
        pool = try PixelBufferPool(
            format: PixelFormat(subsampling: .monochrome, bitDepth: format.bitDepth), width: output.width,
            height: output.height, keeping: 3)
    }

    /// - Parameters:
    ///   - source: the frame to upscale.
    ///   - reference: the previous frame and its output; nil if there is none.
    ///   - next: the next frame; nil if there is none.
    ///   - relation: `.follows` if `source` comes directly after the source of the last call.
    ///   - target: receives luma of the output size.
    mutating func upscale(
        _ source: PixelBuffer, reference: SuperResolutionScalerEngine.Reference?, next: PixelBuffer?,
        relation: PairRelation, into target: MutablePlane
    ) throws(FrameError) {
        let known = relation == .follows && ahead?.source.hasSameSamples(as: source) == true ? ahead?.luma : nil
        ahead = nil
        // A scene looks the same if a run begins with it, so nothing earlier may matter.
        if reference == nil { tracker.forget() }
        guard let next else {
            return try scale(source, known: known, from: reference, relation, into: target)
        }
        var merged = try pool.makeBuffer()
        try merged.withOverwrittenPlanes { planes throws(FrameError) in
            try scale(source, known: known, from: reference, relation, into: planes[0])
        }
        let following = try upscaled(next)
        let here = try tracker.reference(source), after = try tracker.reference(next)
        let flow = try tracker.flow(from: here, to: after, reference == nil ? .none : .follows)
        try transfer.transfer(
            DetailTransfer.Neighbour(
                pyramid: after.pyramid, field: flow.forward, output: following, trust: DetailTransfer.nextTrust),
            to: here.pyramid, merged, into: target)
        ahead = (next, following)
    }

    /// Upscales a frame with detail from the previous output, if there is one.
    ///
    /// - Parameter known: the frame upscaled on its own, if it was the next frame of the last call.
    private mutating func scale(
        _ source: PixelBuffer, known: PixelBuffer?, from reference: SuperResolutionScalerEngine.Reference?,
        _ relation: PairRelation, into target: MutablePlane
    ) throws(FrameError) {
        guard let reference else {
            return try source.withPlanes { planes throws(FrameError) in try first.scale(planes[0], into: target) }
        }
        let alone = if let known { known } else { try upscaled(source) }
        let before = try tracker.reference(reference.source), here = try tracker.reference(source)
        let flow = try tracker.flow(
            from: before, to: here, known == nil ? relation : .samePair, known: reference.flow)
        try transfer.transfer(
            DetailTransfer.Neighbour(
                pyramid: before.pyramid, field: flow.backward, output: reference.output,
                trust: DetailTransfer.previousTrust),
            to: here.pyramid, alone, into: target)
    }

    private func upscaled(_ source: PixelBuffer) throws(FrameError) -> PixelBuffer {
        var luma = try pool.makeBuffer()
        try luma.withOverwrittenPlanes { planes throws(FrameError) in
            try source.withPlanes { from throws(FrameError) in try scaler.scale(from[0], into: planes[0]) }
        }
        return luma
    }
}
