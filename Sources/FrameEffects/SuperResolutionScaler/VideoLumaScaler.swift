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
        // A scene looks the same if a run begins with it, so nothing earlier may matter.
        let isKnown =
            reference != nil && relation == .follows && ahead?.source.hasSameSamples(as: source) == true
        var known = isKnown ? ahead?.luma : nil
        ahead = nil
        if reference == nil { tracker.forget() }
        guard reference != nil || next != nil else {
            return try source.withPlanes { planes throws(FrameError) in try first.scale(planes[0], into: target) }
        }
        var details: [DetailTransfer.Detail] = []
        if let reference { details.append(try previousDetail(reference, source, known: known, relation)) }
        var following: PixelBuffer?
        if let next {
            let luma = try upscaled(next, by: scaler)
            details.append(try nextDetail(luma, next, source, reference == nil ? .none : .follows))
            following = luma
        }
        var luma = if let known { known } else { try upscaled(source, by: reference == nil ? first : scaler) }
        // A second owner would have the samples copied.
        known = nil
        if reference != nil { try addHalfTurn(source, to: &luma, details) }
        for detail in details.dropLast() {
            var merged = try pool.makeBuffer()
            try merged.withOverwrittenPlanes { planes throws(FrameError) in
                try transfer.transfer(detail, to: luma, into: planes[0])
            }
            luma = merged
        }
        if let last = details.last { try transfer.transfer(last, to: luma, into: target) }
        if let next, let following { ahead = (next, following) }
    }

    /// Returns the detail of the previous output.
    private mutating func previousDetail(
        _ reference: SuperResolutionScalerEngine.Reference, _ source: PixelBuffer, known: PixelBuffer?,
        _ relation: PairRelation
    ) throws(FrameError) -> DetailTransfer.Detail {
        let before = try tracker.reference(reference.source), here = try tracker.reference(source)
        let flow = try tracker.flow(
            from: before, to: here, known == nil ? relation : .samePair, known: reference.flow)
        return try transfer.detail(
            of: DetailTransfer.Neighbour(
                pyramid: before.pyramid, field: flow.backward, output: reference.output,
                trust: DetailTransfer.previousTrust),
            for: here.pyramid)
    }

    /// Returns the detail of the next frame.
    private mutating func nextDetail(
        _ luma: PixelBuffer, _ next: PixelBuffer, _ source: PixelBuffer, _ relation: PairRelation
    ) throws(FrameError) -> DetailTransfer.Detail {
        let here = try tracker.reference(source), after = try tracker.reference(next)
        let flow = try tracker.flow(from: here, to: after, relation)
        return try transfer.detail(
            of: DetailTransfer.Neighbour(
                pyramid: after.pyramid, field: flow.forward, output: luma, trust: DetailTransfer.nextTrust),
            for: here.pyramid)
    }

    /// Averages a second rotation into the tiles that take little detail from other frames.
    private func addHalfTurn(
        _ source: PixelBuffer, to luma: inout PixelBuffer, _ details: [DetailTransfer.Detail]
    ) throws(FrameError) {
        guard scaler.canAddHalfTurn, let marks = transfer.own(beside: details), marks.hasMarks else { return }
        try luma.withMutablePlanes { planes throws(FrameError) in
            source.withPlanes { scaler.addHalfTurn($0[0], to: planes[0], in: marks) }
        }
    }

    private func upscaled(_ source: PixelBuffer, by scaler: LumaScaler) throws(FrameError) -> PixelBuffer {
        var luma = try pool.makeBuffer()
        try luma.withOverwrittenPlanes { planes throws(FrameError) in
            try source.withPlanes { from throws(FrameError) in try scaler.scale(from[0], into: planes[0]) }
        }
        return luma
    }
}
