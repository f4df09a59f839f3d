import FrameCore
import Imaging
import TestSupport
import Testing

@Suite struct PixelBufferRotationTests {
    @Test func turningBackGivesThePicture() throws {
        for subsampling in [ChromaSubsampling.monochrome, .yuv420, .yuv444] {
            for depth in [8, 12] {
                let picture = try GeneratedPicture.texture(
                    PixelFormat(subsampling: subsampling, bitDepth: depth), width: 31, height: 18)
                for orientation in PictureOrientation.allCases {
                    let there = try picture.turned(orientation, context: .serial)
                    #expect(there.width == (orientation.swapsSides ? 18 : 31))
                    // All orientations except the two quarter turns are their own inverse.
                    let back: PictureOrientation =
                        orientation == .right ? .left : orientation == .left ? .right : orientation
                    #expect(try there.turned(back, context: .serial).hasSameSamples(as: picture), "\(orientation)")
                    let luma = there.samples(ofPlane: 0), own = picture.samples(ofPlane: 0)
                    let place = orientation.stored(x: 3, y: 5, width: 31, height: 18)
                    #expect(luma[5 * there.width + 3] == own[place.y * 31 + place.x])
                }
            }
        }
        let wide = try GeneratedPicture.texture(PixelFormat(subsampling: .yuv422, bitDepth: 8), width: 30, height: 18)
        #expect(try wide.turned(.right, context: .serial).format.subsampling == .yuv444)
        #expect(try wide.turned(.down, context: .serial).format.subsampling == .yuv422)
    }

    @Test(arguments: [ColorDescription.ChromaLocation.left, .center])
    func turningKeepsChromaInItsPlace(location: ColorDescription.ChromaLocation) throws {
        let picture = try GeneratedPicture.texture(
            PixelFormat(subsampling: .yuv422, bitDepth: 8), width: 32, height: 18)
        let whole = try PixelFormat(subsampling: .yuv444, bitDepth: 8)
        let opened = try PictureResampler(
            from: picture.format, sourceSize: (32, 18), color: ColorDescription(chromaLocation: location), to: whole,
            width: 32, height: 18, targetLocation: location
        ).resampled(picture, context: .serial)
        let turned = try picture.turned(.right, chromaLocation: location, context: .serial)
        #expect(try turned.hasSameSamples(as: opened.turned(.right, context: .serial)))
    }
}
