import FrameCore
import Imaging
import TestSupport
import Testing

@Suite struct JPEGColorConverterTests {
    private func converted(_ codes: [Int], _ color: ColorDescription) throws -> [Int] {
        let picture = try GeneratedPicture.draw(.yuv420p8, width: 17, height: 9) { plane, _, _ in codes[plane] }
        let converter = JPEGColorConverter(color)
        #expect(converter.result.matrix == .bt470BG && converter.result.range == .full)
        let result = try converter.converted(picture)
        return try (0..<3).map { plane in
            let samples = result.samples(ofPlane: plane)
            let first = try #require(samples.first)
            #expect(samples.allSatisfy { $0 == first })
            return Int(first)
        }
    }

    /// Red and grey in limited-range BT.709 become the code values that JFIF specifies.
    @Test func knownColorsHaveTheirCodes() throws {
        let hd = ColorDescription(matrix: .bt709, primaries: .bt709, transfer: .bt709, range: .limited)
        for (codes, wanted) in [([63, 102, 240], [76, 85, 255]), ([126, 128, 128], [128, 128, 128])] {
            for (found, wanted) in zip(try converted(codes, hd), wanted) { #expect(abs(found - wanted) <= 1) }
        }
    }

    @Test func whatIsRightStays() throws {
        let color = ColorDescription(matrix: .smpte170M, primaries: .bt709, transfer: .bt709, range: .full)
        #expect(try converted([76, 85, 255], color) == [76, 85, 255])
    }
}
