package import FrameCore

/// Puts the pixels that a mask keeps into pictures of one format.
package struct MaskedMix: Sendable {
    private let format: PixelFormat
    /// The shares of the planes in the size of the picture, and those of smaller chroma planes; nil if there are none.
    private let full: PlaneShares
    private let chroma: PlaneShares?

    /// Whether nothing is kept.
    package var isEmpty: Bool { full.isEmpty }

    /// - Parameters:
    ///   - mask: what is kept; a chroma sample has the mean of the pixels that it covers.
    ///   - format: the format of the pictures, which have the size of the mask.
    package init(_ mask: PictureMask, format: PixelFormat) {
        self.format = format
        full = PlaneShares(mask, shift: (0, 0))
        let shift = format.shift(1)
        chroma = shift == (0, 0) ? nil : PlaneShares(mask, shift: shift)
    }

    /// Returns a picture with the kept share of each sample of `original`: a linear mix of code values, rounded. Where
    /// the mask keeps everything, samples are those of `original`; where it keeps nothing, they are left as they are.
    ///
    /// - Throws: `FrameError` if a picture has another format or size than the mask, or if no memory is left.
    package func keeping(
        _ original: PixelBuffer, in picture: PixelBuffer, context: ExecutionContext
    ) throws(FrameError) -> PixelBuffer {
        for buffer in [original, picture] {
            guard buffer.format == format, buffer.width == full.width, buffer.height == full.height else {
                throw FrameError(
                    .invalidArgument,
                    "a mask for \(full.width)x\(full.height) \(format) frames does not fit a \(buffer.width)x\(buffer.height) \(buffer.format) one"
                )
            }
        }
        guard !isEmpty else { return picture }
        var result = picture
        try result.withMutablePlanes { target in
            nonisolated(unsafe) let target = target
            original.withPlanes { source in
                nonisolated(unsafe) let source = source
                for plane in 0..<target.count {
                    let shares = format.shift(plane) == (0, 0) ? full : chroma ?? full
                    parallelBands(target[plane].height, height: 64, threads: context.threads) { rows in
                        shares.mix(format.sampleType, source[plane], into: target[plane], rows)
                    }
                }
            }
        }
        return result
    }
}

/// The shares of the samples of a plane.
private struct PlaneShares: Sendable {
    let width: Int
    private let shares: [UInt16]
    /// The columns of each row outside which nothing is kept: most of a mask is black.
    private let columns: [Range<Int>]

    var height: Int { columns.count }
    var isEmpty: Bool { columns.allSatisfy(\.isEmpty) }

    /// - Parameters:
    ///   - mask: the shares of the pixels.
    ///   - shift: binary logarithms of the numbers of pixels per sample; samples at the edge of an odd size cover
    ///     fewer.
    init(_ mask: PictureMask, shift: (x: Int, y: Int)) {
        let (across, down) = (1 << shift.x, 1 << shift.y)
        let width = (mask.width + across - 1) >> shift.x, height = (mask.height + down - 1) >> shift.y
        self.width = width
        if across == 1, down == 1 {
            shares = mask.shares
        } else {
            shares = (0..<width * height).map { place in
                let (x, y) = (place % width * across, place / width * down)
                var sum = 0, count = 0
                for row in y..<min(y + down, mask.height) {
                    for column in x..<min(x + across, mask.width) {
                        sum += Int(mask.shares[row * mask.width + column])
                        count += 1
                    }
                }
                return UInt16(truncatingIfNeeded: (sum + count / 2) / max(1, count))
            }
        }
        columns = (0..<height).map { [shares] y in
            let row = shares[y * width..<(y + 1) * width]
            guard let first = row.firstIndex(where: { $0 > 0 }), let last = row.lastIndex(where: { $0 > 0 }) else {
                return 0..<0
            }
            return first - row.startIndex..<last + 1 - row.startIndex
        }
    }

    /// Mixes the kept share of samples into a plane. The product of a 16-bit sample and 65535, and half of that, fit 32
    /// bits.
    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    func mix<Sample: PixelSample>(_: Sample.Type, _ source: Plane, into target: MutablePlane, _ rows: Range<Int>) {
        let whole = UInt32(PictureMask.whole)
        shares.withUnsafeBufferPointer { shares in
            for y in rows {
                let from = source.row(y).assumingMemoryBound(to: Sample.self)
                let to = target.row(y).assumingMemoryBound(to: Sample.self)
                for x in columns[y] {
                    let share = UInt32(shares[y &* width &+ x])
                    let sum =
                        UInt32(truncatingIfNeeded: to[x]) &* (whole &- share)
                        &+ UInt32(truncatingIfNeeded: from[x]) &* share
                    to[x] = Sample(truncatingIfNeeded: (sum &+ whole / 2) / whole)
                }
            }
        }
    }
}
