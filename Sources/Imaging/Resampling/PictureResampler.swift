package import FrameCore

/// Where chroma samples sit between the luma samples they stand for, −0.5 at the first to 0.5 at the second.
struct ChromaSiting: Sendable, Hashable {
    var horizontal: Double
    var vertical: Double

    /// - Parameter location: resolved; what is unspecified counts as left.
    init(_ location: ColorDescription.ChromaLocation) {
        switch location {
        case .unspecified, .left: self.init(horizontal: -0.5, vertical: 0)
        case .center: self.init(horizontal: 0, vertical: 0)
        case .topLeft: self.init(horizontal: -0.5, vertical: -0.5)
        case .top: self.init(horizontal: 0, vertical: -0.5)
        case .bottomLeft: self.init(horizontal: -0.5, vertical: 0.5)
        case .bottom: self.init(horizontal: 0, vertical: 0.5)
        }
    }

    private init(horizontal: Double, vertical: Double) {
        self.horizontal = horizontal
        self.vertical = vertical
    }
}

/// Brings the planes of pictures of one size to another, each by filters alone.
package struct PictureResampler: Sendable {
    let format: PixelFormat
    let luma: PlaneResampler
    /// nil for monochrome.
    let chroma: PlaneResampler?

    /// - Parameters:
    ///   - format: of source and target.
    ///   - location: where chroma sits, in both.
    package init(
        format: PixelFormat, width: Int, height: Int, outputWidth: Int, outputHeight: Int,
        location: ColorDescription.ChromaLocation
    ) {
        self.format = format
        luma = Self.luma(width: width, height: height, outputWidth: outputWidth, outputHeight: outputHeight)
        chroma = Self.chroma(
            format: format, width: width, height: height, outputWidth: outputWidth, outputHeight: outputHeight,
            location: location)
    }

    package static func luma(width: Int, height: Int, outputWidth: Int, outputHeight: Int) -> PlaneResampler {
        PlaneResampler(
            horizontal: ResamplingAxis(luma: width, to: outputWidth, shift: 0, siting: 0, filter: .spline),
            vertical: ResamplingAxis(luma: height, to: outputHeight, shift: 0, siting: 0, filter: .spline))
    }

    package static func chroma(
        format: PixelFormat, width: Int, height: Int, outputWidth: Int, outputHeight: Int,
        location: ColorDescription.ChromaLocation
    ) -> PlaneResampler? {
        guard format.planeCount > 1 else { return nil }
        let siting = ChromaSiting(location), subsampling = format.subsampling
        return PlaneResampler(
            horizontal: ResamplingAxis(
                luma: width, to: outputWidth, shift: subsampling.horizontalShift, siting: siting.horizontal,
                filter: .cubic),
            vertical: ResamplingAxis(
                luma: height, to: outputHeight, shift: subsampling.verticalShift, siting: siting.vertical,
                filter: .cubic))
    }

    /// - Throws: `FrameError` when memory is short.
    package func resample(
        _ source: PixelBuffer, into target: inout PixelBuffer, threads: Int
    ) throws(FrameError) {
        try target.withOverwrittenPlanes { out in
            source.withPlanes { planes in
                for index in 0..<planes.count {
                    (index == 0 ? luma : chroma ?? luma).resample(
                        planes[index], into: out[index], format: format, threads: threads)
                }
            }
        }
    }
}
