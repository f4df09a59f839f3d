import FrameCore
import Imaging
import TestSupport
import Testing

@Suite struct FrameYCbCrTests {
    private func converted(
        _ rgb: (Int, Int, Int), _ depth: Int, _ color: ColorDescription, alpha: Bool = false
    ) throws -> (codes: [Int], frame: Frame) {
        let format = try PixelFormat(rgbDepth: depth, hasAlpha: alpha)
        let picture = try GeneratedPicture.drawCodes(format, width: 5, height: 3) { plane, _, _ in
            [rgb.1, rgb.2, rgb.0, 9][plane]
        }
        let frame = try Frame(buffer: picture, presentationTime: .zero, color: color).inYCbCr(context: .serial)
        return ((0..<frame.buffer.format.planeCount).map { Int(frame.buffer.samples(ofPlane: $0)[7]) }, frame)
    }

    @Test func knownCodes() throws {
        let made = try converted((255, 0, 0), 8, ColorDescription(matrix: .identity))
        #expect(made.codes == [54, 99, 255])
        #expect(made.frame.color.matrix == .bt709 && made.frame.color.range == .full)
        #expect(made.frame.buffer.format == (try PixelFormat(subsampling: .yuv444, bitDepth: 8)))
        let limited = ColorDescription(matrix: .identity, range: .limited)
        #expect(try converted((235, 16, 16), 8, limited).codes == [63, 102, 240])
        #expect(try converted((940, 940, 940), 10, limited).codes == [940, 512, 512])
        #expect(try converted((0, 65535, 0), 16, ColorDescription(matrix: .bt470BG)).codes == [38469, 11059, 5329])
    }

    @Test func alphaStays() throws {
        let made = try converted((10, 20, 30), 8, .unspecified, alpha: true)
        #expect(made.codes.count == 4 && made.codes[3] == 9)
    }

    @Test func yCbCrStays() throws {
        let picture = try GeneratedPicture.texture(), frame = Frame(buffer: picture, presentationTime: .zero)
        let result = try frame.inYCbCr(context: .serial)
        #expect(result.buffer.hasSameSamples(as: picture) && result.color == .unspecified)
    }
}
