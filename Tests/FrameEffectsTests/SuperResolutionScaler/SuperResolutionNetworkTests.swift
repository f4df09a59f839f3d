import FrameCore
import FrameEffects
import TestSupport
import Testing

/// Doubling with the trained networks, on drawn pictures.
@Suite struct SuperResolutionNetworkTests {
    static let models = SuperResolutionNetwork.Model.allCases

    private func grey(_ depth: Int) throws -> PixelFormat { try PixelFormat(subsampling: .monochrome, bitDepth: depth) }

    private func doubled(_ picture: PixelBuffer, _ model: SuperResolutionNetwork.Model, threads: Int = 2) throws
        -> PixelBuffer
    {
        var result = try PixelBuffer(format: picture.format, width: 2 * picture.width, height: 2 * picture.height)
        try picture.withPlanes { source throws(FrameError) in
            try result.withOverwrittenPlanes { planes throws(FrameError) in
                try SuperResolutionNetwork(NetworkWeights(model), context: .init(threads: threads)).apply(
                    source[0], into: planes[0], bitDepth: picture.format.bitDepth)
            }
        }
        return result
    }

    @Test(arguments: models, [8, 9, 10, 12, 16]) func constantStaysConstant(
        _ model: SuperResolutionNetwork.Model, _ depth: Int
    )
        throws
    {
        for (value, width, height) in [(0, 1, 1), (16, 16, 16), (117, 37, 5), (235, 600, 3), (255, 5, 40)] {
            let picture = try GeneratedPicture.flat(value, grey(depth), width: width, height: height)
            let samples = try doubled(picture, model).samples(ofPlane: 0)
            #expect(samples.count == 4 * width * height)
            #expect(samples.allSatisfy { $0 == UInt16(value << (depth - 8)) }, "\(value), \(width)x\(height)")
        }
    }

    /// Uses more rows than a band and more columns than a strip, and no round numbers.
    @Test(arguments: models) func threadsDoNotChangeTheResult(_ model: SuperResolutionNetwork.Model) throws {
        for (width, height) in [(1, 131), (533, 77), (1031, 33)] {
            let picture = try GeneratedPicture.texture(grey(8), width: width, height: height)
            let one = try doubled(picture, model, threads: 1)
            for threads in [2, 3, 8] {
                #expect(try doubled(picture, model, threads: threads).hasSameSamples(as: one), "\(width)x\(height)")
            }
        }
    }

    /// Part of a picture gives the same result as within the whole picture, except near the crop.
    @Test(arguments: models) func stripsLeaveNoSeams(_ model: SuperResolutionNetwork.Model) throws {
        let width = 1100, height = 40, reach = 14, part = 90
        func hash(_ x: Int, _ y: Int) -> Int { ((x &* 73_856_093) ^ (y &* 19_349_663)) >> 5 & 0xFF }
        let all = try doubled(
            GeneratedPicture.draw(grey(8), width: width, height: height) { hash($1, $2) }, model
        ).samples(ofPlane: 0)
        for start in stride(from: 0, to: width - part, by: part - 2 * reach) {
            let cut = try doubled(
                GeneratedPicture.draw(grey(8), width: part, height: height) { hash($1 + start, $2) }, model
            ).samples(ofPlane: 0)
            for y in 0..<2 * height {
                let whole = all[y * 2 * width + 2 * (start + reach)..<y * 2 * width + 2 * (start + part - reach)]
                let piece = cut[y * 2 * part + 2 * reach..<y * 2 * part + 2 * (part - reach)]
                #expect(whole.elementsEqual(piece), "row \(y) from column \(start)")
            }
        }
    }

    /// Soft and hard areas in one picture: where features are too large to mix rows, rows are processed one by one.
    /// Each area gives the same result as on its own.
    @Test(arguments: models) func hardEdgesDoNotChangeWhatIsSoft(_ model: SuperResolutionNetwork.Model) throws {
        let width = 96, height = 60, reach = 14
        func soft(_ x: Int, _ y: Int) -> Int { 110 + (x * 7 + y * 3) % 23 }
        func hard(_ x: Int, _ y: Int) -> Int { (x / 3 + y / 2) % 2 == 0 ? 0 : 255 }
        let whole = try doubled(
            GeneratedPicture.draw(grey(8), width: width, height: height) { $2 < 30 ? soft($1, $2) : hard($1, $2) },
            model)
        let above = try doubled(
            GeneratedPicture.draw(grey(8), width: width, height: 30) { soft($1, $2) }, model)
        let below = try doubled(
            GeneratedPicture.draw(grey(8), width: width, height: 30) { hard($1, $2 + 30) }, model)
        let all = whole.samples(ofPlane: 0), row = 2 * width
        let kept = 2 * (30 - reach) * row, from = 2 * (30 + reach) * row
        #expect(all[..<kept] == above.samples(ofPlane: 0)[..<kept])
        #expect(Array(all[from...]) == Array(below.samples(ofPlane: 0)[(from - 60 * row)...]))
    }

    /// A 10-bit result has finer steps than an 8-bit one; it is not the 8-bit result padded.
    @Test(arguments: models) func depthIsKept(_ model: SuperResolutionNetwork.Model) throws {
        func picture(_ depth: Int) throws -> PixelBuffer {
            try GeneratedPicture.waves(grey(depth), width: 60, height: 45)
        }
        let eight = try doubled(picture(8), model).samples(ofPlane: 0)
        for depth in [10, 12, 16] {
            let deep = try doubled(picture(depth), model).samples(ofPlane: 0), step = 1 << (depth - 8)
            #expect(zip(eight, deep).allSatisfy { abs(Int($0) * step - Int($1)) <= step / 2 + 1 || $0 == 255 })
            #expect(deep.contains { Int($0) % step != 0 })
        }
    }

    @Test func wrongSizesAndDepthsAreRefused() throws {
        let picture = try GeneratedPicture.flat(100, grey(8), width: 8, height: 6)
        for (width, height, depth) in [(16, 11, 8), (15, 12, 8), (8, 6, 8), (16, 12, 7), (16, 12, 17)] {
            var result = try PixelBuffer(format: grey(8), width: width, height: height)
            #expect(throws: FrameError.self) {
                try picture.withPlanes { source throws(FrameError) in
                    try result.withOverwrittenPlanes { planes throws(FrameError) in
                        try SuperResolutionNetwork(NetworkWeights(.small), context: .serial).apply(
                            source[0], into: planes[0], bitDepth: depth)
                    }
                }
            }
        }
    }

    private func meanSquare(_ a: [Double], _ b: [Double], width: Int) -> Double {
        var sum = 0.0, count = 0.0
        for index in a.indices where min(index % width, width - 1 - index % width) >= 8 {
            sum += (a[index] - b[index]) * (a[index] - b[index])
            count += 1
        }
        return sum / count
    }

    /// Drawn shapes are closer to the truth than with the cubic kernel at the same phases.
    @Test(arguments: models) func isCloserThanCubic(_ model: SuperResolutionNetwork.Model) throws {
        let width = 96, height = 96
        func full(_ x: Int, _ y: Int) -> Int { DiscsAndBars.level(x, y) }
        func half(_ x: Int, _ y: Int) -> Int {
            (full(2 * x, 2 * y) + full(2 * x + 1, 2 * y) + full(2 * x, 2 * y + 1) + full(2 * x + 1, 2 * y + 1) + 2) / 4
        }
        let picture = try GeneratedPicture.draw(grey(8), width: width, height: height) { half($1, $2) }
        let got = try doubled(picture, model).samples(ofPlane: 0).map(Double.init)
        let truth = (0..<4 * width * height).map { Double(full($0 % (2 * width), $0 / (2 * width))) }
        // The Catmull-Rom taps at a quarter of a sample.
        let taps = [-9.0 / 128, 111.0 / 128, 29.0 / 128, -3.0 / 128]
        func cubic(_ x: Int, _ y: Int) -> Double {
            var sum = 0.0
            for (j, wy) in taps.enumerated() {
                for (i, wx) in taps.enumerated() {
                    let sx = x / 2 + (x % 2 == 0 ? 1 - i : i - 1), sy = y / 2 + (y % 2 == 0 ? 1 - j : j - 1)
                    sum += wx * wy * Double(half(max(0, min(width - 1, sx)), max(0, min(height - 1, sy))))
                }
            }
            return sum
        }
        let plain = (0..<4 * width * height).map { cubic($0 % (2 * width), $0 / (2 * width)) }
        let mine = meanSquare(got, truth, width: 2 * width), theirs = meanSquare(plain, truth, width: 2 * width)
        #expect(mine < 0.8 * theirs, "mean square \(mine), cubic \(theirs)")
    }

    /// A hard edge has no noticeable bright or dark border, and neither has a thin line.
    @Test(arguments: models) func edgesDoNotRing(_ model: SuperResolutionNetwork.Model) throws {
        let edge = try GeneratedPicture.draw(grey(8), width: 48, height: 32) { _, x, _ in x < 20 ? 60 : 180 }
        let line = try GeneratedPicture.draw(grey(8), width: 48, height: 32) { _, _, y in y == 15 ? 60 : 180 }
        let (atEdge, atLine) = (try doubled(edge, model), try doubled(line, model))
        let edgeRange = atEdge.samples(ofPlane: 0).map(Int.init), beside = atLine.samples(ofPlane: 0).map(Int.init)
        // At most a fifth of the step, and nothing away from the edge.
        #expect(edgeRange.allSatisfy { (60 - 24...180 + 24).contains($0) })
        #expect(beside.allSatisfy { $0 <= 180 + 24 })
        for y in 0..<64 {
            for x in 0..<96 where abs(x - 40) > 16 { #expect(edgeRange[y * 96 + x] == (x < 40 ? 60 : 180)) }
        }
    }
}
