package import FrameCore

/// A rectangle in an image, in luma samples; coordinates need not be whole numbers.
public struct PictureRegion: Sendable, Hashable {
    /// Left edge.
    public var x: Double
    /// Upper edge.
    public var y: Double
    /// Width.
    public var width: Double
    /// Height.
    public var height: Double

    /// Creates a rectangle.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

/// Converts images to another size, chroma subsampling and bit depth in one step. Filters widen when downscaling. The
/// matrix and range stay the same, and RGB stays RGB. Colors are premultiplied by alpha meanwhile, and an image without
/// alpha becomes opaque.
package struct PictureResampler: Sendable {
    package let source: PixelFormat
    package let target: PixelFormat
    /// The part of the source that is resampled, in luma samples.
    package let region: PictureRegion
    package let width: Int
    package let height: Int
    private let luma: PlaneResampler
    /// For the second and third plane of color; nil if one of the formats lacks them.
    private let chroma: PlaneResampler?
    private let depth: DepthConversion
    /// Alpha has full range whatever the range of the colors.
    private let alphaDepth: DepthConversion

    /// - Parameters:
    ///   - sourceSize: size of the whole source, in luma samples.
    ///   - region: the part of the source to resample; nil for all of it.
    ///   - color: specifies the source's chroma location and the range of both images.
    ///   - targetLocation: chroma location of the result.
    ///   - lumaFilter: the filter for luma, RGB and alpha; chroma always uses ``ResamplingFilter/cubic``.
    /// - Throws: `FrameError` if a buffer cannot have the size, or one format is RGB and the other YCbCr.
    package init(
        from source: PixelFormat, sourceSize: (width: Int, height: Int), region: PictureRegion? = nil,
        color: ColorDescription, to target: PixelFormat, width: Int, height: Int,
        targetLocation: ColorDescription.ChromaLocation, lumaFilter: ResamplingFilter = .cubic
    ) throws(FrameError) {
        guard PixelBuffer.sizeRange.contains(width), PixelBuffer.sizeRange.contains(height) else {
            throw FrameError(
                .unsupportedSize,
                "\(width)x\(height) is not a supported size; each side must be \(PixelBuffer.sizeRange.lowerBound) to \(PixelBuffer.sizeRange.upperBound) pixels"
            )
        }
        guard source.colorModel == target.colorModel else {
            throw FrameError(
                .invalidArgument,
                "\(source) images cannot be resampled to \(target); both formats must be RGB or both YCbCr")
        }
        self.source = source
        self.target = target
        self.width = width
        self.height = height
        let region =
            region ?? PictureRegion(x: 0, y: 0, width: Double(sourceSize.width), height: Double(sourceSize.height))
        self.region = region
        depth = DepthConversion(from: source, to: target, range: color.range)
        alphaDepth = DepthConversion(from: source, to: target, range: .full)
        let from = PlaneGrid(source, color.chromaLocation), to = PlaneGrid(target, targetLocation)
        func plane(_ from: PlaneGrid, _ to: PlaneGrid, _ filter: ResamplingFilter) -> PlaneResampler {
            PlaneResampler(
                horizontal: ResamplingAxis(
                    luma: sourceSize.width, from.horizontal, part: (region.x, region.width), to: width, to.horizontal,
                    filter: filter),
                vertical: ResamplingAxis(
                    luma: sourceSize.height, from.vertical, part: (region.y, region.height), to: height, to.vertical,
                    filter: filter))
        }
        luma = plane(.luma, .luma, lumaFilter)
        let hasChroma = source.colorPlaneCount == 3 && target.colorPlaneCount == 3
        chroma = !hasChroma ? nil : source.isRGB ? luma : plane(from, to, .cubic)
    }

    /// - Parameters:
    ///   - buffer: an image of the source's format and size.
    ///   - context: the threads and kernels to use; the result does not depend on them.
    /// - Throws: `FrameError` if memory cannot be allocated.
    package func resampled(_ buffer: PixelBuffer, context: ExecutionContext) throws(FrameError) -> PixelBuffer {
        if buffer.isOpaque { return try planes(of: buffer, as: target, context) }
        let made = try planes(
            of: buffer.premultiplied(context: context), as: target.withAlpha, context
        ).straightened(context: context)
        let kept = try keepingUnchangedPlanes(of: buffer, in: made)
        return target.hasAlpha ? kept : kept.withoutAlpha
    }

    private func planes(
        of buffer: PixelBuffer, as target: PixelFormat, _ context: ExecutionContext
    ) throws(FrameError) -> PixelBuffer {
        var result = try PixelBuffer(format: target, width: width, height: height)
        try result.withOverwrittenPlanes { planes in
            buffer.withPlanes { source in
                for index in 0..<planes.count {
                    if index == target.alphaPlane {
                        if let alpha = buffer.format.alphaPlane {
                            luma.resample(source[alpha], into: planes[index], depth: alphaDepth, context: context)
                        } else {
                            planes[index].fill(alpha: nil, target)
                        }
                    } else if let plane = index == 0 ? luma : chroma {
                        plane.resample(source[index], into: planes[index], depth: depth, context: context)
                    } else {
                        Self.fill(target.sampleType, planes[index], with: 1 << (target.bitDepth - 1))
                    }
                }
            }
        }
        return result
    }

    /// Returns a result with the planes of the source that need no resampling, which premultiplication has rounded.
    private func keepingUnchangedPlanes(
        of buffer: PixelBuffer, in made: PixelBuffer
    ) throws(FrameError) -> PixelBuffer {
        guard depth.source == depth.target, luma.isIdentity else { return made }
        var kept = made
        let format = made.format
        try kept.withMutablePlanes { planes in
            buffer.withPlanes { source in
                planes[0].copy(source[0], format)
                guard let chroma, chroma.isIdentity else { return }
                for index in 1..<format.colorPlaneCount { planes[index].copy(source[index], format) }
            }
        }
        return kept
    }

    private static func fill<Sample: PixelSample>(_: Sample.Type, _ plane: MutablePlane, with value: Int) {
        for y in 0..<plane.height {
            plane.row(y).assumingMemoryBound(to: Sample.self).update(repeating: Sample(value), count: plane.width)
        }
    }
}

/// The sample positions of a plane relative to the image.
private struct PlaneGrid {
    var horizontal = ResamplingAxis.SampleGrid()
    var vertical = ResamplingAxis.SampleGrid()

    static let luma = PlaneGrid()

    private init() {}

    /// Creates the grid of a format's chroma planes.
    init(_ format: PixelFormat, _ location: ColorDescription.ChromaLocation) {
        let siting = location.siting
        horizontal = .init(shift: format.subsampling.horizontalShift, siting: siting.horizontal)
        vertical = .init(shift: format.subsampling.verticalShift, siting: siting.vertical)
    }
}

extension PlaneResampler {
    /// Returns a resampler for the luma of whole images, with ``ResamplingFilter/spline``.
    package static func luma(width: Int, height: Int, outputWidth: Int, outputHeight: Int) -> PlaneResampler {
        PlaneResampler(
            horizontal: ResamplingAxis(luma: width, .init(), to: outputWidth, .init(), filter: .spline),
            vertical: ResamplingAxis(luma: height, .init(), to: outputHeight, .init(), filter: .spline))
    }

    /// Returns a resampler for the chroma of whole images, with ``ResamplingFilter/cubic`` and the same chroma location
    /// in source and result; nil for monochrome.
    package static func chroma(
        format: PixelFormat, width: Int, height: Int, outputWidth: Int, outputHeight: Int,
        location: ColorDescription.ChromaLocation
    ) -> PlaneResampler? {
        guard format.colorPlaneCount > 1 else { return nil }
        let grid = PlaneGrid(format, location)
        return PlaneResampler(
            horizontal: ResamplingAxis(
                luma: width, grid.horizontal, to: outputWidth, grid.horizontal, filter: .cubic),
            vertical: ResamplingAxis(
                luma: height, grid.vertical, to: outputHeight, grid.vertical, filter: .cubic))
    }

    /// Returns a resampler from the luma of whole images to the positions of their chroma samples, with
    /// ``ResamplingFilter/cubic``; nil for monochrome.
    package static func lumaAtChroma(
        format: PixelFormat, width: Int, height: Int, location: ColorDescription.ChromaLocation
    ) -> PlaneResampler? {
        guard format.colorPlaneCount > 1 else { return nil }
        let grid = PlaneGrid(format, location)
        return PlaneResampler(
            horizontal: ResamplingAxis(luma: width, .init(), to: width, grid.horizontal, filter: .cubic),
            vertical: ResamplingAxis(luma: height, .init(), to: height, grid.vertical, filter: .cubic))
    }
}
