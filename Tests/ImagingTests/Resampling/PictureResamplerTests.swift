import FrameCore
import Imaging
import TestSupport
import Testing

/// Conversion of frames to another size, subsampling and bit depth.
@Suite struct PictureResamplerTests {
    private func resampled(
        _ picture: PixelBuffer, _ width: Int, _ height: Int, _ location: ColorDescription.ChromaLocation = .left,
        threads: Int = 2
    ) throws -> PixelBuffer {
        try PictureResampler(
            from: picture.format, sourceSize: (picture.width, picture.height),
            color: ColorDescription(chromaLocation: location), to: picture.format, width: width, height: height,
            targetLocation: location, lumaFilter: .spline
        ).resampled(picture, context: .init(threads: threads))
    }

    @Test(arguments: ChromaSubsampling.allCases, [8, 10, 12, 14, 15, 16])
    func aConstantStaysConstant(_ subsampling: ChromaSubsampling, _ depth: Int) throws {
        let format = try PixelFormat(subsampling: subsampling, bitDepth: depth)
        for value in [0, 1, 16, 200, 255] {
            let picture = try GeneratedPicture.draw(format, width: 37, height: 53) { plane, _, _ in
                plane == 0 ? value : 255 - value
            }
            for (width, height) in [(74, 106), (38, 54), (101, 333), (20, 17), (37, 53), (592, 60)] {
                let result = try resampled(picture, width, height)
                for plane in 0..<format.planeCount {
                    let level = UInt16((plane == 0 ? value : 255 - value) << (depth - 8))
                    #expect(
                        result.samples(ofPlane: plane).allSatisfy { $0 == level },
                        "\(format) \(width)x\(height) \(plane)")
                }
            }
        }
    }

    /// A gradient is not shifted, for any chroma siting.
    @Test(arguments: [
        ColorDescription.ChromaLocation.left, .center, .topLeft, .top, .bottomLeft, .bottom,
    ])
    func slopesKeepTheirPlace(_ location: ColorDescription.ChromaLocation) throws {
        let format = try PixelFormat(subsampling: .yuv420, bitDepth: 16)
        let left = [.left, .topLeft, .bottomLeft].contains(location) ? 0.0 : 0.5
        let top: Double
        switch location {
        case .topLeft, .top: top = 0
        case .bottomLeft, .bottom: top = 1
        default: top = 0.5
        }
        /// Position of a sample in luma samples, relative to the corner of the frame.
        func place(_ plane: Int, _ x: Int, _ y: Int) -> (Double, Double) {
            plane == 0
                ? (Double(x) + 0.5, Double(y) + 0.5) : (2 * Double(x) + 0.5 + left, 2 * Double(y) + 0.5 + top)
        }
        func slope(_ place: (Double, Double), _ stretch: (Double, Double)) -> Double {
            5000 + 300 * place.0 / stretch.0 + 170 * place.1 / stretch.1
        }
        func drawn(_ width: Int, _ height: Int, _ stretch: (Double, Double)) throws -> PixelBuffer {
            var buffer = try PixelBuffer(format: format, width: width, height: height)
            try buffer.withOverwrittenPlanes { planes in
                for index in 0..<planes.count {
                    for y in 0..<planes[index].height {
                        for x in 0..<planes[index].width {
                            planes[index].row(y).storeBytes(
                                of: UInt16(slope(place(index, x, y), stretch).rounded()), toByteOffset: 2 * x,
                                as: UInt16.self)
                        }
                    }
                }
            }
            return buffer
        }
        let source = try drawn(64, 48, (1, 1))
        for (width, height) in [(128, 96), (96, 72), (192, 144), (77, 61), (48, 40)] {
            let stretch = (Double(width) / 64, Double(height) / 48)
            let result = try resampled(source, width, height, location), wanted = try drawn(width, height, stretch)
            for plane in 0..<3 {
                let shift = plane == 0 ? 0 : 1
                // The gradient is cut off near the edges.
                let edge = 16
                let difference = PictureDifference(result, wanted, plane: plane) { x, y in
                    x << shift >= edge && y << shift >= edge && x << shift < width - edge && y << shift < height - edge
                }
                // A twentieth of a sample; an error of half a luma sample would be 150.
                #expect(difference.largest <= 20, "\(width)x\(height), plane \(plane)")
            }
        }
    }

    @Test func edgesRingLittle() throws {
        let picture = try GeneratedPicture.draw(.yuv420p8, width: 64, height: 64) { _, x, _ in x < 32 ? 60 : 180 }
        let result = try resampled(picture, 128, 128)
        let luma = result.samples(ofPlane: 0), chroma = result.samples(ofPlane: 1)
        #expect((luma.min() ?? 0) >= 46 && (luma.max() ?? 0) <= 194)
        #expect((chroma.min() ?? 0) >= 50 && (chroma.max() ?? 0) <= 190)
    }

    @Test func theBitsDoNotDependOnThreads() throws {
        let picture = try GeneratedPicture.texture(width: 123, height: 77)
        let one = try resampled(picture, 201, 180, threads: 1)
        #expect(try resampled(picture, 201, 180, threads: 3).hasSameSamples(as: one))
    }

    @Test(arguments: ChromaSubsampling.allCases, [8, 10, 16])
    func theSameSizeIsTheSamePicture(subsampling: ChromaSubsampling, depth: Int) throws {
        let format = try PixelFormat(subsampling: subsampling, bitDepth: depth)
        let picture = try GeneratedPicture.texture(format, width: 61, height: 47)
        let resampler = try PictureResampler(
            from: format, sourceSize: (61, 47), color: .unspecified, to: format, width: 61, height: 47,
            targetLocation: .left)
        #expect(try resampler.resampled(picture, context: .serial).hasSameSamples(as: picture))
    }

    @Test(arguments: [(32, 24), (13, 9), (200, 150), (1, 1), (63, 1)])
    func flatStaysFlat(width: Int, height: Int) throws {
        for subsampling in ChromaSubsampling.allCases {
            let format = try PixelFormat(subsampling: subsampling, bitDepth: 8)
            let picture = try GeneratedPicture.flat(77, format, width: 64, height: 48)
            let resampler = try PictureResampler(
                from: format, sourceSize: (64, 48), color: .unspecified, to: format, width: width, height: height,
                targetLocation: .left)
            let small = try resampler.resampled(picture, context: .serial)
            #expect(small.samples(ofPlane: 0).allSatisfy { $0 == 77 })
            if subsampling != .monochrome { #expect(small.samples(ofPlane: 2).allSatisfy { $0 == 128 }) }
        }
    }

    /// A gradient is unchanged: nothing is shifted by half a sample.
    @Test func slopesKeepTheirPlaceAtHalfSize() throws {
        for location in [ColorDescription.ChromaLocation.left, .center] {
            let shift = location == .left ? 0.0 : 0.5
            let picture = try GeneratedPicture.draw(.yuv420p8, width: 128, height: 96) { plane, x, _ in
                plane == 0 ? 20 + x : Int((20 + Double(2 * x) + shift).rounded())
            }
            let color = ColorDescription(range: .limited, chromaLocation: location)
            let half = try PictureResampler(
                from: .yuv420p8, sourceSize: (128, 96), color: color, to: .yuv420p8, width: 64, height: 48,
                targetLocation: location
            ).resampled(picture, context: .serial)
            let luma = half.samples(ofPlane: 0), chroma = half.samples(ofPlane: 1)
            for x in 8..<56 { #expect(abs(Double(luma[64 * 20 + x]) - (20.5 + 2 * Double(x))) <= 0.5) }
            // Chroma sample x is at luma position 2x (left) or 2x + 0.5 (center) of the half-size frame.
            for x in 4..<28 {
                let place = 2 * (2 * Double(x) + shift + 0.5) - 0.5
                #expect(abs(Double(chroma[32 * 10 + x]) - (20 + place)) <= 1.1, "\(location) \(x)")
            }
        }
    }

    @Test func regionsAreCutOut() throws {
        let picture = try GeneratedPicture.texture(width: 64, height: 48)
        let part = try PictureResampler(
            from: .yuv420p8, sourceSize: (64, 48), region: PictureRegion(x: 16, y: 8, width: 32, height: 24),
            color: .unspecified, to: .yuv420p8, width: 32, height: 24, targetLocation: .left
        ).resampled(picture, context: .serial)
        let whole = picture.samples(ofPlane: 0), cut = part.samples(ofPlane: 0)
        for y in 0..<24 { for x in 0..<32 { #expect(cut[y * 32 + x] == whole[(y + 8) * 64 + x + 16]) } }
    }

    /// Conversion to another bit depth: scaled by powers of two in limited range, from end to end in full range.
    @Test(
        arguments: [ColorDescription.Range.limited, .full], [(8, 10), (10, 8), (8, 16), (16, 8), (12, 15), (10, 14)])
    func depthsAreConverted(_ range: ColorDescription.Range, _ depths: (Int, Int)) throws {
        let from = try PixelFormat(subsampling: .monochrome, bitDepth: depths.0)
        let to = try PixelFormat(subsampling: .monochrome, bitDepth: depths.1)
        let count = 256
        var picture = try PixelBuffer(format: from, width: count, height: 16)
        func code(_ x: Int) -> Int { (x * from.maximumValue + 127) / 255 }
        try picture.withOverwrittenPlanes { planes in
            for y in 0..<16 {
                for x in 0..<count {
                    if depths.0 == 8 {
                        planes[0].row(y).storeBytes(of: UInt8(code(x)), toByteOffset: x, as: UInt8.self)
                    } else {
                        planes[0].row(y).storeBytes(of: UInt16(code(x)), toByteOffset: 2 * x, as: UInt16.self)
                    }
                }
            }
        }
        let result = try PictureResampler(
            from: from, sourceSize: (count, 16), color: ColorDescription(range: range), to: to, width: count,
            height: 16, targetLocation: .left
        ).resampled(picture, context: .serial).samples(ofPlane: 0)
        let scale =
            range == .full
            ? Double(to.maximumValue) / Double(from.maximumValue) : Double(1 << depths.1) / Double(1 << depths.0)
        for x in 0..<count {
            let wanted = min(Double(to.maximumValue), Double(code(x)) * scale)
            #expect(abs(Double(result[x]) - wanted) <= 0.5, "\(x)")
        }
    }

    @Test func subsamplingIsOpenedAndClosed() throws {
        let whole = try PixelFormat(subsampling: .yuv444, bitDepth: 8)
        let picture = try GeneratedPicture.draw(.yuv420p8, width: 65, height: 49) { plane, x, y in
            plane == 0 ? 100 : 60 + x + 2 * y
        }
        func changed(_ picture: PixelBuffer, to format: PixelFormat) throws -> PixelBuffer {
            try PictureResampler(
                from: picture.format, sourceSize: (65, 49), color: .unspecified, to: format, width: 65, height: 49,
                targetLocation: .left
            ).resampled(picture, context: .serial)
        }
        let opened = try changed(picture, to: whole)
        #expect(opened.samples(ofPlane: 1).count == 65 * 49)
        let closed = try changed(opened, to: .yuv420p8)
        let difference = PictureDifference(closed, picture, plane: 1) { x, y in x > 3 && y > 3 && x < 29 && y < 21 }
        #expect(difference.largest <= 1)
        let gray = try PixelFormat(subsampling: .monochrome, bitDepth: 8)
        #expect(try changed(changed(picture, to: gray), to: whole).samples(ofPlane: 2).allSatisfy { $0 == 128 })
    }

    @Test func sizesThatNoBufferMayHaveAreRefused() {
        #expect(throws: FrameError.self) {
            try PictureResampler(
                from: .yuv420p8, sourceSize: (64, 48), color: .unspecified, to: .yuv420p8, width: 0, height: 48,
                targetLocation: .left)
        }
    }
}
