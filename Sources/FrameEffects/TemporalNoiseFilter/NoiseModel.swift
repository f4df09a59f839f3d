package import FrameCore
import Motion

/// The noise of one plane: how strong it is at each brightness, and how it is distributed over the spatial frequencies.
///
/// Light and sensor make noise depend on brightness (A. Foi et al., Practical Poissonian-Gaussian noise modeling and
/// fitting for single-image raw-data, IEEE TIP 17(10), 2008); demosaicing, scaling and encoders remove its high
/// frequencies.
struct PlaneNoise: Sendable, Hashable {
    /// The number of brightness ranges, of equal width from black to white.
    static let rangeCount = 16
    /// The number of coefficients of a block.
    static let coefficientCount = 64
    /// The two lowest frequencies above 0.
    static let lowest = (1, BlockGrid.side)
    /// The 36 coefficients whose two frequencies add up to 7 or more.
    static let highFrequencies: [Int] = (0..<coefficientCount).filter {
        $0 / BlockGrid.side + $0 % BlockGrid.side >= BlockGrid.side - 1
    }

    /// The standard deviation in code values of the frame's depth, for each range of the brightness of luma.
    var deviations: [Float]
    /// The variance of each coefficient of the 8×8 DCT divided by the mean variance of those that are not the mean, in
    /// the order of the kernels; all 1 for white noise.
    var spectrum: [Float]
    /// The standard deviation over all ranges, weighted by how much of the picture they cover.
    var overall: Float

    /// Creates white noise that is the same at each brightness.
    init(sigma: Float) {
        deviations = .init(repeating: sigma, count: Self.rangeCount)
        spectrum = .init(repeating: 1, count: Self.coefficientCount)
        overall = sigma
    }

    init(deviations: [Float], spectrum: [Float], overall: Float) {
        self.deviations = deviations
        self.spectrum = spectrum
        self.overall = overall
    }

    /// - Parameter brightness: 0…255; the noise is interpolated linearly between the centres of the ranges.
    func deviation(at brightness: Float) -> Float {
        let place = brightness * (Float(Self.rangeCount) / 256) - 0.5
        let low = min(max(Int(place.rounded(.down)), 0), Self.rangeCount - 1), high = min(low + 1, Self.rangeCount - 1)
        let part = min(max(place - Float(low), 0), 1)
        return deviations[low] + (deviations[high] - deviations[low]) * part
    }

    /// How much of the high frequencies is missing: 0 for white noise, 1 if they have no variance at all.
    var smoothness: Float { Self.smoothness(of: spectrum) }

    /// The ``smoothness`` of noise with this spectrum.
    static func smoothness(of spectrum: [Float]) -> Float {
        let high = highFrequencies.reduce(0) { $0 + spectrum[$1] }
        return 1 - high / Float(highFrequencies.count)
    }

    /// Returns the noise with its standard deviation multiplied by `factor`.
    func scaled(by factor: Float) -> PlaneNoise {
        PlaneNoise(deviations: deviations.map { $0 * factor }, spectrum: spectrum, overall: overall * factor)
    }

    /// Whether there is none at any brightness.
    var isNothing: Bool { deviations.allSatisfy { $0 <= 0 } }

    /// Returns the noise with at least this standard deviation in each coefficient at each brightness.
    func with(atLeast deviation: Float) -> PlaneNoise {
        guard deviation > 0 else { return self }
        let least = deviation * deviation, part = 1 / Float(Self.coefficientCount - 1)
        func raised(_ value: Float) -> [Float] { spectrum.map { max($0 * value * value, least) } }
        func mean(_ variances: [Float]) -> Float { variances[1...].reduce(0, +) * part }
        let all = raised(overall), variance = mean(all)
        return PlaneNoise(
            deviations: deviations.map { mean(raised($0)).squareRoot() }, spectrum: all.map { $0 / variance },
            overall: variance.squareRoot())
    }
}

/// The noise of a frame or a clip, for each plane: how strong it is at each brightness, and how it is distributed over
/// the spatial frequencies.
public struct NoiseModel: Sendable, Hashable {
    var planes: [PlaneNoise]

    init(planes: [PlaneNoise]) { self.planes = planes }

    /// The median of several models of as many planes each; nil if there are none.
    package init?(medianOf models: [NoiseModel]) {
        guard let first = models.first else { return nil }
        func median(_ value: (NoiseModel) -> Float) -> Float { models.map(value).sorted()[models.count / 2] }
        planes = first.planes.indices.map { plane in
            let spectrum = first.planes[plane].spectrum.indices.map { index in
                median { $0.planes[plane].spectrum[index] }
            }
            // Its mean is 1 by definition, which that of the medians need not be.
            let mean = spectrum[1...].reduce(0, +) / Float(PlaneNoise.coefficientCount - 1)
            return PlaneNoise(
                deviations: first.planes[plane].deviations.indices.map { range in
                    median { $0.planes[plane].deviations[range] }
                },
                spectrum: mean > 0 ? spectrum.map { $0 / mean } : spectrum,
                overall: median { $0.planes[plane].overall })
        }
    }

    /// Returns the noise with its standard deviations multiplied by `factor`.
    func scaled(by factor: Float) -> NoiseModel { NoiseModel(planes: planes.map { $0.scaled(by: factor) }) }

    /// - Throws: `FrameError` if frames of this format have more planes of color.
    package func check(_ format: PixelFormat) throws(FrameError) {
        guard planes.count >= format.colorPlaneCount else {
            throw FrameError(
                .invalidArgument,
                "the noise model has \(planes.count) plane; the frames have \(format.colorPlaneCount)")
        }
    }

    /// The largest standard deviation of all planes and brightness ranges.
    var most: Float { planes.reduce(0) { max($0, $1.deviations.max() ?? 0) } }
}

/// The brightness of luma around the blocks of a plane.
struct BlockBrightness: Sendable {
    private let blocks: BlockGrid
    private let means: PaddedPlane
    /// Base-2 logarithms: of the number of samples per sample of `means`, and of luma samples per sample of the plane.
    private let level: Int
    private let shift: (x: Int, y: Int)

    init(_ blocks: BlockGrid, _ pyramid: LumaPyramid, horizontalShift: Int, verticalShift: Int) {
        self.blocks = blocks
        level = min(3, pyramid.levels.count - 1)
        means = pyramid.levels[level]
        shift = (horizontalShift, verticalShift)
    }

    /// The mean around the centre of a block.
    func mean(_ column: Int, _ row: Int) -> UInt8 {
        let half = BlockGrid.side / 2
        let x = ((blocks.x(column) + half) << shift.x) >> level, y = ((blocks.y(row) + half) << shift.y) >> level
        return means.bytes[min(y, means.height - 1) * means.stride + min(x, means.width - 1)]
    }
}
