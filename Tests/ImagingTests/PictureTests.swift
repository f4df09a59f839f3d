import FrameCore
import Imaging
import TestSupport
import Testing

@Suite struct PictureTests {
    @Test(arguments: ChromaSubsampling.allCases, [8, 10, 16])
    func theSameSizeIsTheSamePicture(subsampling: ChromaSubsampling, depth: Int) throws {
        let format = try PixelFormat(subsampling: subsampling, bitDepth: depth)
        let picture = try GeneratedPicture.texture(format, width: 61, height: 47)
        let resizer = try PictureResizer(
            from: format, sourceSize: (61, 47), color: .unspecified, to: format, width: 61, height: 47,
            targetLocation: .left)
        #expect(try resizer.resized(picture).hasSameSamples(as: picture))
    }

    @Test(arguments: [(32, 24), (13, 9), (200, 150), (1, 1), (63, 1)])
    func flatStaysFlat(width: Int, height: Int) throws {
        for subsampling in ChromaSubsampling.allCases {
            let format = try PixelFormat(subsampling: subsampling, bitDepth: 8)
            let picture = try GeneratedPicture.flat(77, format, width: 64, height: 48)
            let resizer = try PictureResizer(
                from: format, sourceSize: (64, 48), color: .unspecified, to: format, width: width, height: height,
                targetLocation: .left)
            let small = try resizer.resized(picture)
            #expect(small.samples(ofPlane: 0).allSatisfy { $0 == 77 })
            if subsampling != .monochrome { #expect(small.samples(ofPlane: 2).allSatisfy { $0 == 128 }) }
        }
    }

    /// A slope stays the same slope: nothing is moved by half a sample.
    @Test func slopesKeepTheirPlace() throws {
        for location in [ColorDescription.ChromaLocation.left, .center] {
            let shift = location == .left ? 0.0 : 0.5
            let picture = try GeneratedPicture.draw(.yuv420p8, width: 128, height: 96) { plane, x, _ in
                plane == 0 ? 20 + x : Int((20 + Double(2 * x) + shift).rounded())
            }
            let color = ColorDescription(range: .limited, chromaLocation: location)
            let half = try PictureResizer(
                from: .yuv420p8, sourceSize: (128, 96), color: color, to: .yuv420p8, width: 64, height: 48,
                targetLocation: location
            ).resized(picture)
            let luma = half.samples(ofPlane: 0), chroma = half.samples(ofPlane: 1)
            for x in 8..<56 { #expect(abs(Double(luma[64 * 20 + x]) - (20.5 + 2 * Double(x))) <= 0.5) }
            // Chroma sample x stands at luma 2x (left) or 2x + 0.5 (center) of the half picture.
            for x in 4..<28 {
                let place = 2 * (2 * Double(x) + shift + 0.5) - 0.5
                #expect(abs(Double(chroma[32 * 10 + x]) - (20 + place)) <= 1.1, "\(location) \(x)")
            }
        }
    }

    @Test func regionsAreCutOut() throws {
        let picture = try GeneratedPicture.texture(width: 64, height: 48)
        let part = try PictureResizer(
            from: .yuv420p8, sourceSize: (64, 48), region: PictureRegion(x: 16, y: 8, width: 32, height: 24),
            color: .unspecified, to: .yuv420p8, width: 32, height: 24, targetLocation: .left
        ).resized(picture)
        let whole = picture.samples(ofPlane: 0), cut = part.samples(ofPlane: 0)
        for y in 0..<24 { for x in 0..<32 { #expect(cut[y * 32 + x] == whole[(y + 8) * 64 + x + 16]) } }
    }

    @Test func turningBackGivesThePicture() throws {
        for subsampling in [ChromaSubsampling.monochrome, .yuv420, .yuv444] {
            for depth in [8, 12] {
                let picture = try GeneratedPicture.texture(
                    PixelFormat(subsampling: subsampling, bitDepth: depth), width: 31, height: 18)
                for orientation in PictureOrientation.allCases {
                    let there = try picture.turned(orientation)
                    #expect(there.width == (orientation.swapsSides ? 18 : 31))
                    #expect(try there.turned(orientation.inverse).hasSameSamples(as: picture), "\(orientation)")
                    let luma = there.samples(ofPlane: 0), own = picture.samples(ofPlane: 0)
                    let place = orientation.stored(x: 3, y: 5, width: 31, height: 18)
                    #expect(luma[5 * there.width + 3] == own[place.y * 31 + place.x])
                }
            }
        }
        let wide = try GeneratedPicture.texture(PixelFormat(subsampling: .yuv422, bitDepth: 8), width: 30, height: 18)
        #expect(try wide.turned(.right).format.subsampling == .yuv444)
        #expect(try wide.turned(.down).format.subsampling == .yuv422)
    }

    @Test(arguments: [ColorDescription.ChromaLocation.left, .center])
    func turningKeepsChromaInItsPlace(location: ColorDescription.ChromaLocation) throws {
        let picture = try GeneratedPicture.texture(
            PixelFormat(subsampling: .yuv422, bitDepth: 8), width: 32, height: 18)
        let whole = try PixelFormat(subsampling: .yuv444, bitDepth: 8)
        let opened = try PictureResizer(
            from: picture.format, sourceSize: (32, 18), color: ColorDescription(chromaLocation: location), to: whole,
            width: 32, height: 18, targetLocation: location
        ).resized(picture)
        let turned = try picture.turned(.right, chromaLocation: location)
        #expect(try turned.hasSameSamples(as: opened.turned(.right)))
    }

    @Test func matricesAreOrientations() {
        let one: Int32 = 65536
        let cases: [([Int32], PictureOrientation)] = [
            ([one, 0, 0, 0, one, 0, 0, 0, 0], .up), ([0, one, 0, -one, 0, 0, 0, 0, 0], .right),
            ([-one, 0, 0, 0, -one, 0, 0, 0, 0], .down), ([0, -one, 0, one, 0, 0, 0, 0, 0], .left),
            ([-one, 0, 0, 0, one, 0, 0, 0, 0], .upMirrored), ([one, 0, 0, 0, -one, 0, 0, 0, 0], .downMirrored),
            ([0, one, 0, one, 0, 0, 0, 0, 0], .leftMirrored), ([0, -one, 0, -one, 0, 0, 0, 0, 0], .rightMirrored),
            ([0, 0, 0, 0, 0, 0, 0, 0, 0], .up), ([1], .up),
        ]
        for (matrix, orientation) in cases { #expect(PictureOrientation(displayMatrix: matrix) == orientation) }
        #expect(PictureOrientation(displayMatrix: nil) == .up)
    }

    private func mapped(_ light: [UInt16], _ color: ColorDescription, depth: Int = 10) throws -> [Int] {
        let format = try PixelFormat(subsampling: .yuv444, bitDepth: depth)
        var buffer = try PixelBuffer(format: format, width: light.count, height: 1)
        try buffer.withOverwrittenPlanes { planes in
            for x in 0..<light.count {
                planes[0].row(0).storeBytes(of: light[x], toByteOffset: 2 * x, as: UInt16.self)
                for plane in 1...2 { planes[plane].row(0).storeBytes(of: 512, toByteOffset: 2 * x, as: UInt16.self) }
            }
        }
        let frame = Frame(buffer: buffer, presentationTime: .zero, color: color)
        let result = try StandardRange.picture(of: frame)
        for plane in 1...2 { #expect(result.buffer.samples(ofPlane: plane).allSatisfy { abs(Int($0) - 128) <= 1 }) }
        return result.buffer.samples(ofPlane: 0).map { Int($0) }
    }

    @Test func brightnessIsMappedInOrder() throws {
        let codes = Array(stride(from: UInt16(64), through: 940, by: 4))
        for transfer: UInt8 in [16, 18] {
            let color = ColorDescription(matrix: 9, primaries: 9, transfer: transfer, range: .limited)
            let luma = try mapped(codes, color)
            #expect(luma.first == 16)
            #expect(luma.last.map { $0 >= 234 } == true)
            #expect(zip(luma, luma.dropFirst()).allSatisfy { $0 <= $1 })
            // Not all light above white is one: half-way between 203 and 1000 cd/m² is told from both.
            if transfer == 16 {
                let white = try mapped([64 + 876 * 58 / 100], color)[0],
                    brighter = try mapped([64 + 876 * 68 / 100], color)[0]
                #expect(white < brighter && brighter < 235, "\(white) \(brighter)")
                // A picture's darks keep their light: 10 cd/m² of 203 are code 16 + 219 (10/203)^(1/2.4).
                let dark = try mapped([64 + UInt16(876.0 * 0.3)], color)[0]
                #expect(abs(dark - 80) < 8, "\(dark)")
            }
        }
    }

    @Test func ordinaryPicturesNeedNothing() {
        #expect(!StandardRange.isNeeded(ColorDescription(matrix: 1, primaries: 1, transfer: 1)))
        #expect(!StandardRange.isNeeded(.unspecified))
        #expect(StandardRange.isNeeded(ColorDescription(matrix: 9, primaries: 9, transfer: 14)))
        #expect(StandardRange.isNeeded(ColorDescription(matrix: 9, primaries: 9, transfer: 18)))
    }
}
