public import FrameCore
public import Motion

/// Pictures of motion: pure functions of the flow, and of the frame where it shows through.
///
/// All pictures are 8-bit 4:4:4 of the flow's size; their code values mean what `color` says.
public struct FlowDrawing: Sendable {
    /// Motion that has the full colour and the longest arrow, in pixels: 0.01 or more, as ``FlowColorWheel`` takes it.
    public var maximum: Float {
        didSet { maximum = FlowColorWheel(maximum: maximum).maximum }
    }
    /// Draws a wheel with the figure of ``maximum`` in a corner, where the picture has room for it.
    public var hasLegend: Bool
    /// Of the pictures made; what is left unspecified is guessed by their height.
    public var color: ColorDescription
    /// Threads that work on one picture. The result does not depend on it.
    public var threads: Int

    /// - Parameters:
    ///   - maximum: motion that has the full colour and the longest arrow, in pixels, 0.01 or more (see ``maximum``).
    ///   - hasLegend: whether a wheel with its figure is drawn in a corner.
    ///   - color: of the pictures made.
    ///   - threads: that work on one picture, 1 or more.
    public init(maximum: Float, hasLegend: Bool = true, color: ColorDescription, threads: Int = 1) {
        self.maximum = FlowColorWheel(maximum: maximum).maximum
        self.hasLegend = hasLegend
        self.color = color
        self.threads = max(1, threads)
    }

    /// Every pixel in the colour of its motion; unknown motion is black.
    /// - Throws: `FrameError` when memory is short.
    public func wheel(_ flow: DenseFlow) throws(FrameError) -> PixelBuffer {
        var canvas = FlowCanvas(width: flow.width, height: flow.height, color: color, filledWith: .one)
        let (wheel, vectors, width) = (FlowColorWheel(maximum: maximum), flow.vectors, flow.width)
        canvas.fill(threads: threads) { x, y in
            let vector = vectors[y * width + x]
            return max(abs(vector.x), abs(vector.y)) < DenseFlow.unknownThreshold ? wheel.color(vector) : .zero
        }
        if hasLegend { FlowLegend(maximum: maximum, width: flow.width, height: flow.height)?.draw(on: &canvas) }
        return try canvas.buffer()
    }

    /// Arrows over the frame that the motion begins at, each from its pixel on, with the hue of its direction. The
    /// longest are longer or shorter than the motion itself, so that they neither vanish nor tangle; the legend tells
    /// the scale.
    ///
    /// - Parameters:
    ///   - flow: nil draws none.
    ///   - picture: of the flow's size.
    /// - Throws: `FrameError` when sizes differ or memory is short.
    public func arrows(_ flow: DenseFlow?, over picture: PixelBuffer) throws(FrameError) -> PixelBuffer {
        var canvas = FlowCanvas(picture, color: color)
        guard let flow else { return try canvas.buffer() }
        guard flow.width == picture.width, flow.height == picture.height else {
            throw FrameError(
                .invalidArgument,
                "the flow is \(flow.width)x\(flow.height), the picture \(picture.width)x\(picture.height); both must be alike"
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
                // Beyond the maximum arrows grow no more.
                let shown = length > maximum ? motion * (maximum / length) : motion
                let hue = length * scale < 1 ? .one : FlowColorWheel.hue(motion)
                FlowArrow(from: start, to: start + shown * scale, radius: radius, color: hue).draw(on: &canvas)
            }
        }
        if hasLegend { FlowLegend(maximum: maximum, width: flow.width, height: flow.height)?.draw(on: &canvas) }
        return try canvas.buffer()
    }

    /// What stands where no motion is known, as across a cut: middle grey, which no motion has.
    /// - Throws: `FrameError` for a size that is not supported, or when memory is short.
    public func empty(width: Int, height: Int) throws(FrameError) -> PixelBuffer {
        try FlowCanvas(width: width, height: height, color: color, filledWith: .init(repeating: 0.5)).buffer()
    }

    /// Values 0…255 of every pixel as grey, black to white.
    /// - Throws: `FrameError` when their number does not fit, or memory is short.
    public func grey(_ values: [UInt8], width: Int, height: Int) throws(FrameError) -> PixelBuffer {
        guard values.count == width * height else {
            throw FrameError(
                .invalidArgument,
                "\(values.count) values were given for \(width)x\(height) pixels; \(width * height) are needed")
        }
        var canvas = FlowCanvas(width: width, height: height, color: color, filledWith: .zero)
        canvas.fill(threads: threads) { x, y in .init(repeating: Float(values[y * width + x]) / 255) }
        return try canvas.buffer()
    }
}
