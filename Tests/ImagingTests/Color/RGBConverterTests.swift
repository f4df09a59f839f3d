import FrameCore
import Imaging
import TestSupport
import Testing

@Suite struct RGBConverterTests {
    /// A picture with a lattice of colors, the corners of the cube included, and random ones in between.
    private func colors(_ depth: Int) throws -> PixelBuffer {
        let most = (1 << depth) - 1, side = 48, step = (most + side - 2) / (side - 1)
        return try GeneratedPicture.drawCodes(
            PixelFormat(rgbDepth: depth), width: side * 8, height: side * side / 8
        ) { plane, x, y in
            let index = y * side * 8 + x
            let place = [index % side, index / side % side, index / side / side][plane]
            let hash = (index &* 73_856_093) ^ (plane &* 19_349_663)
            return min(most, max(0, place * step + (place > 0 && place < side - 1 ? hash >> 7 & 7 : 0)))
        }
    }

    /// Two more bits are enough to get every color back, up to 14 bits; from 15 bits on there is no room for them.
    @Test(arguments: 8...16) func colorsComeBack(depth: Int) throws {
        let picture = try colors(depth), converter = try RGBConverter(picture.format, context: .init(threads: 2))
        let back = try converter.toRGB(converter.toYCbCr(picture))
        for plane in 0..<3 {
            #expect(PictureDifference(back, picture, plane: plane).largest <= (depth <= 14 ? 0 : 2), "plane \(plane)")
        }
    }

    /// With as many bits as RGB, no color is off by more than two codes.
    @Test(arguments: [8, 10, 16], [ColorDescription.Range.full, .limited])
    func asManyBitsLoseLittle(depth: Int, range: ColorDescription.Range) throws {
        let picture = try colors(depth)
        let converter = try RGBConverter(
            picture.format, bitDepth: depth, weights: .bt709, range: range, context: .serial)
        let back = try converter.toRGB(converter.toYCbCr(picture))
        for plane in 0..<3 {
            // Limited range has no room for colors outside of it.
            let samples = (0..<3).map(picture.samples(ofPlane:)), unit = 1 << (depth - 8)
            let difference = PictureDifference(back, picture, plane: plane) { x, y in
                range == .full
                    || samples.allSatisfy { (16 * unit...235 * unit).contains(Int($0[y * picture.width + x])) }
            }
            #expect(difference.largest <= 2, "plane \(plane)")
        }
    }

    @Test func greyHasNoColor() throws {
        for depth in [8, 12, 16] {
            let most = (1 << depth) - 1
            let picture = try GeneratedPicture.drawCodes(PixelFormat(rgbDepth: depth), width: 64, height: 3) {
                _, x, _ in
                x * most / 63
            }
            let converter = try RGBConverter(picture.format, context: .serial)
            let made = try converter.toYCbCr(picture), grey = 1 << (converter.yCbCr.bitDepth - 1)
            #expect((made.samples(ofPlane: 1) + made.samples(ofPlane: 2)).allSatisfy { Int($0) == grey })
            #expect(made.samples(ofPlane: 0).prefix(64).elementsEqual(made.samples(ofPlane: 0).prefix(64).sorted()))
            #expect(made.samples(ofPlane: 0)[63] == converter.yCbCr.maximumValue)
        }
    }

    @Test func threadsMakeNoDifference() throws {
        let picture = try colors(10)
        let made = try [1, 3].map { threads in
            let converter = try RGBConverter(picture.format, context: .init(threads: threads))
            return try converter.toYCbCr(picture)
        }
        #expect(made[0].hasSameSamples(as: made[1]))
    }
}
