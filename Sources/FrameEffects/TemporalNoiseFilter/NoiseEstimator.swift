import FrameCore
import Kernels
import Motion

/// Estimates how much noise a frame has.
///
/// Noise shows in the high frequencies of a block and of its difference from the block it moves to. In most blocks, at
/// least one of the two also contains something other than noise, so a low quantile of the blocks is used, corrected
/// for this selection with the distribution that white noise would have.
struct NoiseEstimator: Sendable {
    /// The distance between measured blocks in samples; shorter for planes that would have too few blocks.
    private static func step(width: Int, height: Int) -> Int { width * height < 300 * 300 ? 4 : 12 }
    /// The number of coefficients that are measured per block.
    private static let freedom = 36.0
    /// The fraction of the blocks that counts as flat.
    private static let quantile = 0.25
    /// The minimum number of blocks in a brightness range; fewer give no estimate.
    private static let fewest = 40

    /// The mean square of each block's high frequencies, within and between frames, and its mean value.
    struct Measured: Sendable {
        var spatial: [Float] = []
        var temporal: [Float] = []
        var mean: [Float] = []
    }

    /// Measures a plane of `a` and its difference from the same plane of `b`.
    ///
    /// - Parameters:
    ///   - field: motion from `a` to `b` on a level of the pyramid; nil for no motion.
    ///   - horizontalShift: base-2 logarithm of the number of luma samples per sample of the planes.
    static func measure(
        _ a: PaddedPlane, _ b: PaddedPlane, _ field: MotionVectorField?, level: Int, horizontalShift: Int,
        verticalShift: Int,
        threads: Int
    ) -> Measured {
        let blocks = BlockGrid(width: a.width, height: a.height, step: step(width: a.width, height: a.height))
        let motion = BlockMotion(
            field: field, level: level, blocks: blocks, horizontalShift: horizontalShift, verticalShift: verticalShift)
        let columns = blocks.columns, rows = blocks.rows
        let spatial = Buffer2D<Float>(columns: columns, rows: rows, filledWith: 0)
        let temporal = Buffer2D<Float>(columns: columns, rows: rows, filledWith: 0)
        let mean = Buffer2D<Float>(columns: columns, rows: rows, filledWith: 0)
        let noise = a.bytesPerSample == 1 ? kernels.collaborative_noise_row_8 : kernels.collaborative_noise_row_16
        parallelFor(rows, threads: threads) { row in
            let y = blocks.y(row)
            withUnsafeTemporaryAllocation(of: Int16.self, capacity: 4 * columns) { vectors in
                withUnsafeTemporaryAllocation(of: vfx_collaborative_frame.self, capacity: 2) { frames in
                    guard let vectors = vectors.baseAddress, let frames = frames.baseAddress else { return }
                    vectors.update(repeating: 0, count: 2 * columns)
                    motion.write(row, to: vectors + 2 * columns)
                    for (t, plane) in [a, b].enumerated() {
                        frames[t] = vfx_collaborative_frame(
                            origin: plane.row(y), pilot: nil, stride: plane.stride, vectors: vectors + 2 * columns * t)
                    }
                    withUnsafePointer(to: Float(0)) { none in
                        var group = vfx_collaborative_group(
                            frames: 2, centre: 0, blocks: Int32(columns), step: Int32(blocks.step),
                            width: Int32(a.width),
                            transform: none, sigma: none, threshold: 0, sum_stride: 0, frame: frames)
                        noise(
                            &group, spatial.base + row * columns, temporal.base + row * columns,
                            mean.base + row * columns)
                    }
                }
            }
        }
        func values(_ grid: Buffer2D<Float>) -> [Float] {
            Array(UnsafeBufferPointer(start: grid.base, count: columns * rows))
        }
        return Measured(spatial: values(spatial), temporal: values(temporal), mean: values(mean))
    }

    /// Returns the standard deviation that explains the flattest blocks; nil if there are too few.
    ///
    /// Blocks close to black and white are ignored, because clipping reduces their noise.
    static func sigma(_ measured: Measured, scale: Float, brightness: Range<Float>? = nil) -> Float? {
        let dark: Float = 12 * scale, bright: Float = 243 * scale
        let usable = measured.mean.indices.filter { index in
            let mean = measured.mean[index]
            return mean > dark && mean < bright && (brightness.map { $0.contains(mean) } ?? true)
        }
        guard usable.count >= fewest else { return nil }
        func low(_ values: [Float]) -> Float {
            let sorted = usable.map { values[$0] }.sorted()
            return sorted[Int(Double(sorted.count) * quantile)]
        }
        // Quantile of the chi-square distribution divided by its degrees of freedom (Wilson and Hilferty, 1931).
        let spread = 2 / (9 * freedom), root = 1 - spread - 0.6745 * spread.squareRoot()
        return (min(low(measured.spatial), low(measured.temporal)) / Float(root * root * root)).squareRoot()
    }
}

/// The standard deviation of each plane's noise, in code values of the frame's depth; for luma, by brightness.
struct NoiseProfile: Sendable, Hashable {
    /// The number of brightness ranges, of equal width from black to white.
    static let binCount = 16

    var luma: [Float]
    var chroma: [Float]

    /// Creates a profile with the same noise everywhere.
    init(sigma: Float) {
        luma = .init(repeating: sigma, count: Self.binCount)
        chroma = [sigma, sigma]
    }

    init(luma: [Float], chroma: [Float]) {
        self.luma = luma
        self.chroma = chroma
    }

    /// The mean standard deviation over all brightness ranges.
    var meanLuma: Float { luma.reduce(0, +) / Float(luma.count) }

    /// The largest standard deviation of all planes and brightness ranges.
    var most: Float { max(luma.max() ?? 0, chroma.max() ?? 0) }

    /// - Parameter brightness: 0…255; the noise is interpolated linearly between the centres of the ranges.
    func luma(at brightness: Float) -> Float {
        let place = brightness * (Float(Self.binCount) / 256) - 0.5
        let low = min(max(Int(place.rounded(.down)), 0), Self.binCount - 1), high = min(low + 1, Self.binCount - 1)
        let part = min(max(place - Float(low), 0), 1)
        return luma[low] + (luma[high] - luma[low]) * part
    }

    /// Returns the noise of each block of a frame, by its brightness.
    func lumaSigma(_ blocks: BlockGrid, _ pyramid: LumaPyramid) -> @Sendable (_ column: Int, _ row: Int) -> Float {
        if let first = luma.first, luma.allSatisfy({ $0 == first }) { return { _, _ in first } }
        let shift = min(3, pyramid.levels.count - 1), means = pyramid.levels[shift], half = BlockGrid.side / 2
        return { column, row in
            let x = (blocks.x(column) + half) >> shift, y = (blocks.y(row) + half) >> shift
            return luma(at: Float(means.bytes[y * means.stride + x]))
        }
    }
}
