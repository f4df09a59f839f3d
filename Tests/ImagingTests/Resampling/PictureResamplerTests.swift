import FrameCore
import Imaging
import TestSupport
import Testing

/// Planes brought to another size by filters alone.
@Suite struct ResamplingTests {
    private func resampled(
        _ picture: PixelBuffer, _ width: Int, _ height: Int, _ location: ColorDescription.ChromaLocation = .left,
        threads: Int = 2
    ) throws -> PixelBuffer {
        var result = try PixelBuffer(format: picture.format, width: width, height: height)
        try PictureResampler(
            format: picture.format, width: picture.width, height: picture.height, outputWidth: width,
            outputHeight: height, location: location
        ).resample(picture, into: &result, threads: threads)
        return result
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

    /// Samples of a slope lie where they did, wherever chroma sits.
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
        /// Where a sample sits in luma samples, the picture's corner at 0.
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
                // Near the edges the slope ends.
                let edge = 16
                let difference = PictureDifference(result, wanted, plane: plane) { x, y in
                    x << shift >= edge && y << shift >= edge && x << shift < width - edge && y << shift < height - edge
                }
                // A twentieth of a sample; half a luma sample would be 150.
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
}
