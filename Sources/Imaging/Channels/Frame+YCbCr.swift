package import FrameCore

extension Frame {
    /// Returns the frame in YCbCr at the same depth; the frame itself if it holds no RGB. Alpha stays.
    ///
    /// - Throws: `FrameError` if memory cannot be allocated.
    package func inYCbCr(context: ExecutionContext) throws(FrameError) -> Frame {
        guard buffer.format.isRGB else { return self }
        var made = self
        made.buffer = try buffer.inYCbCr(color, context: context)
        made.color = color.ofYCbCrFromRGB
        return made
    }

    /// Returns the frame in YCbCr and without alpha, for what has no use for either: what is transparent shows middle grey.
    ///
    /// - Throws: `FrameError` if memory cannot be allocated.
    package func overGrey(context: ExecutionContext) throws(FrameError) -> Frame {
        if buffer.format.isPlain { return self }
        var made = self
        made.buffer = try buffer.overGrey(context: context)
        return try made.inYCbCr(context: context)
    }
}

extension PixelBuffer {
    /// Returns the picture over middle grey and without alpha.
    ///
    /// - Throws: `FrameError` if memory cannot be allocated.
    package func overGrey(context: ExecutionContext) throws(FrameError) -> PixelBuffer {
        // Premultiplied colors are distances from middle grey.
        try isOpaque ? withoutAlpha : premultiplied(context: context).withoutAlpha
    }

    /// Returns an RGB picture as 4:4:4 YCbCr of the same depth, with the color description ``ColorDescription/ofYCbCrFromRGB``.
    fileprivate func inYCbCr(
        _ color: ColorDescription, context: ExecutionContext
    ) throws(FrameError) -> PixelBuffer {
        let color = color.ofYCbCrFromRGB
        let made = try RGBConverter(
            format.withoutAlpha, bitDepth: format.bitDepth, weights: LumaCoefficients(color.matrix),
            range: color.range, context: context
        ).toYCbCr(withoutAlpha)
        return try format.alphaPlane.map { alpha throws(FrameError) in try made.with(alpha: plane(alpha)) } ?? made
    }
}

extension ColorDescription {
    /// The description of YCbCr made from RGB with this one: the matrix is that of BT.709 unless another is named, and RGB
    /// has full range unless it is said to be limited.
    package var ofYCbCrFromRGB: ColorDescription {
        var color = self
        if matrix == .identity || matrix == .unspecified { color.matrix = .bt709 }
        if range == .unspecified { color.range = .full }
        // Unspecified transfer and primaries would be guessed from the matrix.
        if transfer == .unspecified { color.transfer = .sRGB }
        if primaries == .unspecified { color.primaries = .bt709 }
        return color
    }
}
