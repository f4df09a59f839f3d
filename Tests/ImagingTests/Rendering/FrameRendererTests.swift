import FrameCore
import Imaging
import TestSupport
import Testing

/// Conversion of coded frames to displayed images.
@Suite struct FrameRendererTests {
    /// A display matrix that rotates by 90 degrees clockwise, as phones write it.
    private static let clockwise: [Int32] = [0, 1 << 16, 0, -1 << 16, 0, 0, 0, 0, 1 << 30]

    private func shown(
        _ buffer: PixelBuffer, matrix: [Int32]? = nil, ratio: Rational? = nil, size: (width: Int, height: Int)? = nil,
        color: ColorDescription = .unspecified, _ change: (inout RenderingOptions) -> Void = { _ in }
    ) throws -> StillPicture {
        var options = RenderingOptions()
        change(&options)
        let stream = VideoStreamDescription(
            format: buffer.format, width: buffer.width, height: buffer.height, timeBase: Rational(1, 25),
            displayMatrix: matrix)
        let frame = Frame(buffer: buffer, presentationTime: .zero, color: color, sampleAspectRatio: ratio)
        return try FrameRenderer(stream: stream, options: options).picture(of: frame, size: size)
    }

    private func size(_ picture: StillPicture) -> [Int] { [picture.frame.buffer.width, picture.frame.buffer.height] }

    @Test(arguments: ChromaSubsampling.allCases, [8, 10])
    func whatNeedsNothingKeepsItsSamples(subsampling: ChromaSubsampling, depth: Int) throws {
        let format = try PixelFormat(subsampling: subsampling, bitDepth: depth)
        for (width, height) in [(64, 48), (37, 53), (1, 1)] {
            let buffer = try GeneratedPicture.texture(format, width: width, height: height)
            let picture = try shown(buffer)
            #expect(picture.frame.buffer.hasSameSamples(as: buffer) && picture.orientation == .up)
            #expect(picture.frame.sampleAspectRatio == Rational(1, 1))
        }
    }

    /// Pure BT.601 red remains red after all operations that do not affect color.
    @Test func aColorStaysItself() throws {
        let red = [81, 90, 240]
        let color = ColorDescription(matrix: .smpte170M, range: .limited, chromaLocation: .left)
        let buffer = try GeneratedPicture.draw(.yuv420p8, width: 37, height: 53) { plane, _, _ in red[plane] }
        let picture = try shown(buffer, matrix: Self.clockwise, ratio: Rational(4, 3), size: (31, 17), color: color)
        #expect(size(picture) == [31, 17] && picture.frame.color.matrix == .smpte170M)
        for plane in 0..<3 {
            let samples = picture.frame.buffer.samples(ofPlane: plane)
            #expect(samples.allSatisfy { Int($0) == red[plane] }, "plane \(plane)")
        }
    }

    @Test func picturesAreTurnedAsTheContainerAsks() throws {
        let format = try PixelFormat(subsampling: .monochrome, bitDepth: 8)
        let buffer = try GeneratedPicture.draw(format, width: 5, height: 3) { _, x, y in 10 * y + x }
        let turned = try shown(buffer, matrix: Self.clockwise)
        #expect(size(turned) == [3, 5] && turned.orientation == .up)
        // The first row has become the last column.
        let wanted: [UInt16] = [20, 10, 0, 21, 11, 1, 22, 12, 2, 23, 13, 3, 24, 14, 4]
        #expect(turned.frame.buffer.samples(ofPlane: 0) == wanted)
        let stored = try shown(buffer, matrix: Self.clockwise) { $0.appliesPreferredTrackTransform = false }
        #expect(stored.frame.buffer.hasSameSamples(as: buffer) && stored.orientation == .right)
    }

    @Test func pixelsBecomeSquareUnlessTheyAreWantedAsCoded() throws {
        let buffer = try GeneratedPicture.texture(width: 45, height: 37)
        #expect(size(try shown(buffer, ratio: Rational(4, 3))) == [60, 37])
        #expect(size(try shown(buffer, matrix: Self.clockwise, ratio: Rational(4, 3))) == [37, 60])
        let coded = try shown(buffer, ratio: Rational(4, 3)) { $0.apertureMode = .encodedPixels }
        #expect(coded.frame.buffer.hasSameSamples(as: buffer) && coded.frame.sampleAspectRatio == Rational(4, 3))
    }

    @Test func theCleanApertureIsCutOut() throws {
        let format = try PixelFormat(subsampling: .monochrome, bitDepth: 8)
        let buffer = try GeneratedPicture.draw(format, width: 21, height: 13) { _, x, y in 10 * y + x }
        let region = PictureRegion(x: 4, y: 2, width: 9, height: 7)
        let cut = try shown(buffer) { $0.cleanAperture = region }
        #expect(size(cut) == [9, 7])
        let wanted: [UInt16] = (2..<9).flatMap { (y: Int) -> [UInt16] in (4..<13).map { x in UInt16(10 * y + x) } }
        #expect(cut.frame.buffer.samples(ofPlane: 0) == wanted)
        let whole = try shown(buffer) { ($0.cleanAperture, $0.apertureMode) = (region, .productionAperture) }
        #expect(whole.frame.buffer.hasSameSamples(as: buffer))
        #expect(throws: FrameError.self) {
            try shown(buffer) { $0.cleanAperture = PictureRegion(x: 13, y: 2, width: 9, height: 7) }
        }
    }

    @Test func boxesMakeSmallerAndNeverLarger() throws {
        #expect(FrameRenderer.fit((1920, 1080), in: (100, 100)) == (100, 56))
        #expect(FrameRenderer.fit((1920, 1080), in: (0, 27)) == (48, 27))
        #expect(FrameRenderer.fit((64, 48), in: (1000, 0)) == (64, 48))
        #expect(FrameRenderer.fit((10_000, 3), in: (50, 50)) == (50, 1))
        let buffer = try GeneratedPicture.texture(width: 61, height: 31)
        #expect(size(try shown(buffer, matrix: Self.clockwise) { $0.maximumSize = (20, 20) }) == [10, 20])
    }
}
