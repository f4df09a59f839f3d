package import FrameCore

/// Converts planar RGB to 4:4:4 YCbCr of the same range, and back.
package struct RGBConverter: Sendable {
    /// The format of the RGB pictures.
    package let rgb: PixelFormat
    /// The format of the YCbCr pictures.
    package let yCbCr: PixelFormat
    private let weights: LumaCoefficients
    /// The number of YCbCr codes per RGB code.
    private let scale: Float
    /// The span of chroma relative to that of luma.
    private let chromaGain: Float
    private let context: ExecutionContext
    /// Rows that are converted as one unit.
    private static let bandRows = 32

    /// Creates a converter for effects that treat luma unlike chroma: full range, the matrix of BT.709, and two more bits where
    /// there is room for them, so that a picture that nothing has changed comes back bit for bit, up to 14 bits.
    ///
    /// - Parameter format: an RGB format without alpha.
    package init(_ format: PixelFormat, context: ExecutionContext) throws(FrameError) {
        try self.init(
            format, bitDepth: min(16, format.bitDepth + 2), weights: .bt709, range: .full, context: context)
    }

    /// - Parameters:
    ///   - format: an RGB format without alpha.
    ///   - bitDepth: bits per sample of the YCbCr pictures, 8 to 16.
    ///   - weights: the weights of luma.
    ///   - range: the range of both; unspecified counts as full.
    ///   - context: the threads to use; the result does not depend on them.
    package init(
        _ format: PixelFormat, bitDepth: Int, weights: LumaCoefficients, range: ColorDescription.Range,
        context: ExecutionContext
    ) throws(FrameError) {
        rgb = format
        yCbCr = try PixelFormat(subsampling: .yuv444, bitDepth: bitDepth)
        self.weights = weights
        self.context = context
        let range = range == .limited ? range : .full
        let from = CodeRange(range, bitDepth: format.bitDepth), to = CodeRange(range, bitDepth: bitDepth)
        scale = Float(to.lumaSpan) / Float(from.lumaSpan)
        chromaGain = Float(to.chromaSpan) / Float(to.lumaSpan)
    }

    /// Returns the YCbCr picture of an RGB picture.
    /// - Throws: `FrameError` if memory cannot be allocated.
    package func toYCbCr(_ picture: PixelBuffer) throws(FrameError) -> PixelBuffer {
        try converted(picture, to: yCbCr)
    }

    /// Returns the RGB picture of a YCbCr picture; colors that RGB does not have are clipped.
    /// - Throws: `FrameError` if memory cannot be allocated.
    package func toRGB(_ picture: PixelBuffer) throws(FrameError) -> PixelBuffer {
        try converted(picture, to: rgb)
    }

    /// Returns the YCbCr picture of an RGB picture; alpha, if there is any, gets its depth.
    /// - Throws: `FrameError` if memory cannot be allocated.
    package func keepingAlpha(toYCbCr picture: PixelBuffer) throws(FrameError) -> PixelBuffer {
        let made = try toYCbCr(picture.withoutAlpha)
        guard let alpha = picture.format.alphaPlane else { return made }
        return try made.with(alpha: picture.plane(alpha).rescaled(to: yCbCr.monochrome))
    }

    /// Returns the RGB picture of a YCbCr picture; alpha, if there is any, gets its depth. Pixels that are still those of `made`
    /// are those of `original`, from which it was made: with 15 and 16 bits, there is no room to convert them exactly.
    /// - Throws: `FrameError` if memory cannot be allocated.
    package func keepingAlpha(
        toRGB picture: PixelBuffer, keeping original: PixelBuffer, whereUnchangedFrom source: PixelBuffer
    ) throws(FrameError) -> PixelBuffer {
        var made = try toRGB(picture.withoutAlpha)
        if yCbCr.bitDepth < rgb.bitDepth + 2 {
            try made.withMutablePlanes { target in
                picture.withPlanes { picture in
                    source.withPlanes { source in
                        original.withPlanes { keep(original: $0, picture, source, into: target) }
                    }
                }
            }
        }
        guard let alpha = picture.format.alphaPlane else { return made }
        return try made.with(alpha: picture.plane(alpha).rescaled(to: rgb.monochrome))
    }

    /// The samples of all have 16-bit words.
    private func keep(original: Planes, _ picture: Planes, _ source: Planes, into target: MutablePlanes) {
        for y in 0..<target[0].height {
            func rows(_ planes: Planes) -> [UnsafePointer<UInt16>] {
                (0..<3).map { planes[$0].row(y).assumingMemoryBound(to: UInt16.self) }
            }
            let (now, before, from) = (rows(picture), rows(source), rows(original))
            let to = (0..<3).map { target[$0].row(y).assumingMemoryBound(to: UInt16.self) }
            for x in 0..<target[0].width
            where now[0][x] == before[0][x] && now[1][x] == before[1][x] && now[2][x] == before[2][x] {
                for plane in 0..<3 { to[plane][x] = from[plane][x] }
            }
        }
    }

    private func converted(_ picture: PixelBuffer, to format: PixelFormat) throws(FrameError) -> PixelBuffer {
        var result = try PixelBuffer(format: format, width: picture.width, height: picture.height)
        try result.withOverwrittenPlanes { target in
            nonisolated(unsafe) let target = target
            picture.withPlanes { source in
                nonisolated(unsafe) let source = source
                parallelBands(picture.height, height: Self.bandRows, threads: context.threads) { rows in
                    if format.isRGB {
                        writeRGB(rgb.sampleType, yCbCr.sampleType, source, rows, into: target)
                    } else {
                        writeYCbCr(rgb.sampleType, yCbCr.sampleType, source, rows, into: target)
                    }
                }
            }
        }
        return result
    }

    @specialized(where Sample == UInt8, Code == UInt8)
    @specialized(where Sample == UInt8, Code == UInt16)
    @specialized(where Sample == UInt16, Code == UInt16)
    private func writeYCbCr<Sample: PixelSample, Code: PixelSample>(
        _: Sample.Type, _: Code.Type, _ source: Planes, _ rows: Range<Int>, into target: MutablePlanes
    ) {
        let weights = weights, scale = scale, most = Float(yCbCr.maximumValue)
        let grey = Float(1 << (yCbCr.bitDepth - 1))
        let (toBlue, toRed) = (chromaGain / weights.blueScale, chromaGain / weights.redScale)
        for y in rows {
            let green = source[0].row(y).assumingMemoryBound(to: Sample.self)
            let blue = source[1].row(y).assumingMemoryBound(to: Sample.self)
            let red = source[2].row(y).assumingMemoryBound(to: Sample.self)
            let luma = target[0].row(y).assumingMemoryBound(to: Code.self)
            let cb = target[1].row(y).assumingMemoryBound(to: Code.self)
            let cr = target[2].row(y).assumingMemoryBound(to: Code.self)
            for x in 0..<source[0].width {
                let r = Float(red[x]) * scale, g = Float(green[x]) * scale, b = Float(blue[x]) * scale
                let value = weights.red * r + weights.green * g + weights.blue * b
                luma[x] = Code(truncatingIfNeeded: rounded(value, most))
                cb[x] = Code(truncatingIfNeeded: rounded((b - value) * toBlue + grey, most))
                cr[x] = Code(truncatingIfNeeded: rounded((r - value) * toRed + grey, most))
            }
        }
    }

    @specialized(where Sample == UInt8, Code == UInt8)
    @specialized(where Sample == UInt8, Code == UInt16)
    @specialized(where Sample == UInt16, Code == UInt16)
    private func writeRGB<Sample: PixelSample, Code: PixelSample>(
        _: Sample.Type, _: Code.Type, _ source: Planes, _ rows: Range<Int>, into target: MutablePlanes
    ) {
        let weights = weights, scale = 1 / scale, most = Float(rgb.maximumValue)
        let grey = Float(1 << (yCbCr.bitDepth - 1))
        let (fromBlue, fromRed) = (weights.blueScale / chromaGain, weights.redScale / chromaGain)
        let (ofRed, ofBlue) = (weights.red / weights.green, weights.blue / weights.green)
        for y in rows {
            let luma = source[0].row(y).assumingMemoryBound(to: Code.self)
            let cb = source[1].row(y).assumingMemoryBound(to: Code.self)
            let cr = source[2].row(y).assumingMemoryBound(to: Code.self)
            let green = target[0].row(y).assumingMemoryBound(to: Sample.self)
            let blue = target[1].row(y).assumingMemoryBound(to: Sample.self)
            let red = target[2].row(y).assumingMemoryBound(to: Sample.self)
            for x in 0..<source[0].width {
                let value = Float(luma[x])
                let b = (Float(cb[x]) - grey) * fromBlue, r = (Float(cr[x]) - grey) * fromRed
                red[x] = Sample(truncatingIfNeeded: rounded((value + r) * scale, most))
                blue[x] = Sample(truncatingIfNeeded: rounded((value + b) * scale, most))
                green[x] = Sample(truncatingIfNeeded: rounded((value - ofRed * r - ofBlue * b) * scale, most))
            }
        }
    }
}

/// Clamps a value to 0…`most` and rounds it. Unlike a conversion, the compiler can do this to several values at once.
@inline(__always)
package func rounded(_ value: Float, _ most: Float) -> UInt32 {
    let unit: Float = 8_388_608
    return (min(max(value, 0), most) + unit).bitPattern &- unit.bitPattern
}
