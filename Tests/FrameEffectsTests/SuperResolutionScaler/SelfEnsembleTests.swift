import FrameCore
import FrameEffects
import TestSupport
import Testing

/// Doubling in several rotations, on drawn pictures.
@Suite struct SelfEnsembleTests {
    private func grey(_ depth: Int) throws -> PixelFormat { try PixelFormat(subsampling: .monochrome, bitDepth: depth) }

    private func doubled(
        _ picture: PixelBuffer, _ model: SuperResolutionNetwork.Model = .large,
        rotations: SuperResolutionNetwork.Rotations = .four, threads: Int = 2
    ) throws -> PixelBuffer {
        var result = try PixelBuffer(format: picture.format, width: 2 * picture.width, height: 2 * picture.height)
        try picture.withPlanes { source throws(FrameError) in
            try result.withOverwrittenPlanes { planes throws(FrameError) in
                try SuperResolutionNetwork(
                    NetworkWeights(model), rotations: rotations, context: .init(threads: threads)
                ).apply(
                    source[0], into: planes[0], bitDepth: picture.format.bitDepth)
            }
        }
        return result
    }

    /// Makes a picture from samples as they are, each in 16 bits of memory.
    private func picture(
        _ depth: Int, width: Int, height: Int, value: (_ x: Int, _ y: Int) -> UInt16
    ) throws -> PixelBuffer {
        var buffer = try PixelBuffer(format: grey(depth), width: width, height: height)
        try buffer.withOverwrittenPlanes { planes in
            for y in 0..<height {
                for x in 0..<width {
                    planes[0].row(y).storeBytes(of: value(x, y), toByteOffset: 2 * x, as: UInt16.self)
                }
            }
        }
        return buffer
    }

    /// Rotates a picture from ``picture(_:width:height:value:)`` by a quarter turn.
    private func turned(_ picture: PixelBuffer) throws -> PixelBuffer {
        let samples = picture.samples(ofPlane: 0), width = picture.width, height = picture.height
        return try self.picture(picture.format.bitDepth, width: height, height: width) {
            samples[(height - 1 - $0) * width + $1]
        }
    }

    @Test(arguments: SuperResolutionNetwork.Model.allCases, [9, 10, 16])
    func constantStaysConstant(_ model: SuperResolutionNetwork.Model, _ depth: Int) throws {
        let most = (1 << depth) - 1
        for (value, width, height) in [(0, 1, 1), (most, 5, 40), (most / 3, 240, 3), (16, 233, 9)] {
            let flat = try picture(depth, width: width, height: height) { _, _ in UInt16(value) }
            let samples = try doubled(flat, model).samples(ofPlane: 0)
            #expect(samples.count == 4 * width * height)
            #expect(samples.allSatisfy { $0 == UInt16(value) }, "\(value), \(width)x\(height)")
        }
    }

    @Test(arguments: [SuperResolutionNetwork.Model.large, .image])
    func threadsDoNotChangeTheResult(_ model: SuperResolutionNetwork.Model) throws {
        let picture = try GeneratedPicture.texture(grey(8), width: 401, height: 203)
        let one = try doubled(picture, model, threads: 1)
        for threads in [2, 5] { #expect(try doubled(picture, model, threads: threads).hasSameSamples(as: one)) }
    }

    /// The result is the mean over the rotations, rounded once; pictures larger than one rectangle have no seams.
    @Test(
        arguments: [(37, 21), (245, 237), (1, 7)],
        [(SuperResolutionNetwork.Model.large, SuperResolutionNetwork.Rotations.two), (.large, .four), (.image, .four)])
    func theMeanOfRotations(
        _ size: (width: Int, height: Int),
        _ network: (model: SuperResolutionNetwork.Model, rotations: SuperResolutionNetwork.Rotations)
    ) throws {
        let (width, height) = size, (model, rotations) = network
        let picture = try GeneratedPicture.texture(grey(8), width: width, height: height)
        let samples = picture.samples(ofPlane: 0)
        var deep = try self.picture(16, width: width, height: height) { samples[$1 * width + $0] << 8 }
        var sums = [Int](repeating: 0, count: 4 * width * height)
        for position in 0..<4 {
            if position % (4 / rotations.rawValue) == 0 {
                var large = try doubled(deep, model, rotations: .one)
                for _ in 0..<(4 - position) % 4 { large = try turned(large) }
                for (index, sample) in large.samples(ofPlane: 0).enumerated() { sums[index] += Int(sample) }
            }
            deep = try turned(deep)
        }
        let mean = sums.map { UInt16(min(255, ($0 + 128 * rotations.rawValue) / (256 * rotations.rawValue))) }
        #expect(try doubled(picture, model, rotations: rotations).samples(ofPlane: 0) == mean)
    }

    /// Rotating before or after doubling gives the same result.
    @Test func thePositionDoesNotMatter() throws {
        let picture = try GeneratedPicture.texture(grey(10), width: 90, height: 61)
        #expect(try turned(doubled(picture)).hasSameSamples(as: doubled(turned(picture))))
        #expect(
            try !turned(doubled(picture, rotations: .one)).hasSameSamples(
                as: doubled(turned(picture), rotations: .one))
        )
    }
}
