import FrameCore
import Imaging
import TestSupport
import Testing

@Suite struct PremultipliedAlphaTests {
    /// A picture with every alpha, or a thousand of them, in its rows, and colors from end to end in its columns.
    private func everyAlpha(_ format: PixelFormat) throws -> PixelBuffer {
        let most = format.maximumValue, rows = min(most + 1, 1024), columns = 64
        return try GeneratedPicture.drawCodes(format, width: columns, height: rows) { plane, x, y in
            plane == format.alphaPlane ? y * most / (rows - 1) : x * most / (columns - 1)
        }
    }

    /// Colors come back as exactly as their products with alpha were rounded.
    @Test(arguments: [8, 10, 12, 16]) func colorsComeBack(depth: Int) throws {
        for format in [
            try PixelFormat(rgbDepth: depth, hasAlpha: true),
            try PixelFormat(subsampling: .yuv444, bitDepth: depth, hasAlpha: true),
        ] {
            let picture = try everyAlpha(format), most = Double(format.maximumValue),
                alpha = picture.samples(ofPlane: 3)
            let multiplied = try picture.premultiplied(context: .serial)
            let result = try multiplied.straightened(context: .init(threads: 2))
            #expect(multiplied.samples(ofPlane: 3) == alpha && result.samples(ofPlane: 3) == alpha)
            for plane in 0..<3 {
                let before = picture.samples(ofPlane: plane), after = result.samples(ofPlane: plane)
                let hidden = format.isRGB ? 0 : plane == 0 ? 16 << (depth - 8) : 128 << (depth - 8)
                let wrong = before.indices.filter { index in
                    let share = Double(alpha[index]) / most
                    guard share > 0 else { return Int(after[index]) != hidden }
                    let error = abs(Double(before[index]) - Double(after[index]))
                    return error > (share == 1 ? 0 : 0.5 / share + 0.51)
                }
                #expect(wrong.isEmpty, "\(format) plane \(plane): \(wrong.count) samples")
            }
            let again = try result.premultiplied(context: .serial)
            for plane in 0..<3 { #expect(PictureDifference(again, multiplied, plane: plane).largest <= 1) }
        }
    }

    @Test func whatIsUnchangedIsNotRounded() throws {
        for format in try AlphaPicture.formats() where format.hasAlpha {
            for (width, height) in [(64, 48), (33, 17), (1, 1)] {
                let picture = try AlphaPicture.texture(format, width: width, height: height)
                let multiplied = try picture.premultiplied(context: .serial)
                let result = try multiplied.straightened(
                    keeping: picture, whereUnchangedFrom: multiplied, context: .init(threads: 2))
                #expect(result.hasSameSamples(as: picture), "\(format) \(width)x\(height)")
            }
        }
    }

    @Test func aChangedSampleIsStraightened() throws {
        let format = try PixelFormat(rgbDepth: 8, hasAlpha: true)
        func picture(_ green: Int, _ alpha: Int) throws -> PixelBuffer {
            try GeneratedPicture.drawCodes(format, width: 2, height: 1) { plane, x, _ in
                plane == 3 ? alpha : plane == 0 && x == 1 ? green : 77
            }
        }
        let original = try picture(77, 64), before = try original.premultiplied(context: .serial)
        var changed = before
        try changed.withMutablePlanes { $0[0].row(0).storeBytes(of: 128, toByteOffset: 1, as: UInt8.self) }
        let result = try changed.straightened(keeping: original, whereUnchangedFrom: before, context: .serial)
        #expect(result.samples(ofPlane: 0) == [77, 128])
    }

    /// A sample of coarser chroma has the mean alpha of the pixels that it covers.
    @Test func chromaIsMultipliedByTheMeanOfAlpha() throws {
        let format = try PixelFormat(subsampling: .yuv420, bitDepth: 8, hasAlpha: true)
        let picture = try GeneratedPicture.drawCodes(format, width: 3, height: 3) { plane, x, y in
            plane == 3 ? (x == 0 && y == 0 || x == 2 ? 255 : 0) : 228
        }
        let chroma = try picture.premultiplied(context: .serial).samples(ofPlane: 1)
        // A quarter of the first four pixels, and all of what the last column repeats.
        #expect(chroma == [153, 228, 128, 228])
    }

    @Test func opacity() throws {
        for format in try AlphaPicture.formats() {
            let picture = try GeneratedPicture.flat(100, format.withoutAlpha, width: 19, height: 5)
            #expect(picture.isOpaque)
            let opaque = try picture.with(alpha: nil)
            #expect(opaque.isOpaque && opaque.format == format.withAlpha)
            #expect(try opaque.premultiplied(context: .serial).hasSameSamples(as: opaque))
            #expect(try opaque.straightened(context: .serial).hasSameSamples(as: opaque))
            #expect(opaque.withoutAlpha.hasSameSamples(as: picture))
            let alpha = try GeneratedPicture.drawCodes(format.monochrome, width: 19, height: 5) { _, x, y in
                x == 18 && y == 4 ? format.maximumValue - 1 : format.maximumValue
            }
            let almost = try picture.with(alpha: alpha)
            #expect(!almost.isOpaque)
            #expect(almost.plane(format.colorPlaneCount).hasSameSamples(as: alpha))
        }
    }

    @Test func whatIsTransparentShowsMiddleGrey() throws {
        for format in try AlphaPicture.formats() where format.hasAlpha {
            let picture = try GeneratedPicture.drawCodes(format, width: 9, height: 6) { plane, x, _ in
                plane == format.alphaPlane ? 0 : x & 1 * format.maximumValue
            }
            let shown = try picture.overGrey(context: .serial)
            #expect(shown.format == format.withoutAlpha)
            for plane in 0..<shown.format.planeCount {
                #expect(shown.samples(ofPlane: plane).allSatisfy { $0 == 1 << (format.bitDepth - 1) })
            }
        }
    }
}
