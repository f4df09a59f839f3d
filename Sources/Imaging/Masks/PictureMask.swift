package import FrameCore

/// For each pixel of a picture, which share of it is kept, in 65535ths: the luma of an image from black, 0, to white.
package struct PictureMask: Sendable, Hashable {
    /// The width in pixels.
    package let width: Int
    /// The height in pixels.
    package let height: Int
    /// The shares, row by row.
    package private(set) var shares: [UInt16]

    /// The share of a pixel that is kept as it is.
    package static let whole = UInt16.max

    /// Creates a mask that keeps nothing.
    package init(width: Int, height: Int) {
        (self.width, self.height) = (max(0, width), max(0, height))
        shares = [UInt16](repeating: 0, count: self.width * self.height)
    }

    /// Reads a mask from an image. Alpha is ignored.
    ///
    /// - Parameters:
    ///   - picture: the image.
    ///   - color: says which codes are black and white; an unspecified range counts as full in RGB, and as limited
    ///     elsewhere.
    package init(_ picture: PixelBuffer, color: ColorDescription) {
        self.init(width: picture.width, height: picture.height)
        let format = picture.format
        let range: ColorDescription.Range = format.isRGB && color.range == .unspecified ? .full : color.range
        let codes = CodeRange(range, bitDepth: format.bitDepth)
        picture.withPlanes { planes in
            if format.isRGB {
                readRGB(format.sampleType, planes, codes)
            } else {
                readLuma(format.sampleType, planes[0], codes)
            }
        }
    }

    /// Keeps all of a rectangle; what lies outside the picture is left out.
    package mutating func keep(columns: Range<Int>, rows: Range<Int>) {
        let columns = columns.clamped(to: 0..<width)
        for y in rows.clamped(to: 0..<height) {
            for x in columns { shares[y * width + x] = Self.whole }
        }
    }

    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    private mutating func readLuma<Sample: PixelSample>(_: Sample.Type, _ plane: Plane, _ codes: CodeRange) {
        for y in 0..<height {
            let row = plane.row(y).assumingMemoryBound(to: Sample.self)
            for x in 0..<width { shares[y * width + x] = Self.share(Int(row[x]) - codes.black, of: codes.lumaSpan) }
        }
    }

    /// The weights of BT.709 in 65536ths, so that white is white exactly.
    private static let (red, green, blue) = (13933, 46871, 4732)

    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    private mutating func readRGB<Sample: PixelSample>(_: Sample.Type, _ planes: Planes, _ codes: CodeRange) {
        for y in 0..<height {
            let green = planes[0].row(y).assumingMemoryBound(to: Sample.self)
            let blue = planes[1].row(y).assumingMemoryBound(to: Sample.self)
            let red = planes[2].row(y).assumingMemoryBound(to: Sample.self)
            for x in 0..<width {
                let luma = Self.red * Int(red[x]) + Self.green * Int(green[x]) + Self.blue * Int(blue[x])
                shares[y * width + x] = Self.share(luma - codes.black << 16, of: codes.lumaSpan << 16)
            }
        }
    }

    private static func share(_ value: Int, of span: Int) -> UInt16 {
        UInt16(truncatingIfNeeded: (max(0, min(value, span)) * Int(whole) + span / 2) / span)
    }
}
