import FrameCore

/// Brings luma to a larger size: doubled as often as it takes to reach it, then brought down to it.
struct LumaScaler: Sendable {
    private let doubler: LumaDoubler
    private let format: PixelFormat
    /// Sizes after each doubling.
    private let steps: [FrameDimensions]
    /// From the last doubling to the target; nil where it is reached.
    private let rest: PlaneResampler?

    /// - Parameters:
    ///   - format: of the pictures.
    ///   - source: not larger than `target`, in either direction.
    init(format: PixelFormat, source: FrameDimensions, target: FrameDimensions, doubler: LumaDoubler)
        throws(FrameError)
    {
        self.doubler = doubler
        self.format = try PixelFormat(subsampling: .monochrome, bitDepth: format.bitDepth)
        var size = source, steps: [FrameDimensions] = []
        // Sizes that grow in one direction alone would double past what a buffer holds in the other.
        while size.width < target.width || size.height < target.height,
            max(size.width, size.height) * 2 <= PixelBuffer.sizeRange.upperBound
        {
            size = FrameDimensions(width: 2 * size.width, height: 2 * size.height)
            steps.append(size)
        }
        self.steps = steps
        rest =
            size == target
            ? nil
            : PictureResampler.luma(
                width: size.width, height: size.height, outputWidth: target.width, outputHeight: target.height)
    }

    /// - Parameters:
    ///   - source: of the source size.
    ///   - target: of the target size.
    func scale(_ source: Plane, into target: MutablePlane) throws(FrameError) {
        var latest: PixelBuffer?
        for (index, size) in steps.enumerated() {
            if index == steps.count - 1, rest == nil {
                Self.with(latest, or: source) { doubler.double($0, into: target, format: format) }
                return
            }
            var larger = try PixelBuffer(format: format, width: size.width, height: size.height)
            try larger.withOverwrittenPlanes { planes in
                Self.with(latest, or: source) { doubler.double($0, into: planes[0], format: format) }
            }
            latest = larger
        }
        Self.with(latest, or: source) { plane in
            rest?.resample(plane, into: target, format: format, threads: doubler.threads)
        }
    }

    private static func with(_ buffer: PixelBuffer?, or plane: Plane, _ body: (Plane) -> Void) {
        if let buffer { buffer.withPlanes { body($0[0]) } } else { body(plane) }
    }
}
