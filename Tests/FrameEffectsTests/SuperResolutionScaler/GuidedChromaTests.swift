import FrameCore
import FrameEffects
import TestSupport
import Testing

/// Chroma that takes detail from enlarged luma, on drawn pictures. The `normal` model interpolates chroma, so it shows
/// what guiding changes.
@Suite struct GuidedChromaTests {
    private let color = ColorDescription(range: .limited, chromaLocation: .center)

    private func upscaled(
        _ picture: PixelBuffer, _ model: SuperResolutionNetwork.Model, factor: Int = 2, threads: Int = 2
    ) throws -> PixelBuffer {
        let size = FrameDimensions(width: picture.width, height: picture.height)
        return try SuperResolutionScalerEngine(
            format: picture.format, size: size,
            outputSize: FrameDimensions(width: factor * size.width, height: factor * size.height), model: model,
            isStill: false, context: .init(threads: threads)
        ).upscale(picture, color: color)
    }

    /// The means of 2×2 samples of every plane.
    private func halved(_ picture: PixelBuffer) throws -> PixelBuffer {
        let planes = (0..<3).map { picture.samples(ofPlane: $0).map(Int.init) }
        let format = picture.format, depth = format.bitDepth
        return try GeneratedPicture.draw(format, width: picture.width / 2, height: picture.height / 2) { plane, x, y in
            let width = format.planeWidth(plane, width: picture.width), at = 2 * y * width + 2 * x
            let samples = planes[plane]
            let sum = samples[at] + samples[at + 1] + samples[at + width] + samples[at + width + 1]
            return (sum >> (depth - 8) + 2) / 4
        }
    }

    private func picture(
        _ subsampling: ChromaSubsampling, _ depth: Int, width: Int, height: Int,
        chroma: (_ plane: Int, _ luma: Int, _ x: Int) -> Int
    ) throws -> PixelBuffer {
        let format = try PixelFormat(subsampling: subsampling, bitDepth: depth)
        let texture = NoiseTexture(seed: 7, finest: 3)
        func luma(_ x: Int, _ y: Int) -> Int { Int(texture.value(Float(x), Float(y))) }
        let across = format.subsampling.horizontalShift, down = format.subsampling.verticalShift
        return try GeneratedPicture.draw(format, width: width, height: height) { plane, x, y in
            guard plane > 0 else { return luma(x, y) }
            var sum = 0
            for v in 0...down { for u in 0...across { sum += luma(x << across + u, y << down + v) } }
            return chroma(plane, sum >> (across + down), x << across)
        }
    }

    /// Where colour follows brightness, it gains detail that interpolation does not have.
    @Test(arguments: [ChromaSubsampling.yuv420, .yuv422, .yuv444], [8, 10])
    func colourFollowsBrightness(_ subsampling: ChromaSubsampling, _ depth: Int) throws {
        let truth = try picture(subsampling, depth, width: 160, height: 112) { plane, luma, _ in
            plane == 1 ? 40 + luma / 2 : 220 - luma / 2
        }
        let source = try halved(truth)
        let guided = try upscaled(source, .large), plain = try upscaled(source, .small)
        for plane in 1...2 {
            let gain =
                PictureDifference(guided, truth, plane: plane).psnr - PictureDifference(plain, truth, plane: plane).psnr
            #expect(gain > 2, "plane \(plane)")
        }
    }

    /// Chroma whose detail is not that of luma, or which has none, stays as interpolated.
    @Test func detailIsNotInvented() throws {
        let flat = try picture(.yuv420, 8, width: 96, height: 64) { plane, _, x in 80 + x / 2 }
        #expect(PictureDifference(try upscaled(flat, .large), try upscaled(flat, .small), plane: 1).largest == 0)
        #expect(PictureDifference(try upscaled(flat, .large), try upscaled(flat, .small), plane: 2).largest == 0)
        let other = NoiseTexture(seed: 99, finest: 3)
        let format = PixelFormat.yuv420p8, texture = NoiseTexture(seed: 7, finest: 3)
        let truth = try GeneratedPicture.draw(format, width: 160, height: 112) { plane, x, y in
            Int((plane == 0 ? texture : other).value(Float(x), Float(y)))
        }
        let source = try halved(truth)
        let guided = PictureDifference(try upscaled(source, .large), truth, plane: 1).psnr
        let plain = PictureDifference(try upscaled(source, .small), truth, plane: 1).psnr
        #expect(guided > plain - 0.2)
    }

    @Test(arguments: [ChromaSubsampling.yuv420, .yuv422, .yuv444], [8, 16])
    func aConstantStaysConstant(_ subsampling: ChromaSubsampling, _ depth: Int) throws {
        let format = try PixelFormat(subsampling: subsampling, bitDepth: depth)
        for (width, height) in [(1, 1), (3, 2), (37, 53)] {
            let flat = try GeneratedPicture.flat(90, format, width: width, height: height)
            let wanted = try GeneratedPicture.flat(90, format, width: 3 * width, height: 3 * height)
            #expect(try upscaled(flat, .large, factor: 3).hasSameSamples(as: wanted), "\(width)x\(height)")
        }
    }

    /// More rows than a band has, and extreme values.
    @Test func threadsDoNotChangeTheResult() throws {
        for depth in [8, 16] {
            let format = try PixelFormat(subsampling: .yuv420, bitDepth: depth)
            let picture = try GeneratedPicture.draw(format, width: 75, height: 141) { plane, x, y in
                (x / 2 + y / 3 + plane) % 2 == 0 ? 0 : 255
            }
            let one = try upscaled(picture, .large, threads: 1)
            #expect(try upscaled(picture, .large, threads: 3).hasSameSamples(as: one))
        }
    }
}
