import FrameCore
import Imaging
import TestSupport
import Testing

/// What operations on single pictures do with alpha and RGB.
@Suite struct AlphaOperationsTests {
    private func resampler(
        _ source: PixelFormat, _ size: (Int, Int), to target: PixelFormat, _ width: Int, _ height: Int
    ) throws -> PictureResampler {
        try PictureResampler(
            from: source, sourceSize: size, color: .unspecified, to: target, width: width, height: height,
            targetLocation: .left)
    }

    @Test func resamplingOpaquePicturesIgnoresAlpha() throws {
        for format in try AlphaPicture.formats() {
            let picture = try AlphaPicture.texture(format.withoutAlpha, width: 40, height: 27)
            for (width, height) in [(80, 61), (23, 15), (40, 27)] {
                let plain = try resampler(picture.format, (40, 27), to: picture.format, width, height)
                let alpha = try resampler(format.withAlpha, (40, 27), to: format.withAlpha, width, height)
                let wanted = try plain.resampled(picture, context: .serial)
                let made = try alpha.resampled(try picture.with(alpha: nil), context: .serial)
                #expect(made.isOpaque && made.withoutAlpha.hasSameSamples(as: wanted), "\(format)")
                let added = try resampler(picture.format, (40, 27), to: format.withAlpha, width, height)
                #expect(try added.resampled(picture, context: .serial).hasSameSamples(as: made))
            }
        }
    }

    /// A flat color that is visible in places keeps its value, whatever is hidden beside it.
    @Test func hiddenColorsStayHidden() throws {
        for format in try AlphaPicture.formats(depth: 8) where format.hasAlpha {
            let picture = try GeneratedPicture.drawCodes(format, width: 48, height: 36) { plane, x, y in
                let isShown = format.shift(plane).x == 0 ? x / 8 % 2 == 0 : x / 4 % 2 == 0
                return plane == format.alphaPlane ? (isShown ? 255 : 0) : isShown ? 90 : 255
            }
            for (width, height) in [(96, 72), (31, 25)] {
                for target in [format, format.withoutAlpha] {
                    let made = try resampler(format, (48, 36), to: target, width, height)
                        .resampled(picture, context: .serial)
                    #expect(made.format == target)
                    let shown = try resampler(format, (48, 36), to: format, width, height)
                        .resampled(picture, context: .serial).samples(ofPlane: format.colorPlaneCount)
                    for plane in 0..<format.colorPlaneCount where format.shift(plane).x == 0 {
                        let wrong = zip(made.samples(ofPlane: plane), shown).filter { code, alpha in
                            alpha > 64 && abs(Int(code) - 90) > 3
                        }
                        #expect(wrong.isEmpty, "\(format) to \(target), plane \(plane): \(wrong.prefix(3))")
                    }
                }
            }
        }
    }

    @Test func onlyWhatIsResampledIsRounded() throws {
        let source = try PixelFormat(subsampling: .yuv422, bitDepth: 8, hasAlpha: true)
        let target = try PixelFormat(subsampling: .yuv444, bitDepth: 8, hasAlpha: true)
        let picture = try AlphaPicture.texture(source, width: 33, height: 17)
        let made = try resampler(source, (33, 17), to: target, 33, 17).resampled(picture, context: .serial)
        #expect(made.samples(ofPlane: 0) == picture.samples(ofPlane: 0))
        #expect(made.samples(ofPlane: 3) == picture.samples(ofPlane: 3))
        let same = try resampler(source, (33, 17), to: source, 33, 17).resampled(picture, context: .serial)
        #expect(same.hasSameSamples(as: picture))
    }

    @Test func alphaHasFullRangeAtEveryDepth() throws {
        let source = try PixelFormat(subsampling: .yuv420, bitDepth: 8, hasAlpha: true)
        let picture = try GeneratedPicture.flat(100, source.withoutAlpha).with(alpha: nil)
        for depth in [10, 16] {
            let target = try PixelFormat(subsampling: .yuv420, bitDepth: depth, hasAlpha: true)
            #expect(try resampler(source, (64, 48), to: target, 64, 48).resampled(picture, context: .serial).isOpaque)
        }
    }

    @Test func aChangeOfTheColorModelIsRefused() throws {
        let rgb = try PixelFormat(rgbDepth: 8)
        let error = #expect(throws: FrameError.self) { try resampler(rgb, (64, 48), to: .yuv420p8, 64, 48) }
        #expect(
            error?.message == "gbrp images cannot be resampled to yuv420p; both formats must be RGB or both YCbCr")
    }

    @Test(arguments: [8, 12]) func rangesDoNotConcernAlpha(depth: Int) throws {
        for format in try AlphaPicture.formats(depth: depth) {
            let picture = try AlphaPicture.texture(format, width: 33, height: 17)
            let made = try RangeConverter(from: .full, to: .limited, bitDepth: depth).converted(picture)
            if let alpha = format.alphaPlane {
                #expect(made.samples(ofPlane: alpha) == picture.samples(ofPlane: alpha))
            }
            // Black and white of red, green and blue are those of luma.
            let black = 16 << (depth - 8), white = 235 << (depth - 8)
            for plane in 0..<(format.isRGB ? 3 : 1) {
                #expect(made.samples(ofPlane: plane).allSatisfy { (black...white).contains(Int($0)) }, "\(format)")
            }
        }
    }

    @Test func alphaIsTurned() throws {
        for format in try AlphaPicture.formats(depth: 8) {
            let picture = try AlphaPicture.texture(format, width: 9, height: 6)
            let made = try picture.turned(.right, context: .serial)
            #expect(made.width == 6 && made.height == 9 && made.format.hasAlpha == format.hasAlpha)
            guard let alpha = format.alphaPlane else { continue }
            let wanted = try picture.plane(alpha).turned(.right, context: .serial)
            #expect(made.plane(alpha).hasSameSamples(as: wanted))
        }
    }

    @Test func renderingTakesAlphaOut() throws {
        for format in try AlphaPicture.formats(depth: 8) {
            let picture = try AlphaPicture.texture(format, width: 48, height: 36)
            let stream = VideoStreamDescription(
                format: format, width: 48, height: 36, timeBase: Rational(1, 25))
            let frame = Frame(buffer: picture, presentationTime: .zero)
            let still = try FrameRenderer(stream: stream, options: RenderingOptions()).picture(of: frame)
            #expect(still.frame.buffer.format.isPlain)
            #expect(still.alpha?.samples(ofPlane: 0) == format.alphaPlane.map(picture.samples(ofPlane:)))
            var options = RenderingOptions()
            options.maximumSize = (24, 0)
            let small = try FrameRenderer(stream: stream, options: options).picture(of: frame)
            #expect(small.frame.buffer.width == 24)
            #expect((small.alpha?.width ?? 24) == 24)
        }
    }

    @Test func whatIsHiddenIsNoDifference() throws {
        let format = try PixelFormat(rgbDepth: 8, hasAlpha: true)
        func picture(hidden: Int, shown: Int) throws -> PixelBuffer {
            try GeneratedPicture.drawCodes(format, width: 16, height: 8) { plane, x, _ in
                plane == 3 ? (x < 8 ? 0 : 255) : x < 8 ? hidden : shown
            }
        }
        let first = try picture(hidden: 0, shown: 100)
        let same = try PictureMetrics(of: first, and: try picture(hidden: 255, shown: 100))
        #expect(same.meanSquaredErrors == [0, 0, 0, 0] && same.ssim == 1)
        let other = try PictureMetrics(of: first, and: try picture(hidden: 255, shown: 104))
        #expect(other.meanSquaredErrors == [8, 8, 8, 0])
    }
}
