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
    ///   - first: upscales frames that have none.
    ///   - format: pixel format of the frames.
    ///   - transfer: adds detail from other frames.
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
        guard reference != nil || next != nil else {
            ahead = nil
            return try scale(source, with: first, into: target)
        }
        var merged: PixelBuffer
        if let reference {
            // What the last call found out about this frame. Without a reference it must not matter, so that a scene
            // looks the same if a run begins with it.
            let known = relation == .follows && ahead?.source.hasSameSamples(as: source) == true ? ahead?.luma : nil
            let alone = if let known { known } else { try upscaled(source, with: scaler) }
            let before = try tracker.reference(reference.source), here = try tracker.reference(source)
            let flow = try tracker.flow(
                from: before, to: here, known == nil ? relation : .samePair, known: reference.flow)
            let previous = DetailTransfer.Neighbour(
                pyramid: before.pyramid, field: flow.backward, output: reference.output, trust: DetailTransfer.finished)
            guard next != nil else {
                ahead = nil
                return try transfer.transfer(previous, to: here.pyramid, alone, into: target)
            }
            merged = try pool.makeBuffer()
            try merged.withOverwrittenPlanes { planes throws(FrameError) in
                try transfer.transfer(previous, to: here.pyramid, alone, into: planes[0])
            }
        } else {
            merged = try upscaled(source, with: first)
        }
        guard let next else { return }
        let following = try upscaled(next, with: scaler)
        let here = try tracker.reference(source), after = try tracker.reference(next)
        let flow = try tracker.flow(
            from: here, to: after, reference != nil && relation == .follows ? .follows : .none)
        try transfer.transfer(
            DetailTransfer.Neighbour(
                pyramid: after.pyramid, field: flow.forward, output: following, trust: DetailTransfer.unfinished),
            to: here.pyramid, merged, into: target)
        ahead = (next, following)
    }

    private func upscaled(_ source: PixelBuffer, with scaler: LumaScaler) throws(FrameError) -> PixelBuffer {
        var luma = try pool.makeBuffer()
        try luma.withOverwrittenPlanes { planes throws(FrameError) in
            try scale(source, with: scaler, into: planes[0])
        }
        return luma
    }

    private func scale(
        _ source: PixelBuffer, with scaler: LumaScaler, into target: MutablePlane
    ) throws(FrameError) {
        try source.withPlanes { planes throws(FrameError) in try scaler.scale(planes[0], into: target) }
    }
}
