package import FrameCore
import Imaging
package import Motion

/// Upscales frames, and keeps what the next frame can reuse.
///
/// A learned model doubles luma as often as necessary, and the result is scaled down to the output size; chroma is
/// resampled, and with the models `large` and `image` takes detail from luma. Given the previous frame and its output, or
/// the next frame, detail is transferred along the motion. RGB is upscaled as YCbCr of more bits. Alpha is doubled by a
/// small network, and colors are premultiplied by it meanwhile.
///
/// Not `Sendable`: one caller at a time. The same inputs give the same bits for every thread count.
package final class SuperResolutionScalerEngine {
    /// The previous frame and its output.
    package struct Reference {
        package var source: PixelBuffer
        package var output: PixelBuffer
        /// Flow from the previous frame to the current one; nil to estimate it.
        package var flow: OpticalFlow?

        package init(source: PixelBuffer, output: PixelBuffer, flow: OpticalFlow? = nil) {
            self.source = source
            self.output = output
            self.flow = flow
        }
    }

    private let upscaler: YCbCrUpscaler
    private let context: ExecutionContext
    private let size: FrameDimensions
    private let outputSize: FrameDimensions
    /// Converts RGB frames; nil for YCbCr.
    private let converter: RGBConverter?
    /// Upscales alpha; nil if there is none.
    private let alpha: LumaScaler?
    /// The latest frames with the YCbCr pictures made from them, the oldest first.
    private var known: [(frame: PixelBuffer, picture: PixelBuffer)] = []
    /// The previous frame, the present and the next, and the previous output.
    private static let mostKnown = 4

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
    package init(
        format: PixelFormat, size: FrameDimensions, outputSize: FrameDimensions, model: SuperResolutionNetwork.Model,
        isStill: Bool, rotations: SuperResolutionNetwork.Rotations? = nil, compression: RestorationCondition? = nil,
        coding: Int = 0, quality: QualityPrioritization = .normal, context: ExecutionContext
    ) throws(FrameError) {
        (self.size, self.outputSize, self.context) = (size, outputSize, context)
        converter = format.isRGB ? try RGBConverter(format.withoutAlpha, context: context) : nil
        upscaler = try YCbCrUpscaler(
            format: converter?.yCbCr ?? format.withoutAlpha, size: size, outputSize: outputSize, model: model,
            isStill: isStill, rotations: rotations, compression: compression, coding: coding, quality: quality,
            context: context)
        alpha =
            format.hasAlpha
            ? try LumaScaler(
                format: format, source: size, target: outputSize, networks: DoublingNetworks(clip: .small),
                rotations: .one, skipsFlatTiles: true, context: context) : nil
    }

    /// - Parameters:
    ///   - source: a frame of the engine's size and format.
    ///   - color: color description of the source; only the chroma location matters.
    ///   - reference: the previous frame and its output; nil to upscale the frame on its own.
    ///   - next: the next frame; nil if there is none. Ignored for single images, as is `reference`.
    ///   - relation: `.follows` if `source` comes directly after the source of the last call.
    package func upscale(
        _ source: PixelBuffer, color: ColorDescription, reference: Reference? = nil, next: PixelBuffer? = nil,
        relation: PairRelation = .none
    ) throws(FrameError) -> PixelBuffer {
        if source.format.isPlain {
            return try upscaler.upscale(source, color: color, reference: reference, next: next, relation: relation)
        }
        let reference = try reference.map { known throws(FrameError) in
            Reference(source: try picture(of: known.source), output: try picture(of: known.output), flow: known.flow)
        }
        let made = try upscaler.upscale(
            try picture(of: source), color: color, reference: reference,
            next: try next.map { next throws(FrameError) in try picture(of: next) }, relation: relation)
        let colors = try converter?.toRGB(made) ?? made
        guard let alpha, let index = source.format.alphaPlane else { return colors }
        if source.isOpaque { return try colors.with(alpha: nil) }
        var larger = try PixelBuffer(
            format: source.format.monochrome, width: outputSize.width, height: outputSize.height)
        try larger.withOverwrittenPlanes { planes throws(FrameError) in
            try source.withPlanes { from throws(FrameError) in try alpha.scale(from[index], into: planes[0]) }
        }
        return try colors.with(alpha: larger).straightened(context: context)
    }

    /// Returns the YCbCr picture of a frame or of its output, with colors premultiplied by alpha.
    private func picture(of frame: PixelBuffer) throws(FrameError) -> PixelBuffer {
        if let found = known.last(where: { $0.frame.hasSameSamples(as: frame) }) { return found.picture }
        let colors = try frame.isOpaque ? frame.withoutAlpha : frame.premultiplied(context: context).withoutAlpha
        let made = try converter?.toYCbCr(colors) ?? colors
        known = known.suffix(Self.mostKnown - 1) + [(frame, made)]
        return made
    }
}

extension SuperResolutionScalerEngine: FrameProcessorEffect {
    package func process(
        _ parameters: SuperResolutionScalerParameters, relation: PairRelation, results: CallResults
    ) throws {
        let source = parameters.sourceFrame
        var reference: Reference?
        if let previous = parameters.previousFrame, let output = parameters.previousOutputFrame {
            // The caller's flow goes backward in time from the source frame; the engine's goes forward to it.
            let flow = try parameters.opticalFlow?.opticalFlow
            reference = Reference(
                source: try previous.buffer, output: try output.buffer,
                flow: try flow.map { try OpticalFlow(forward: $0.backward, backward: $0.forward) })
        }
        let picture = try upscale(
            try source.buffer, color: try source.color, reference: reference,
            next: try parameters.nextFrame.map { try $0.buffer }, relation: relation)
        let geometry = try UpscalingGeometry(source: size, output: outputSize)
        results.complete(0, with: picture) { geometry.scaleMetadata(of: &$0) }
    }
}

extension SuperResolutionNetwork.Model {
    package init(_ quality: QualityPrioritization) { self = quality == .quality ? .large : .small }
}
