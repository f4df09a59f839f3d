package import FrameCore

extension PixelBuffer {
    /// The YCbCr picture in which motion, scene cuts and black bars are looked for: the picture itself if it has neither
    /// alpha nor RGB.
    ///
    /// What is transparent is grey. RGB becomes full-range 4:4:4 of 8 bits with the matrix of BT.709; no frame that is shown
    /// is made from it.
    ///
    /// - Throws: `FrameError` if memory cannot be allocated.
    package func analysisPicture(context: ExecutionContext) throws(FrameError) -> PixelBuffer {
        if format.isPlain { return self }
        let colors = try isOpaque ? withoutAlpha : premultiplied(context: context).withoutAlpha
        return try colors.format.isRGB ? colors.analysisColors(context) : colors
    }

    private func analysisColors(_ context: ExecutionContext) throws(FrameError) -> PixelBuffer {
        let format = format, shift = format.bitDepth - 8
        var result = try PixelBuffer(
            format: PixelFormat(subsampling: .yuv444, bitDepth: 8), width: width, height: height)
        try result.withOverwrittenPlanes { target in
            nonisolated(unsafe) let target = target
            withPlanes { source in
                nonisolated(unsafe) let source = source
                parallelBands(source[0].height, height: 32, threads: context.threads) { rows in
                    convert(format.sampleType, source, rows, shift: Int32(shift), into: target)
                }
            }
        }
        return result
    }
}

@specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
private func convert<Sample: PixelSample>(
    _: Sample.Type, _ source: Planes, _ rows: Range<Int>, shift: Int32, into target: MutablePlanes
) {
    for y in rows {
        let green = source[0].row(y).assumingMemoryBound(to: Sample.self)
        let blue = source[1].row(y).assumingMemoryBound(to: Sample.self)
        let red = source[2].row(y).assumingMemoryBound(to: Sample.self)
        let luma = target[0].row(y).assumingMemoryBound(to: UInt8.self)
        let cb = target[1].row(y).assumingMemoryBound(to: UInt8.self)
        let cr = target[2].row(y).assumingMemoryBound(to: UInt8.self)
        for x in 0..<source[0].width {
            let r = Int32(truncatingIfNeeded: red[x]) &>> shift, g = Int32(truncatingIfNeeded: green[x]) &>> shift
            let b = Int32(truncatingIfNeeded: blue[x]) &>> shift
            luma[x] = UInt8(truncatingIfNeeded: (54 &* r &+ 183 &* g &+ 19 &* b &+ 128) &>> 8)
            let u = 128 &+ ((127 &* b &- 29 &* r &- 98 &* g &+ 128) &>> 8)
            let v = 128 &+ ((127 &* r &- 115 &* g &- 12 &* b &+ 128) &>> 8)
            cb[x] = UInt8(truncatingIfNeeded: u)
            cr[x] = UInt8(truncatingIfNeeded: v)
        }
    }
}
