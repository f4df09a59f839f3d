import FrameCore
import Imaging
import TestSupport
import Testing

@Suite struct RangeConverterTests {
    /// A picture whose planes hold every code of a depth in order.
    private func everyCode(_ depth: Int) throws -> PixelBuffer {
        let count = 1 << depth, width = min(count, 1024)
        let format = try PixelFormat(subsampling: .yuv444, bitDepth: depth)
        return try GeneratedPicture.drawCodes(format, width: width, height: count / width) { _, x, y in y * width + x }
    }

    /// The exact value by floating point, which has digits to spare.
    private func exact(
        _ code: Int, _ from: ColorDescription.Range, _ to: ColorDescription.Range, _ depth: Int, isLuma: Bool
    ) -> Int {
        let unit = Double(1 << (depth - 8)), most = Double((1 << depth) - 1), neutral = 128 * unit
        func scale(_ range: ColorDescription.Range) -> (zero: Double, span: Double) {
            switch (range == .full, isLuma) {
            case (true, true): (0, most)
            case (true, false): (neutral, most)
            case (false, true): (16 * unit, 219 * unit)
            case (false, false): (neutral, 224 * unit)
            }
        }
        let (old, new) = (scale(from), scale(to))
        let distance = ((Double(code) - old.zero) * new.span / old.span).rounded(.toNearestOrAwayFromZero)
        return Int(max(0, min(most, new.zero + distance)))
    }

    @Test(arguments: 8...16) func everyCodeIsExact(depth: Int) throws {
        let picture = try everyCode(depth)
        for (from, to) in [(ColorDescription.Range.full, ColorDescription.Range.limited), (.limited, .full)] {
            let result = try RangeConverter(from: from, to: to, bitDepth: depth).converted(picture)
            for plane in 0..<3 {
                let samples = result.samples(ofPlane: plane)
                let wrong = samples.indices.filter {
                    Int(samples[$0]) != exact($0, from, to, depth, isLuma: plane == 0)
                }
                #expect(wrong.isEmpty, "\(from) to \(to), plane \(plane): codes \(wrong.prefix(5))")
            }
        }
    }

    @Test func knownCodes() throws {
        func luma(_ code: Int, _ from: ColorDescription.Range, _ to: ColorDescription.Range) throws -> Int {
            let gray = try GeneratedPicture.drawCodes(.yuv420p8, width: 4, height: 4) { plane, _, _ in
                plane == 0 ? code : 128
            }
            let result = try RangeConverter(from: from, to: to, bitDepth: 8).converted(gray)
            #expect(result.samples(ofPlane: 1).allSatisfy { $0 == 128 })
            return Int(try #require(result.samples(ofPlane: 0).first))
        }
        #expect(try luma(0, .full, .limited) == 16)
        #expect(try luma(255, .full, .limited) == 235)
        #expect(try luma(191, .full, .limited) == 180)
        #expect(try luma(180, .limited, .full) == 191)
        #expect(try luma(255, .limited, .full) == 255)
        #expect(try luma(0, .unspecified, .full) == 0)
    }

    @Test(arguments: [8, 10, 16]) func limitedRangeSurvivesTheWayThroughFullRange(depth: Int) throws {
        let (black, span) = (16 << (depth - 8), 219 << (depth - 8))
        let picture = try GeneratedPicture.drawCodes(
            PixelFormat(subsampling: .monochrome, bitDepth: depth), width: 64, height: 16
        ) { _, x, y in black + (y * 64 + x) * span / 1023 }
        let full = try RangeConverter(from: .limited, to: .full, bitDepth: depth).converted(picture)
        #expect(!full.hasSameSamples(as: picture))
        let back = try RangeConverter(from: .full, to: .limited, bitDepth: depth).converted(full)
        #expect(back.hasSameSamples(as: picture))
    }

    @Test func anotherDepthIsRefused() throws {
        let picture = try GeneratedPicture.drawCodes(.yuv420p8, width: 4, height: 4) { _, _, _ in 1 }
        #expect(throws: FrameError.self) {
            try RangeConverter(from: .full, to: .limited, bitDepth: 10).converted(picture)
        }
    }
}
