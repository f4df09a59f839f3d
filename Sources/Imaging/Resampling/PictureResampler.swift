package import FrameCore

/// A part of a picture, in luma samples; sides need not be whole.
public struct PictureRegion: Sendable, Hashable {
    /// Left edge.
    public var x: Double
    /// Upper edge.
    public var y: Double
    /// From the left edge to the right.
    public var width: Double
    /// From the upper edge to the lower.
    public var height: Double

    /// A part of a picture.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

/// Brings pictures to another size, chroma subsampling and depth in one step, by filters that widen where they shrink.
/// Matrix and range stay as they are.
package struct PictureResampler: Sendable {
    package let source: PixelFormat
    package let target: PixelFormat
    /// Columns and rows of the source that are shown, in luma samples.
    package let region: PictureRegion
    package let width: Int
    package let height: Int
    private let luma: PlaneResampler
    private let chroma: PlaneResampler?
    private let depth: DepthConversion

    /// - Parameters:
    ///   - sourceSize: of the whole source, in luma samples.
    ///   - region: the part that is taken; nil takes all.
    ///   - color: tells where the source's chroma samples lie, and the range of both pictures.
    ///   - targetLocation: where chroma samples of the result shall lie.
    ///   - lumaFilter: how luma is filtered; chroma always by ``ResamplingFilter/cubic``.
    /// - Throws: `FrameError` for a size that no buffer may have.
    package init(
        from source: PixelFormat, sourceSize: (width: Int, height: Int), region: PictureRegion? = nil,
        color: ColorDescription, to target: PixelFormat, width: Int, height: Int,
        targetLocation: ColorDescription.ChromaLocation, lumaFilter: ResamplingFilter = .cubic
    ) throws(FrameError) {
        guard PixelBuffer.sizeRange.contains(width), PixelBuffer.sizeRange.contains(height) else {
            throw FrameError(
                .unsupportedSize,
                "\(width)x\(height) is no size of a picture; each side must be \(PixelBuffer.sizeRange.lowerBound) to \(PixelBuffer.sizeRange.upperBound) pixels"
            )
        }
        self.source = source
        self.target = target
        self.width = width
        self.height = height
        let region =
            region ?? PictureRegion(x: 0, y: 0, width: Double(sourceSize.width), height: Double(sourceSize.height))
        self.region = region
        depth = DepthConversion(from: source, to: target, range: color.range)
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
        chroma = source.planeCount == 3 && target.planeCount == 3 ? plane(from, to, .cubic) : nil
    }

    /// - Parameter buffer: of the source's format and size.
    /// - Throws: `FrameError` when memory is short.
    package func resampled(_ buffer: PixelBuffer, threads: Int = 1) throws(FrameError) -> PixelBuffer {
        var result = try PixelBuffer(format: target, width: width, height: height)
        try result.withOverwrittenPlanes { planes in
            buffer.withPlanes { source in
                for index in 0..<planes.count {
                    if let plane = index == 0 ? luma : chroma {
                        plane.resample(source[index], into: planes[index], depth: depth, threads: threads)
                    } else {
                        fill(planes[index], with: 1 << (target.bitDepth - 1))
                    }
                }
            }
        }
        return result
    }

    private func fill(_ plane: MutablePlane, with value: Int) {
        for y in 0..<plane.height {
            if target.bytesPerSample == 2 {
                plane.row(y).assumingMemoryBound(to: UInt16.self).update(repeating: UInt16(value), count: plane.width)
            } else {
                plane.row(y).assumingMemoryBound(to: UInt8.self).update(repeating: UInt8(value), count: plane.width)
            }
        }
    }
}

/// Where the samples of a plane lie in the picture.
private struct PlaneGrid {
    var horizontal = ResamplingAxis.SampleGrid()
    var vertical = ResamplingAxis.SampleGrid()

    static let luma = PlaneGrid()

    private init() {}

    /// Chroma of a format.
    init(_ format: PixelFormat, _ location: ColorDescription.ChromaLocation) {
        let siting = location.siting
        horizontal = .init(shift: format.subsampling.horizontalShift, siting: siting.horizontal)
        vertical = .init(shift: format.subsampling.verticalShift, siting: siting.vertical)
    }
}

extension PlaneResampler {
    /// Luma of whole pictures, by ``ResamplingFilter/spline``.
    package static func luma(width: Int, height: Int, outputWidth: Int, outputHeight: Int) -> PlaneResampler {
        PlaneResampler(
            horizontal: ResamplingAxis(luma: width, .init(), to: outputWidth, .init(), filter: .spline),
            vertical: ResamplingAxis(luma: height, .init(), to: outputHeight, .init(), filter: .spline))
    }

    /// Chroma of whole pictures, by ``ResamplingFilter/cubic``; it sits at the same place in both. nil for monochrome.
    package static func chroma(
        format: PixelFormat, width: Int, height: Int, outputWidth: Int, outputHeight: Int,
        location: ColorDescription.ChromaLocation
    ) -> PlaneResampler? {
        guard format.planeCount > 1 else { return nil }
        let grid = PlaneGrid(format, location)
        return PlaneResampler(
            horizontal: ResamplingAxis(
                luma: width, grid.horizontal, to: outputWidth, grid.horizontal, filter: .cubic),
            vertical: ResamplingAxis(
                luma: height, grid.vertical, to: outputHeight, grid.vertical, filter: .cubic))
    }
}
