import FrameCore
import Imaging
import Motion

/// Upscales YCbCr frames without alpha, and keeps what the next frame can reuse.
///
/// A learned model doubles luma as often as necessary, and the result is scaled down to the output size; chroma is
/// resampled, and with the models `large` and `image` takes detail from luma. Given the previous frame and its output, or
/// the next frame, detail is transferred along the motion.
///
/// Not `Sendable`: one caller at a time. The same inputs give the same bits for every thread count.
final class YCbCrUpscaler {
    typealias Reference = SuperResolutionScalerEngine.Reference

    private let size: FrameDimensions
    private let outputSize: FrameDimensions
    private let format: PixelFormat
    private let context: ExecutionContext
    private let pool: PixelBufferPool
    /// Upscales luma of frames whose neighbours are not used.
    private let luma: LumaScaler
    /// Upscales luma with detail from other frames; nil for single images, and if the scale factor is too large for that.
    private var video: VideoLumaScaler?
    /// Whether chroma takes detail from luma.
    private let guidesChroma: Bool
    private var chroma: ChromaScaler?
    /// Cleans frames before they are enlarged; nil if the source was not compressed.
    private var cleaner: FrameCleaner?

    /// - Parameters:
    ///   - format: pixel format of source and output.
    ///   - size: size of the source.
    ///   - outputSize: size of the output, not smaller than `size` in either direction.
    ///   - model: the network that doubles luma; `large` and `image` also guide chroma by luma.
    ///   - isStill: whether frames are single images, with no previous or next frame.
    ///   - rotations: how many rotations to average for frames without a previous output. Those that have one are doubled
    ///     once, and with `large` once more where little of their detail is in other frames. Nil for the default: with
    ///     `large` four for single images and two for frames of a video, otherwise one.
    ///   - compression: how the source was compressed, if it is to be cleaned before it is enlarged.
    ///   - coding: how strongly a single image was compressed (see ``DegradationCondition/coding``); only `image` uses it.
    ///   - quality: quality of the motion estimation.
    ///   - context: the threads and kernels to use.
    init(
        format: PixelFormat, size: FrameDimensions, outputSize: FrameDimensions, model: SuperResolutionNetwork.Model,
        isStill: Bool, rotations: SuperResolutionNetwork.Rotations? = nil, compression: RestorationCondition? = nil,
        coding: Int = 0, quality: QualityPrioritization = .normal, context: ExecutionContext
    ) throws(FrameError) {
        self.size = size
        self.outputSize = outputSize
        self.format = format
        self.context = context
        pool = try PixelBufferPool(format: format, width: outputSize.width, height: outputSize.height)
        let networks =
            model == .image
            ? DoublingNetworks.image(coding: coding) : DoublingNetworks(clip: model)
        func luma(_ rotations: SuperResolutionNetwork.Rotations) throws(FrameError) -> LumaScaler {
            try LumaScaler(
                format: format, source: size, target: outputSize, networks: networks, rotations: rotations,
                context: context)
        }
        let rotations = rotations ?? (model != .large ? .one : isStill ? .four : .two)
        let alone = try luma(rotations)
        self.luma = alone
        guidesChroma = model == .large || model == .image
        if let compression, compression.isCompressed {
            cleaner = try FrameCleaner(
                format: format, size: size, condition: compression, network: model == .large ? .light : .small,
                hasNeighbours: !isStill, context: context)
        }
        if !isStill,
            let transfer = DetailTransfer(format: format, source: size, output: outputSize, context: context)
        {
            var effort = MotionEffort(quality, pixels: size.width * size.height)
            if quality == .quality {
                // More rounds gain less than 0.01 dB: where vectors are a little off, little detail is taken.
                effort.refinements = 3
                effort.coarseRefinements = 4
            }
            let tracker = PairTracker(
                width: size.width, height: size.height, effort: effort, context: context)
            video = try VideoLumaScaler(
                rotations == .one ? alone : luma(.one), first: alone, transfer: transfer, format: format,
                output: outputSize, tracker: tracker)
        } else {
            video = nil
        }
    }

    /// - Parameters:
    ///   - source: a frame of the engine's size and format.
    ///   - color: color description of the source; only the chroma location matters.
    ///   - reference: the previous frame and its output; nil to upscale the frame on its own.
    ///   - next: the next frame; nil if there is none. Ignored for single images, as is `reference`.
    ///   - relation: `.follows` if `source` comes directly after the source of the last call.
    func upscale(
        _ source: PixelBuffer, color: ColorDescription, reference: Reference? = nil, next: PixelBuffer? = nil,
        relation: PairRelation = .none
    ) throws(FrameError) -> PixelBuffer {
        var reference = reference
        if let known = reference, let cleaned = try cleaner?.clean(known.source) { reference?.source = cleaned }
        let source = try cleaner?.clean(source) ?? source
        let next = try next.map { next throws(FrameError) in try cleaner?.clean(next) ?? next }
        let location = color.resolved(height: source.height).chromaLocation
        var picture = try pool.makeBuffer()
        let chroma = try chroma(location), context = context
        try picture.withOverwrittenPlanes { planes throws(FrameError) in
            try source.withPlanes { from throws(FrameError) in
                if video != nil {
                    try video?.upscale(
                        source, reference: reference, next: next, relation: relation, into: planes[0])
                } else {
                    try luma.scale(from[0], into: planes[0])
                }
                guard let chroma else { return }
                for index in 1..<from.count {
                    chroma.resampler.resample(from[index], into: planes[index], format: format, context: context)
                }
                try chroma.guide?.addDetail(from: from, to: planes)
            }
        }
        return picture
    }

    private func chroma(_ location: ColorDescription.ChromaLocation) throws(FrameError) -> ChromaScaler? {
        if let chroma, chroma.location == location { return chroma }
        let resampler = PlaneResampler.chroma(
            format: format, width: size.width, height: size.height, outputWidth: outputSize.width,
            outputHeight: outputSize.height, location: location)
        guard let resampler else { return nil }
        let guide =
            guidesChroma
            ? try GuidedChroma(
                format: format, source: size, output: outputSize, location: location, enlarge: resampler,
                context: context) : nil
        let fresh = ChromaScaler(location: location, resampler: resampler, guide: guide)
        chroma = fresh
        return fresh
    }
}

/// What enlarges chroma planes of one chroma location.
private struct ChromaScaler {
    let location: ColorDescription.ChromaLocation
    let resampler: PlaneResampler
    let guide: GuidedChroma?
}
