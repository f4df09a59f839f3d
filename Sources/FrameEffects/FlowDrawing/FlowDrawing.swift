public import FrameCore
import Imaging
public import Motion

/// Draws images of motion that depend only on the flow and, for arrows, on the frame under them.
///
/// All images are 8-bit 4:4:4 and have the flow's size; `color` specifies how to interpret their code values.
public struct FlowDrawing: Sendable {
    /// The length of motion with the pure hue and the longest arrow, in pixels: 0.01 or more, as for
    /// ``FlowColorWheel``.
    public var maximum: Float {
        didSet { maximum = FlowColorWheel(maximum: maximum).maximum }
    }
    /// Whether to draw a legend, a color wheel labelled with ``maximum``, in a corner if the image is large enough.
    public var hasLegend: Bool
    /// The color description of the images; unspecified properties are guessed from the image height. Arrows over RGB are
    /// drawn in YCbCr, with the matrix of BT.709 unless another is named.
    public var color: ColorDescription
    /// The threads and kernels to use. The result does not depend on them.
    public var context: ExecutionContext

    /// - Parameters:
    ///   - maximum: length of motion with the pure hue and the longest arrow, in pixels, 0.01 or more (see
    ///     ``maximum``).
    ///   - hasLegend: whether to draw a labelled color wheel in a corner.
    ///   - color: color description of the images.
    ///   - context: the threads and kernels to use.
    public init(maximum: Float, hasLegend: Bool = true, color: ColorDescription, context: ExecutionContext = .serial) {
        self.maximum = FlowColorWheel(maximum: maximum).maximum
        self.hasLegend = hasLegend
        self.color = color
        self.context = context
    }

    /// Draws every pixel in the color of its motion; unknown motion is black.
    /// - Throws: `FrameError` if memory cannot be allocated.
    public func wheel(_ flow: DenseFlow) throws(FrameError) -> PixelBuffer {
        var canvas = FlowCanvas(width: flow.width, height: flow.height, color: color, filledWith: .one)
        let (wheel, vectors, width) = (FlowColorWheel(maximum: maximum), flow.vectors, flow.width)
        canvas.fill(context: context) { x, y in
            let vector = vectors[y * width + x]
            return max(abs(vector.x), abs(vector.y)) < DenseFlow.unknownThreshold ? wheel.color(vector) : .zero
        }
        if hasLegend { FlowLegend(maximum: maximum, width: flow.width, height: flow.height)?.draw(on: &canvas) }
        return try canvas.buffer()
    }

    /// Draws arrows over the frame where the motion begins, each starting at its pixel and in the hue of its direction.
    ///
    /// Arrow lengths are scaled so that arrows neither become invisible nor overlap too much; the legend shows the
    /// scale.
    ///
    /// - Parameters:
    ///   - flow: the flow; nil draws no arrows.
    ///   - picture: a frame of the flow's size; what is transparent becomes middle grey.
    /// - Throws: `FrameError` if the sizes differ or memory cannot be allocated.
    public func arrows(_ flow: DenseFlow?, over picture: PixelBuffer) throws(FrameError) -> PixelBuffer {
        let shown = try Frame(buffer: picture, presentationTime: .zero, color: color).overGrey(context: context)
        var canvas = FlowCanvas(shown.buffer, color: shown.color)
        guard let flow else { return try canvas.buffer() }
        guard flow.width == picture.width, flow.height == picture.height else {
            throw FrameError(
                .invalidArgument,
                "the flow is \(flow.width)x\(flow.height), the frame is \(picture.width)x\(picture.height); they must match"
            )
        }
        let spacing = max(12, min(64, (max(flow.width, flow.height) + 27) / 28))
        let radius = max(0.7, Float(spacing) / 26)
        let scale = Float(spacing) * 1.5 / maximum
        for y in stride(from: (flow.height % spacing + spacing) / 2, to: flow.height, by: spacing) {
            for x in stride(from: (flow.width % spacing + spacing) / 2, to: flow.width, by: spacing) {
                let motion = flow.vectors[y * flow.width + x]
                let start = SIMD2(Float(x) + 0.5, Float(y) + 0.5)
                let length = (motion * motion).sum().squareRoot()
                guard length < DenseFlow.unknownThreshold else { continue }
                // Arrows stop growing at the maximum.
                let shown = length > maximum ? motion * (maximum / length) : motion
                let hue = length * scale < 1 ? .one : FlowColorWheel.hue(motion)
                FlowArrow(from: start, to: start + shown * scale, radius: radius, color: hue).draw(on: &canvas)
            }
        }
        if hasLegend { FlowLegend(maximum: maximum, width: flow.width, height: flow.height)?.draw(on: &canvas) }
        return try canvas.buffer()
    }

    /// Returns an image for frames without known motion, such as at a cut: mid-gray, a color that no motion is drawn
    /// in.
    /// - Throws: `FrameError` if the size is not supported or memory cannot be allocated.
    public func empty(width: Int, height: Int) throws(FrameError) -> PixelBuffer {
        try FlowCanvas(width: width, height: height, color: color, filledWith: .init(repeating: 0.5)).buffer()
    }

    /// Draws a value of 0…255 per pixel as gray, from black to white.
    /// - Throws: `FrameError` if the number of values does not match the size or memory cannot be allocated.
    public func grey(_ values: [UInt8], width: Int, height: Int) throws(FrameError) -> PixelBuffer {
        guard values.count == width * height else {
            throw FrameError(
                .invalidArgument,
                "\(values.count) values were given for \(width)x\(height) pixels; \(width * height) are needed")
        }
        var canvas = FlowCanvas(width: width, height: height, color: color, filledWith: .zero)
        canvas.fill(context: context) { x, y in .init(repeating: Float(values[y * width + x]) / 255) }
        return try canvas.buffer()
    }
}
