package import FrameCore

extension PixelBuffer {
    /// Returns the image rotated and mirrored for display. When rows become columns, 4:2:2 is converted to 4:4:4,
    /// because its chroma would otherwise have half the height.
    ///
    /// - Parameters:
    ///   - chromaLocation: where the chroma samples are sited.
    ///   - context: the threads and kernels to use; the result does not depend on them.
    package func turned(
        _ orientation: PictureOrientation, chromaLocation: ColorDescription.ChromaLocation = .left,
        context: ExecutionContext
    ) throws(FrameError) -> PixelBuffer {
        guard orientation != .up else { return self }
        if orientation.swapsSides, format.subsampling == .yuv422 {
            let whole = try PixelFormat(
                subsampling: .yuv444, bitDepth: format.bitDepth, hasAlpha: format.hasAlpha)
            let resampler = try PictureResampler(
                from: format, sourceSize: (width, height), color: ColorDescription(chromaLocation: chromaLocation),
                to: whole, width: width, height: height, targetLocation: chromaLocation)
            return try resampler.resampled(self, context: context).turned(orientation, context: context)
        }
        let swaps = orientation.swapsSides
        var result = try PixelBuffer(format: format, width: swaps ? height : width, height: swaps ? width : height)
        withPlanes { source in
            // A new buffer is uniquely owned, so this needs no allocation that could fail.
            try? result.withOverwrittenPlanes { target in
                for index in 0..<target.count {
                    Self.turn(format.sampleType, source[index], to: target[index], orientation)
                }
            }
        }
        return result
    }

    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    private static func turn<Sample: PixelSample>(
        _: Sample.Type, _ from: Plane, to: MutablePlane, _ orientation: PictureOrientation
    ) {
        let bytes = MemoryLayout<Sample>.size
        // Along a row of the result, the source position changes by a constant step.
        for y in 0..<to.height {
            let first = orientation.stored(x: 0, y: y, width: from.width, height: from.height)
            let second = orientation.stored(x: 1, y: y, width: from.width, height: from.height)
            let step = (second.y - first.y) * from.stride + (second.x - first.x) * bytes
            let start = from.row(first.y) + first.x * bytes, target = to.row(y).assumingMemoryBound(to: Sample.self)
            for x in 0..<to.width { target[x] = (start + x * step).loadUnaligned(as: Sample.self) }
        }
    }
}
