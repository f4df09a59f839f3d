import FrameCore
import FrameEffects
import TestSupport
import Testing

/// How a picture was reduced, estimated from its luma.
@Suite struct DegradationEstimatorTests {
    private static let width = 300, height = 240

    /// Discs and bars with soft borders, and with `noise` a texture.
    private static func truth(noise: Bool) -> [Int] {
        func random(_ x: Int, _ y: Int) -> Int { ((x &* 73_856_093) ^ (y &* 19_349_663)) >> 5 & 0xFF }
        let binomial = [1, 4, 6, 4, 1]
        return (0..<width * height).map { index in
            let (x, y) = (index % width, index / width)
            guard noise else { return DiscsAndBars.level(x, y) }
            var sum = 0
            for v in 0..<5 {
                for u in 0..<5 { sum += binomial[v] * binomial[u] * random(x + u, y + v) }
            }
            return (3 * DiscsAndBars.level(x, y) * 256 + sum) / 1024
        }
    }

    private enum Reduction { case area, cubic }

    /// A picture of half the size.
    private func reduced(_ truth: [Int], _ reduction: Reduction, depth: Int = 8) throws -> PixelBuffer {
        let taps = reduction == .area ? [0, 0, 0, 128, 128, 0, 0, 0] : [-3, -9, 29, 111, 111, 29, -9, -3]
        func at(_ x: Int, _ y: Int) -> Int {
            truth[min(max(y, 0), Self.height - 1) * Self.width + min(max(x, 0), Self.width - 1)]
        }
        return try GeneratedPicture.draw(
            PixelFormat(subsampling: .monochrome, bitDepth: depth), width: Self.width / 2, height: Self.height / 2
        ) { _, x, y in
            var sum = 0
            for (v, down) in taps.enumerated() where down != 0 {
                for (u, across) in taps.enumerated() { sum += down * across * at(2 * x + u - 3, 2 * y + v - 3) }
            }
            return min(max((sum + 32_768) >> 16, 0), 255)
        }
    }

    private func certainty(_ picture: PixelBuffer) throws -> Double? {
        picture.withPlanes { DegradationEstimator.certainty(of: $0[0], bitDepth: picture.format.bitDepth) }
    }

    private func condition(_ picture: PixelBuffer) throws -> DegradationCondition {
        picture.withPlanes { DegradationCondition(of: $0[0], bitDepth: picture.format.bitDepth, coding: 5) }
    }

    /// The numbers are those of `estimator.py` with `estimator.json` in `Training/StillImages`.
    @Test func theCertaintyIsThatOfTheTrainingScripts() throws {
        for (noise, area, cubic) in [
            (false, -2.779_647_734_768_156_3, 2.113_864_850_884_296_3),
            (true, -2.030_958_781_204_546_4, 2.737_543_578_990_117_8),
        ] {
            let truth = Self.truth(noise: noise)
            for (reduction, wanted) in [(Reduction.area, area), (.cubic, cubic)] {
                let found = try #require(try certainty(reduced(truth, reduction)))
                #expect(abs(found - wanted) < 1e-9, "\(reduction), noise \(noise): \(found)")
            }
        }
    }

    /// More bits do not change the answer.
    @Test(arguments: [8, 10, 16]) func theKernel(_ depth: Int) throws {
        let truth = Self.truth(noise: true)
        #expect(try condition(reduced(truth, .area, depth: depth)) == DegradationCondition(kernel: 0, coding: 5))
        #expect(try condition(reduced(truth, .cubic, depth: depth)) == DegradationCondition(kernel: 16, coding: 5))
    }

    @Test func whatIsNotShownIsUnknown() throws {
        let grey = try PixelFormat(subsampling: .monochrome, bitDepth: 8)
        let unknown = DegradationCondition(kernel: 8, coding: 5)
        for (width, height) in [(1, 1), (15, 400), (400, 15), (64, 64), (300, 200)] {
            let flat = try GeneratedPicture.flat(117, grey, width: width, height: height)
            #expect(try certainty(flat) == nil && condition(flat) == unknown)
        }
        let slope = try GeneratedPicture.draw(grey, width: 200, height: 100) { _, x, y in (x + y) / 5 }
        #expect(try certainty(slope) == nil)
        let small = try GeneratedPicture.texture(grey, width: 15, height: 15)
        #expect(try certainty(small) == nil)
        #expect(try certainty(GeneratedPicture.texture(grey, width: 16, height: 16)) != nil)
    }

    /// Of large pictures, some lines stand for all of them.
    @Test func largePicturesAreThinnedOut() throws {
        let grey = try PixelFormat(subsampling: .monochrome, bitDepth: 8)
        let part = try reduced(Self.truth(noise: false), .cubic).samples(ofPlane: 0)
        let large = try GeneratedPicture.draw(grey, width: 1800, height: 1440) { _, x, y in
            Int(part[y % 120 * 150 + x % 150])
        }
        #expect(try condition(large).kernel >= 14)
        let tall = try GeneratedPicture.texture(grey, width: 17, height: 65_535)
        #expect(try certainty(tall)?.isFinite == true)
    }
}
