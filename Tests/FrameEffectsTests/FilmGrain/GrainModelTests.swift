import FrameCore
import FrameEffects
import TestSupport
import Testing

/// What is modelled from grain that is known.
@Suite struct GrainModelTests {
    private static let width = 640
    private static let height = 416

    /// Grain with a lag of 2, coarser across than down, and with chroma that follows luma in part.
    private static let known: FilmGrain = {
        let coefficients = [0, 2, 10, 2, 0, 0, 12, 30, 8, 0, -12, 60]
        let points: [FilmGrain.ScalingPoint] = [(16, 30), (128, 60), (235, 40)].map { .init(value: $0, scaling: $1) }
        return FilmGrain(
            seed: 1, lumaPoints: points, lumaCoefficients: coefficients,
            chroma: [
                .init(points: points, coefficients: coefficients + [40]),
                .init(points: points, coefficients: coefficients + [-20]),
            ], lag: 2, coefficientShift: 7, grainScaleShift: 1, scalingShift: 9)
    }()

    /// A picture without texture whose brightness rises from left to right.
    private func picture(_ format: PixelFormat) throws -> PixelBuffer {
        try GeneratedPicture.draw(format, width: Self.width, height: Self.height) { plane, x, _ in
            plane == 0 ? 20 + x / 3 : 128
        }
    }

    private func grainy(_ grain: FilmGrain, _ picture: PixelBuffer, seed: UInt16) throws -> PixelBuffer {
        var grain = grain
        grain.seed = seed
        return try FilmGrainSynthesizer(format: picture.format, width: Self.width, height: Self.height)
            .adding(grain, to: picture)
    }

    private func modelled(_ format: PixelFormat, amount: Double = 1) throws -> FilmGrain? {
        let clean = try picture(format)
        let sampler = GrainSampler(format: format, width: Self.width, height: Self.height)
        var statistics = GrainStatistics()
        for seed in UInt16(1)...6 {
            statistics.add(
                sampler.statistics(of: try grainy(Self.known, clean, seed: seed * 911), filtered: clean))
        }
        return GrainModel(statistics, format: format, amount: amount).grain(seed: 1)
    }

    /// The standard deviation of what was added to a range of columns, in code values.
    private func deviation(_ a: PixelBuffer, _ b: PixelBuffer, _ plane: Int, part: Range<Double>) -> Double {
        let (first, second) = (a.samples(ofPlane: plane), b.samples(ofPlane: plane))
        let width = a.format.planeWidth(plane, width: Self.width)
        let columns = Int(part.lowerBound * Double(width))..<Int(part.upperBound * Double(width))
        var sum = 0.0, count = 0.0
        for index in first.indices where columns.contains(index % width) {
            let difference = Double(first[index]) - Double(second[index])
            sum += difference * difference
            count += 1
        }
        return (sum / count).squareRoot()
    }

    /// The correlation of what was added with itself at a distance.
    private func correlation(_ a: PixelBuffer, _ b: PixelBuffer, _ plane: Int, dx: Int, dy: Int) -> Double {
        let width = a.format.planeWidth(plane, width: Self.width)
        let noise = zip(a.samples(ofPlane: plane), b.samples(ofPlane: plane)).map { Double($0) - Double($1) }
        var product = 0.0, power = 0.0
        for index in 0..<noise.count - dy * width - dx {
            product += noise[index] * noise[index + dy * width + dx]
            power += noise[index] * noise[index]
        }
        return product / power
    }

    @Test(arguments: ChromaSubsampling.allCases, [8, 10])
    func strengthAndShapeAreFound(subsampling: ChromaSubsampling, depth: Int) throws {
        let format = try PixelFormat(subsampling: subsampling, bitDepth: depth)
        let grain = try #require(try modelled(format))
        let clean = try picture(format)
        let wanted = try grainy(Self.known, clean, seed: 4242), made = try grainy(grain, clean, seed: 4242)
        for plane in 0..<format.planeCount {
            for part in [0.05..<0.35, 0.35..<0.65, 0.65..<0.95] {
                let ratio = deviation(made, clean, plane, part: part) / deviation(wanted, clean, plane, part: part)
                #expect(abs(ratio - 1) < (plane == 0 ? 0.1 : 0.15), "plane \(plane) at \(part): \(ratio)")
            }
            for (dx, dy) in [(1, 0), (0, 1), (2, 0), (1, 1), (0, 2), (3, 0)] {
                let difference =
                    correlation(made, clean, plane, dx: dx, dy: dy) - correlation(wanted, clean, plane, dx: dx, dy: dy)
                // In subsampled chroma, the part that follows luma makes the filter less exact.
                let most = plane > 0 && subsampling != .yuv444 ? 0.19 : 0.08
                #expect(abs(difference) < most, "plane \(plane) at \(dx), \(dy): \(difference)")
            }
        }
    }

    @Test func theAmountScalesTheStrength() throws {
        let clean = try picture(.yuv420p8)
        let whole = try grainy(try #require(try modelled(.yuv420p8)), clean, seed: 9)
        let half = try grainy(try #require(try modelled(.yuv420p8, amount: 0.5)), clean, seed: 9)
        let ratio = deviation(half, clean, 0, part: 0..<1) / deviation(whole, clean, 0, part: 0..<1)
        #expect(abs(ratio - 0.5) < 0.05)
    }

    @Test func noDifferenceIsNoGrain() throws {
        let clean = try picture(.yuv420p8)
        let sampler = GrainSampler(format: .yuv420p8, width: Self.width, height: Self.height)
        let statistics = sampler.statistics(of: clean, filtered: clean)
        #expect(GrainModel(statistics, format: .yuv420p8).grain(seed: 1) == nil)
        // A picture too small for a single block.
        let small = try GeneratedPicture.texture(width: 16, height: 16),
            flat = try GeneratedPicture.flat(
                90, width: 16, height: 16)
        let none = GrainSampler(format: .yuv420p8, width: 16, height: 16).statistics(of: small, filtered: flat)
        #expect(GrainModel(none, format: .yuv420p8).grain(seed: 1) == nil)
    }
}
