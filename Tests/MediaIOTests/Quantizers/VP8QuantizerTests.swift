import FrameCore
import MediaIO
import TestSupport
import Testing

/// The quantizer step that a lossy WebP file states.
@Suite struct VP8QuantizerTests {
    private let codec = StillCodec()

    private func webp(quality: Int?) throws -> [UInt8] {
        let frame = Frame(
            buffer: try GeneratedPicture.texture(.yuv420p8, width: 96, height: 64), presentationTime: .zero,
            color: ColorDescription(
                matrix: .smpte170M, primaries: .unspecified, transfer: .unspecified, range: .limited,
                chromaLocation: .center))
        var options = StillOptions()
        if let quality { options = StillOptions(quality: quality) } else { options.isLossless = true }
        return try codec.encode(StillPicture(frame: frame), as: .webp, options: options).bytes
    }

    private func step(_ file: [UInt8]) throws -> Double? { try codec.decode(file).quantizerStep }

    /// Lower qualities have larger steps, between those of the table's ends.
    @Test func theStepGrowsAsTheQualityFalls() throws {
        let steps = try [95, 75, 40, 10, 1].map { try #require(try step(webp(quality: $0))) }
        #expect(steps == steps.sorted() && Set(steps).count == steps.count, "\(steps)")
        #expect(try #require(steps.first) >= 2 && #require(steps.last) <= 142, "\(steps)")
        #expect(try #require(steps.last) > 5 * #require(steps.first), "\(steps)")
        #expect(try codec.decode(webp(quality: 40)).isLoopFiltered)
    }

    @Test func losslessFilesHaveNone() throws {
        let picture = try codec.decode(webp(quality: nil))
        #expect(picture.quantizerStep == nil && !picture.isLoopFiltered)
    }
}
