package import FrameCore
import Imaging
package import Motion

/// What an image of motion shows.
package enum FlowView: Sendable { case wheel, arrows, confidence, occlusion, holes, weights }

/// Draws motion as frames, for a clip in order or for a single pair.
package final class FlowPainter: Sendable {
    private let view: FlowView
    private let isBackward: Bool
    /// The motion drawn at full scale, in pixels; nil fits the scale to the motion.
    private let fixedMaximum: Float?
    private let hasLegend: Bool
    private let context: ExecutionContext
    /// Whether the frames are sent to a video encoder, so that players expect limited range.
    private let isVideo: Bool
    /// Whether frames are left blank instead of showing motion, because only the speed is measured.
    private let isBlank: Bool
    private let blank = Lock<PixelBuffer?>(nil)
    private let scale = Lock(FlowScale())

    /// - Parameters:
    ///   - view: what is drawn.
    ///   - isBackward: whether the motion from the next frame back to the first is drawn.
    ///   - maximum: the motion drawn at full scale, in pixels; nil fits the scale to the motion.
    ///   - hasLegend: whether a legend is drawn.
    ///   - context: the threads and kernels to use; the result does not depend on them.
    ///   - isVideo: whether the frames are those of a video, so that their range is limited.
    ///   - isBlank: whether frames are left blank, because only the speed is measured.
    package init(
        view: FlowView, isBackward: Bool, maximum: Float?, hasLegend: Bool, context: ExecutionContext, isVideo: Bool,
        isBlank: Bool = false
    ) {
        self.view = view
        self.isBackward = isBackward
        fixedMaximum = maximum
        self.hasLegend = hasLegend
        self.context = context
        self.isVideo = isVideo
        self.isBlank = isBlank
    }

    /// The largest motion drawn at full scale so far, in pixels; nil if no motion is drawn.
    package var maximum: Float? {
        guard !isBlank, view == .wheel || view == .arrows else { return nil }
        if let fixedMaximum { return fixedMaximum }
        let largest = scale.withLock { $0.largest }
        return largest > 0 ? largest : nil
    }

    /// Returns notes on what is lost of the source frames that show through.
    package func notes(over source: PixelFormat) -> [String] {
        guard !isBlank, view == .arrows else { return [] }
        var notes: [String] = []
        if source.bitDepth > 8 {
            notes.append(
                "the arrows are drawn over 8-bit frames; the \(source.bitDepth) bits of the input are not kept")
        }
        if source.hasAlpha {
            notes.append("the arrows are drawn over frames without alpha; what is transparent becomes grey")
        }
        if source.isRGB { notes.append("the arrows are drawn over YCbCr; the RGB of the input is converted") }
        return notes
    }

    /// Returns the color description of the frames drawn over frames of a format and description.
    private func color(over source: ColorDescription, _ format: PixelFormat) -> ColorDescription {
        guard view != .arrows else { return format.isRGB ? source.ofYCbCrFromRGB : source }
        return ColorDescription(matrix: .bt709, primaries: .bt709, transfer: .bt709, range: isVideo ? .limited : .full)
    }

    /// Returns the description of the frames drawn over a given source.
    package func stream(over source: VideoStreamDescription) throws(FrameError) -> VideoStreamDescription {
        var stream = source
        stream.format = try PixelFormat(subsampling: .yuv444, bitDepth: 8)
        stream.color = color(over: source.color, source.format)
        if view != .arrows { stream.sideData = SideData() }
        return stream
    }

    /// Draws one frame.
    ///
    /// - Parameters:
    ///   - frame: the frame at which the motion begins.
    ///   - flow: the motion; nil across a cut and where the clip ends.
    ///   - resets: whether the scale is refitted, independently of earlier frames.
    package func frame(_ frame: Frame, _ flow: OpticalFlow?, resets: Bool = false) throws(FrameError) -> Frame {
        if resets { scale.withLock { $0.cut() } }
        let field = flow.map { isBackward ? $0.backward : $0.forward }
        let color = color(over: frame.color, frame.buffer.format)
        return Frame(
            buffer: try picture(frame.buffer, field, color), presentationTime: frame.presentationTime,
            duration: frame.duration, color: color, sampleAspectRatio: frame.sampleAspectRatio,
            sideData: sideData(of: frame))
    }

    /// Returns what goes with a drawing. What describes the pixels of the frame does not apply to drawn ones, but captions do.
    private func sideData(of frame: Frame) -> SideData {
        view == .arrows ? frame.sideData : SideData(frame.sideData.entries.filter(\.isOfThisPictureOnly))
    }

    /// Draws the holes or the weights with which interpolation between the two frames works at `phase`.
    package func interpolation(_ first: Frame, _ second: Frame, _ flow: OpticalFlow, phase: Float) throws(FrameError)
        -> Frame
    {
        let maps = InterpolationMaps(flow, phase: phase, context: context),
            color = color(over: first.color, first.buffer.format)
        let values = view == .holes ? maps.holes() : try maps.weights(first.buffer, second.buffer)
        let drawing = FlowDrawing(maximum: 1, hasLegend: false, color: color, context: context)
        return Frame(
            buffer: try drawing.grey(values, width: flow.width, height: flow.height),
            presentationTime: first.presentationTime, duration: first.duration, color: color,
            sampleAspectRatio: first.sampleAspectRatio)
    }

    private func picture(
        _ shown: PixelBuffer, _ field: FlowField?, _ color: ColorDescription
    ) throws(FrameError) -> PixelBuffer {
        let (width, height) = (shown.width, shown.height)
        func drawing(_ maximum: Float) -> FlowDrawing {
            FlowDrawing(maximum: maximum, hasLegend: hasLegend, color: color, context: context)
        }
        if isBlank { return try blankPicture(width, height, color) }
        guard let field else {
            scale.withLock { $0.cut() }
            return view == .arrows
                ? try drawing(1).arrows(nil, over: shown) : try drawing(1).empty(width: width, height: height)
        }
        switch view {
        case .confidence: return try drawing(1).grey(field.denseConfidence(), width: width, height: height)
        case .occlusion: return try drawing(1).grey(field.denseOcclusion(), width: width, height: height)
        case .holes, .weights:
            throw FrameError(.invalidArgument, "holes and weights are drawn for one pair of frames, not for a clip")
        case .wheel, .arrows:
            let flow = field.dense()
            let drawing = drawing(
                fixedMaximum ?? scale.withLock { $0.fit(flow, confidence: field.denseConfidence()) })
            return view == .wheel ? try drawing.wheel(flow) : try drawing.arrows(flow, over: shown)
        }
    }

    /// Returns an empty frame, made once and shared by all frames of this size.
    private func blankPicture(
        _ width: Int, _ height: Int, _ color: ColorDescription
    ) throws(FrameError) -> PixelBuffer {
        if let picture = blank.withLock({ $0 }), picture.width == width, picture.height == height { return picture }
        let drawing = FlowDrawing(maximum: 1, hasLegend: false, color: color, context: .serial)
        let picture = try drawing.empty(width: width, height: height)
        blank.withLock { $0 = picture }
        return picture
    }
}
