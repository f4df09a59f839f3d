package import FrameCore

extension PixelBuffer {
    /// Returns the image rotated and mirrored for display. When rows become columns, 4:2:2 is converted to 4:4:4,
    /// because its chroma would otherwise have half the height.
    ///
    /// - Parameter chromaLocation: where the chroma samples are sited.
    package func turned(
        _ orientation: PictureOrientation, chromaLocation: ColorDescription.ChromaLocation = .left
    ) throws(FrameError) -> PixelBuffer {
        guard orientation != .up else { return self }
        if orientation.swapsSides, format.subsampling == .yuv422 {
            let whole = try PixelFormat(subsampling: .yuv444, bitDepth: format.bitDepth)
            let resampler = try PictureResampler(
                from: format, sourceSize: (width, height), color: ColorDescription(chromaLocation: chromaLocation),
                to: whole, width: width, height: height, targetLocation: chromaLocation)
            return try resampler.resampled(self).turned(orientation)
        }
        let swaps = orientation.swapsSides
        var result = try PixelBuffer(format: format, width: swaps ? height : width, height: swaps ? width : height)
        let isWide = format.bytesPerSample == 2
        withPlanes { source in
            // A new buffer is uniquely owned, so this needs no allocation that could fail.
            try? result.withOverwrittenPlanes { target in
                for index in 0..<target.count {
                    Self.turn(source[index], to: target[index], orientation, isWide)
                }
            }
        }
        return result
    }

    private static func turn(_ from: Plane, to: MutablePlane, _ orientation: PictureOrientation, _ isWide: Bool) {
        let bytes = isWide ? 2 : 1
        // Along a row of the result, the source position changes by a constant step.
        for y in 0..<to.height {
            let first = orientation.stored(x: 0, y: y, width: from.width, height: from.height)
            let second = orientation.stored(x: 1, y: y, width: from.width, height: from.height)
            let step = (second.y - first.y) * from.stride + (second.x - first.x) * bytes
            let start = from.row(first.y) + first.x * bytes, row = to.row(y)
            if isWide {
                let target = row.assumingMemoryBound(to: UInt16.self)
                for x in 0..<to.width { target[x] = (start + x * step).loadUnaligned(as: UInt16.self) }
            } else {
                let target = row.assumingMemoryBound(to: UInt8.self)
                for x in 0..<to.width { target[x] = (start + x * step).load(as: UInt8.self) }
            }
        }
    }
}
