import Foundation
import FrameCore
import Imaging
import TestSupport
import Testing

@Suite struct PictureMetricsTests {
    @Test(arguments: [8, 10, 16])
    func equalPicturesAreEqual(depth: Int) throws {
        let format = try PixelFormat(subsampling: .yuv422, bitDepth: depth)
        let picture = try GeneratedPicture.draw(format, width: 35, height: 23) { plane, x, y in
            (plane * 50 + x * 3 + y) % 200
        }
        let metrics = try PictureMetrics(of: picture, and: picture)
        #expect(metrics.psnr == [.infinity, .infinity, .infinity])
        #expect(abs(metrics.ssim - 1) < 1e-12)
    }

    /// An error of one 8-bit step in every sample of one plane.
    @Test(arguments: [8, 12, 16], [0, 1, 2])
    func aKnownDifferenceHasItsPSNR(depth: Int, plane: Int) throws {
        let format = try PixelFormat(subsampling: .yuv420, bitDepth: depth)
        let a = try GeneratedPicture.draw(format, width: 35, height: 23) { _, x, y in x + y }
        let b = try GeneratedPicture.draw(format, width: 35, height: 23) { at, x, y in x + y + (at == plane ? 1 : 0) }
        let psnr = try PictureMetrics(of: a, and: b).psnr
        for index in 0..<3 {
            let expected = index == plane ? 20 * log10(Double((1 << depth) - 1) / Double(1 << (depth - 8))) : .infinity
            #expect(psnr[index] == expected || abs(psnr[index] - expected) < 1e-9)
        }
    }

    /// The square of the largest difference does not fit into a signed 32-bit integer.
    @Test func theLargestDifferenceIsCounted() throws {
        let format = try PixelFormat(subsampling: .monochrome, bitDepth: 16)
        let a = try GeneratedPicture.draw(format, width: 16, height: 16) { _, _, _ in 0 }
        let b = try GeneratedPicture.draw(format, width: 16, height: 16) { _, _, _ in 255 }
        let metrics = try PictureMetrics(of: a, and: b)
        #expect(abs(metrics.psnr[0] - 20 * log10(65535.0 / 65280)) < 1e-9)
        #expect(metrics.ssim < 0.01)
    }

    @Test func whatCannotBeComparedIsRefused() throws {
        let a = try GeneratedPicture.flat(9, width: 16, height: 16),
            b = try GeneratedPicture.flat(9, width: 18, height: 16)
        #expect(throws: FrameError.self) { try PictureMetrics(of: a, and: b) }
        let small = try GeneratedPicture.flat(9, width: 7, height: 16)
        #expect(throws: FrameError.self) { try PictureMetrics(of: small, and: small) }
    }
}
