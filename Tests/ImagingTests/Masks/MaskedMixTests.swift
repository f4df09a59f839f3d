import FrameCore
import Imaging
import TestSupport
import Testing

@Suite struct MaskedMixTests {
    /// 8, 10 and 16 bits, every subsampling, alpha and RGB.
    private static var formats: [PixelFormat] {
        get throws {
            var formats: [PixelFormat] = []
            for depth in [8, 10, 16] {
                formats += try ChromaSubsampling.allCases.map { try PixelFormat(subsampling: $0, bitDepth: depth) }
                formats += [
                    try PixelFormat(subsampling: .yuv420, bitDepth: depth, hasAlpha: true),
                    try PixelFormat(subsampling: .monochrome, bitDepth: depth, hasAlpha: true),
                    try PixelFormat(rgbDepth: depth), try PixelFormat(rgbDepth: depth, hasAlpha: true),
                ]
            }
            return formats
        }
    }

    private func pair(_ format: PixelFormat, width: Int = 21, height: Int = 13) throws -> (PixelBuffer, PixelBuffer) {
        (
            try GeneratedPicture.texture(format, width: width, height: height, seed: 1),
            try GeneratedPicture.texture(format, width: width, height: height, seed: 2)
        )
    }

    @Test func whiteKeepsEverySampleAndBlackNone() throws {
        for format in try Self.formats {
            let (source, made) = try pair(format)
            var mask = PictureMask(width: 21, height: 13)
            let black = try MaskedMix(mask, format: format).keeping(source, in: made, context: .serial)
            #expect(black.hasSameSamples(as: made), "\(format)")
            mask.keep(columns: 0..<21, rows: 0..<13)
            let white = try MaskedMix(mask, format: format).keeping(source, in: made, context: .init(threads: 3))
            #expect(white.hasSameSamples(as: source), "\(format)")
        }
    }

    /// Samples of luma are mixed by the mask, those of chroma by the mean of the pixels that they cover, also at odd edges.
    @Test(arguments: [8, 10, 16]) func aMixIsRounded(depth: Int) throws {
        let format = try PixelFormat(subsampling: .yuv420, bitDepth: depth), (width, height) = (5, 3)
        let (source, made) = try pair(format, width: width, height: height)
        let gray = try GeneratedPicture.drawCodes(
            try PixelFormat(subsampling: .monochrome, bitDepth: 8), width: width, height: height
        ) { _, x, y in
            (x * 61 + y * 97) % 256
        }
        let mask = PictureMask(gray, color: ColorDescription(range: .full))
        #expect(mask.shares == gray.samples(ofPlane: 0).map { $0 * 257 })
        let mixed = try MaskedMix(mask, format: format).keeping(source, in: made, context: .serial)
        for plane in 0..<3 {
            let (a, b, c) = (
                source.samples(ofPlane: plane), made.samples(ofPlane: plane), mixed.samples(ofPlane: plane)
            )
            let across = plane == 0 ? 1 : 2, columns = (width + across - 1) / across
            for place in c.indices {
                let (x, y) = (place % columns * across, place / columns * across)
                var shares: [Int] = []
                for row in y..<min(y + across, height) {
                    for column in x..<min(x + across, width) { shares.append(Int(mask.shares[row * width + column])) }
                }
                let share = (shares.reduce(0, +) + shares.count / 2) / shares.count
                let wanted = (Int(b[place]) * (65535 - share) + Int(a[place]) * share + 32767) / 65535
                #expect(Int(c[place]) == wanted, "plane \(plane) at \(x),\(y)")
            }
        }
    }

    @Test func theRangeOfAMaskCounts() throws {
        let codes = [0, 16, 126, 235, 255]
        for depth in [8, 10] {
            let format = try PixelFormat(subsampling: .yuv420, bitDepth: depth)
            let picture = try GeneratedPicture.drawCodes(format, width: 5, height: 1) { plane, x, _ in
                plane == 0 ? codes[x] << (depth - 8) : 1 << (depth - 1)
            }
            let limited = PictureMask(picture, color: ColorDescription(range: .limited)).shares
            #expect(limited[0] == 0 && limited[1] == 0 && limited[3] == 65535 && limited[4] == 65535)
            #expect(Int(limited[2]) == (110 * 65535 + 109) / 219)
            #expect(PictureMask(picture, color: .unspecified).shares == limited)
        }
        let rgb = try GeneratedPicture.drawCodes(try PixelFormat(rgbDepth: 8, hasAlpha: true), width: 5, height: 1) {
            plane, x, _ in plane == 3 ? 0 : codes[x]
        }
        let shares = PictureMask(rgb, color: .unspecified).shares
        #expect(shares == codes.map { UInt16($0 * 257) })
        // Green is most of what is bright.
        let green = try GeneratedPicture.drawCodes(try PixelFormat(rgbDepth: 8), width: 1, height: 1) { plane, _, _ in
            plane == 0 ? 255 : 0
        }
        #expect(PictureMask(green, color: .unspecified).shares == [46870])
    }

    @Test func otherPicturesAreRefused() throws {
        let (source, _) = try pair(.yuv420p8), mask = PictureMask(width: 20, height: 13)
        #expect(throws: FrameError.self) {
            try MaskedMix(mask, format: .yuv420p8).keeping(source, in: source, context: .serial)
        }
    }
}
