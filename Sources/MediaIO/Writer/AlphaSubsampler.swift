import CLibAV
import FrameCore
import Imaging

/// Subsamples the chroma of 4:4:4 pictures with alpha. Chroma is weighted with alpha, so that the colors of what is transparent
/// do not spread into what is visible.
struct AlphaSubsampler {
    let source: PixelFormat
    /// The format of the results.
    let result: PixelFormat
    private let scaler: PictureScaler

    /// Creates a subsampler; nil if there is nothing to do.
    ///
    /// - Parameters:
    ///   - source: the format of the pictures.
    ///   - target: the format that they are converted to afterwards.
    ///   - color: the color of the pictures; no property is unspecified.
    init?(
        _ source: PixelFormat, for target: AVPixelFormat, color: ColorDescription, width: Int, height: Int
    ) throws(FrameError) {
        guard source.hasAlpha, !source.isRGB, source.subsampling == .yuv444, let from = source.av,
            let target = PixelFormat(samplesOf: target), target.hasAlpha,
            ![.yuv444, .monochrome].contains(target.subsampling)
        else { return nil }
        // libav knows alpha at few depths.
        let formats = [source.bitDepth, 16].compactMap {
            try? PixelFormat(subsampling: target.subsampling, bitDepth: $0, hasAlpha: true)
        }
        guard let result = formats.first(where: { $0.av != nil }), let to = result.av else { return nil }
        (self.source, self.result) = (source, result)
        scaler = try PictureScaler(
            from: .init(format: from, color: color), to: .init(format: to, color: color), width: width, height: height)
    }

    /// Returns a picture with its chroma subsampled.
    func subsampled(_ picture: PixelBuffer) throws(FrameError) -> PixelBuffer {
        var made = try scaled(picture)
        guard !picture.isOpaque else { return made }
        let weighted = try scaled(picture.premultiplied(context: ExecutionContext(threads: 1)))
        // Alpha in place of chroma is filtered as chroma is.
        let opacity = picture.withPlanes { planes in
            let alpha = (base: UnsafeMutableRawPointer(mutating: planes[3].base), stride: planes[3].stride)
            return PixelBuffer(
                format: source, width: picture.width, height: picture.height,
                borrowing: [alpha, alpha, alpha, alpha], owner: picture.storage)
        }
        guard let opacity else { return made }
        let shares = try scaled(opacity)
        try made.withMutablePlanes { target in
            weighted.withPlanes { weighted in
                shares.withPlanes { shares in
                    for plane in 1...2 {
                        Self.divide(result.sampleType, weighted[plane], by: shares[plane], target[plane], result)
                    }
                }
            }
        }
        return made
    }

    private func scaled(_ picture: PixelBuffer) throws(FrameError) -> PixelBuffer {
        var frame = AVFrame()
        picture.withPlanes { frame.borrow($0) }
        defer { withExtendedLifetime(picture) {} }
        var made = try PixelBuffer(format: result, width: picture.width, height: picture.height)
        try scaler.convert(frame, into: &made)
        return made
    }

    /// Undoes the weights, as distances from neutral chroma.
    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    private static func divide<Sample: PixelSample>(
        _: Sample.Type, _ chroma: Plane, by share: Plane, _ target: MutablePlane, _ format: PixelFormat
    ) {
        let most = Float(format.maximumValue), neutral = Float(1 << (format.bitDepth - 1))
        for y in 0..<target.height {
            let from = chroma.row(y).assumingMemoryBound(to: Sample.self)
            let weights = share.row(y).assumingMemoryBound(to: Sample.self)
            let to = target.row(y).assumingMemoryBound(to: Sample.self)
            for x in 0..<target.width {
                let weight = Float(weights[x])
                let value = weight > 0 ? neutral + (Float(from[x]) - neutral) * most / weight : neutral
                to[x] = Sample(max(0, min(most, value.rounded())))
            }
        }
    }
}
