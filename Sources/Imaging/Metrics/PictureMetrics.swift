public import FrameCore
internal import Glibc

/// Objective similarity of two images: PSNR and SSIM.
public struct PictureMetrics: Sendable, Hashable {
    /// The mean squared error of each plane, in squared code values. Colors are compared as they show: what is transparent
    /// in both images differs in nothing.
    public let meanSquaredErrors: [Double]
    /// The mean structural similarity (SSIM) of luma, or green in RGB; 1 for identical images.
    public let ssim: Double
    /// The largest code value of the format.
    public let peak: Int

    /// The peak signal-to-noise ratio of each plane in dB; infinite for identical planes.
    public var psnr: [Double] { meanSquaredErrors.map { Self.psnr($0, peak: peak) } }

    /// Returns the peak signal-to-noise ratio in dB for a mean squared error.
    package static func psnr(_ error: Double, peak: Int) -> Double {
        error > 0 ? 10 * log10(Double(peak * peak) / error) : .infinity
    }

    /// Compares two images.
    ///
    /// Structural similarity (Wang, Bovik, Sheikh and Simoncelli, "Image quality assessment: from error visibility to
    /// structural similarity", 2004) is measured in windows of 8×8 samples, 4 samples apart, with uniform weights, as
    /// video encoders do.
    /// - Parameters:
    ///   - first: an image, at least 8 pixels wide and high.
    ///   - second: an image of the same format and size.
    /// - Throws: `FrameError` if formats or sizes differ, a side is shorter than 8 pixels, or memory cannot be allocated.
    public init(of first: PixelBuffer, and second: PixelBuffer) throws(FrameError) {
        guard first.format == second.format, first.width == second.width, first.height == second.height else {
            throw FrameError(
                .invalidArgument,
                "a \(first.width)x\(first.height) \(first.format) and a \(second.width)x\(second.height) \(second.format) image cannot be compared; size and format must be the same"
            )
        }
        guard min(first.width, first.height) >= 8 else {
            throw FrameError(
                .unsupportedSize,
                "a \(first.width)x\(first.height) image is too small to be compared; each side must be at least 8 pixels"
            )
        }
        let isOpaque = first.isOpaque && second.isOpaque
        let first = try isOpaque ? first : first.premultiplied(context: .serial)
        let second = try isOpaque ? second : second.premultiplied(context: .serial)
        peak = first.format.maximumValue
        let type = first.format.sampleType, peak = Double(peak)
        (meanSquaredErrors, ssim) = first.withPlanes { a in
            second.withPlanes { b in
                (
                    (0..<a.count).map { Self.meanSquaredError(a[$0], b[$0], of: type) },
                    Self.similarity(a[0], b[0], of: type, peak)
                )
            }
        }
    }

    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    private static func meanSquaredError<Sample: PixelSample>(
        _ a: Plane, _ b: Plane, of type: Sample.Type
    ) -> Double {
        var sum: UInt64 = 0
        for y in 0..<a.height {
            let (p, q) = (a.row(y).assumingMemoryBound(to: Sample.self), b.row(y).assumingMemoryBound(to: Sample.self))
            for x in 0..<a.width {
                let difference = Int32(truncatingIfNeeded: p[x]) &- Int32(truncatingIfNeeded: q[x])
                // The square of a 16-bit difference needs all 32 bits, including the sign bit.
                sum &+= UInt64(UInt32(bitPattern: difference &* difference))
            }
        }
        return Double(sum) / Double(a.width * a.height)
    }

    /// Sums over corresponding blocks of both images.
    private struct BlockSums {
        var a: Int64 = 0
        var b: Int64 = 0
        var squares: Int64 = 0
        var products: Int64 = 0

        static func + (x: BlockSums, y: BlockSums) -> BlockSums {
            BlockSums(
                a: x.a &+ y.a, b: x.b &+ y.b, squares: x.squares &+ y.squares, products: x.products &+ y.products)
        }
    }

    /// Each 4×4 block is shared by four windows, so its sums are computed only once.
    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    private static func similarity<Sample: PixelSample>(
        _ a: Plane, _ b: Plane, of type: Sample.Type, _ peak: Double
    ) -> Double {
        let (rows, columns) = (a.height / 4, a.width / 4)
        let (c1, c2) = (0.01 * 0.01 * peak * peak, 0.03 * 0.03 * peak * peak)
        var above = [BlockSums](), total = 0.0
        for row in 0..<rows {
            let blocks = blockSums(a, b, of: type, row: row, columns: columns)
            defer { above = blocks }
            guard row > 0 else { continue }
            for column in 1..<columns {
                let sum = above[column - 1] + above[column] + blocks[column - 1] + blocks[column]
                total += similarity(sum, c1, c2)
            }
        }
        return total / Double((rows - 1) * (columns - 1))
    }

    private static func similarity(_ sum: BlockSums, _ c1: Double, _ c2: Double) -> Double {
        let count = 64.0
        let (a, b) = (Double(sum.a) / count, Double(sum.b) / count)
        // The unbiased estimate, as in the paper.
        let variances = (Double(sum.squares) - count * (a * a + b * b)) / (count - 1)
        let covariance = (Double(sum.products) - count * a * b) / (count - 1)
        return (2 * a * b + c1) * (2 * covariance + c2) / ((a * a + b * b + c1) * (variances + c2))
    }

    private static func blockSums<Sample: PixelSample>(
        _ a: Plane, _ b: Plane, of type: Sample.Type, row: Int, columns: Int
    ) -> [BlockSums] {
        var blocks = [BlockSums](repeating: BlockSums(), count: columns)
        for y in 4 * row..<4 * row + 4 {
            let (p, q) = (a.row(y).assumingMemoryBound(to: Sample.self), b.row(y).assumingMemoryBound(to: Sample.self))
            for column in 0..<columns {
                var sum = BlockSums()
                for x in 4 * column..<4 * column + 4 {
                    let (u, v) = (Int64(truncatingIfNeeded: p[x]), Int64(truncatingIfNeeded: q[x]))
                    sum.a &+= u
                    sum.b &+= v
                    sum.squares &+= u &* u &+ v &* v
                    sum.products &+= u &* v
                }
                blocks[column] = blocks[column] + sum
            }
        }
        return blocks
    }
}
