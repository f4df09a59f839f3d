import FrameCore
import Glibc
import Kernels
import Motion

/// Collaborative filtering of one plane of a frame together with other frames, along the motion.
///
/// A block of 8×8 samples and the blocks it moves to form a group, whose three-dimensional spectrum is sparse if the
/// match is good. Dropping small coefficients removes noise; a bad match causes large coefficients, which are kept, so
/// that the content of each block stays in its own frame. After K. Dabov, A. Foi and K. Egiazarian, Video Denoising by
/// Sparse 3D Transform-Domain Collaborative Filtering (EUSIPCO 2007), and M. Maggioni et al., V-BM4D (IEEE TIP 2012),
/// with motion estimation instead of block matching. With a pilot (the basic estimate), coefficients are shrunk by
/// Wiener filtering instead.
struct CollaborativeFilter: Sendable {
    /// Coefficients below this many standard deviations count as noise, unless a filter has a threshold of its own.
    static let usualThreshold: Float = 3.2
    /// Rows of blocks per unit of work; independent of the thread count, as are the results.
    private static let stripeRows = 16

    typealias Sigma = @Sendable (_ column: Int, _ row: Int) -> Float

    let blocks: BlockGrid
    /// The plane in each frame, in presentation order.
    let planes: [PaddedPlane]
    /// The plane in each pilot, in the same order; nil for the first round.
    let pilots: [PaddedPlane]?
    let motion: [BlockMotion]
    let centre: Int
    /// The variance of the noise in each coefficient, relative to the square of `sigma`.
    let spectrum: [Float]
    /// Returns the standard deviation of the noise in a block, in code values.
    let sigma: Sigma
    let maximum: Int
    /// Coefficients below this many standard deviations count as noise; not used with pilots.
    private let threshold: Float
    /// The factor on the variance of what is constant over the frames.
    private let constantScale: Float
    private let transform: [Float]

    init(
        blocks: BlockGrid, planes: [PaddedPlane], pilots: [PaddedPlane]?, motion: [BlockMotion], centre: Int,
        maximum: Int, spectrum: [Float], threshold: Float, constantScale: Float, sigma: @escaping Sigma
    ) {
        self.blocks = blocks
        self.planes = planes
        self.pilots = pilots
        self.motion = motion
        self.centre = centre
        self.maximum = maximum
        self.spectrum = spectrum
        self.sigma = sigma
        self.threshold = threshold
        self.constantScale = constantScale
        transform = Self.cosines(planes.count)
    }

    /// Returns the orthonormal DCT-II of `count` values, one basis function per row.
    static func cosines(_ count: Int) -> [Float] {
        (0..<count * count).map { index in
            let (a, t) = (index / count, index % count)
            let scale = ((a == 0 ? 1.0 : 2.0) / Double(count)).squareRoot()
            return Float(scale * cos(Double.pi * Double(a * (2 * t + 1)) / Double(2 * count)))
        }
    }

    /// The weights of a block's samples, lower toward its edges, where the estimate is less reliable.
    private static let window: [Float] = (0..<64).map { index in
        func falloff(_ i: Int) -> Double { (Double(i) - 3.5) * (Double(i) - 3.5) / 16 }
        return Float(exp(-falloff(index / 8) - falloff(index % 8)))
    }

    /// The part of the sums that one stripe writes.
    fileprivate struct Stripe: Sendable {
        let firstRow: Int
        let rowCount: Int
        /// Offset of the stripe's sums in the buffer.
        let offset: Int
        var rows: Range<Int> { firstRow..<firstRow + rowCount }
    }

    fileprivate static func stripes(of blocks: BlockGrid) -> [Stripe] {
        var offset = 0
        return (0..<(blocks.rows + stripeRows - 1) / stripeRows).map { index in
            let first = index * stripeRows, last = min(blocks.rows, first + stripeRows) - 1
            let count = blocks.y(last) + BlockGrid.side - blocks.y(first)
            defer { offset += count * blocks.width }
            return Stripe(firstRow: blocks.y(first), rowCount: count, offset: offset)
        }
    }

    /// - Parameters:
    ///   - sums: a buffer large enough for the plane's blocks.
    ///   - context: the threads and kernels to use.
    func write(to destination: MutablePlane, sums: AggregationBuffer, context: ExecutionContext) {
        let stripes = Self.stripes(of: blocks)
        parallelFor(stripes.count, threads: context.threads) { filter(stripes[$0], index: $0, sums, context) }
        // Stripes overlap: each row adds what the previous stripe has summed for it.
        nonisolated(unsafe) let destination = destination
        let finish = KernelPair(
            context.kernels.pointee.collaborative_aggregate_row_8,
            context.kernels.pointee.collaborative_aggregate_row_16)[
                bytesPerSample: planes[0].bytesPerSample]
        parallelFor(stripes.count, threads: context.threads) { index in
            let stripe = stripes[index], before = index > 0 ? stripes[index - 1] : nil
            let end = index + 1 < stripes.count ? stripes[index + 1].firstRow : blocks.height
            for y in stripe.firstRow..<end {
                let offset = stripe.offset + (y - stripe.firstRow) * blocks.width
                let values = sums.values + offset, weights = sums.weights + offset
                if let before, before.rows.contains(y) {
                    let offset = before.offset + (y - before.firstRow) * blocks.width
                    for x in 0..<blocks.width {
                        values[x] += sums.values[offset + x]
                        weights[x] += sums.weights[offset + x]
                    }
                }
                finish(destination.row(y), values, weights, Int32(blocks.width), Int32(maximum))
            }
        }
        let sigma = sigma, grid = blocks
        let detail = IsolatedDetail(source: planes[centre], smoothness: PlaneNoise.smoothness(of: spectrum)) { x, y in
            sigma(min(x / grid.step, grid.columns - 1), min(y / grid.step, grid.rows - 1))
        }
        detail.restore(in: destination, losses: sums.values, context: context)
    }

    private func filter(_ stripe: Stripe, index: Int, _ sums: AggregationBuffer, _ context: ExecutionContext) {
        let size = stripe.rowCount * blocks.width
        (sums.values + stripe.offset).update(repeating: 0, count: size)
        (sums.weights + stripe.offset).update(repeating: 0, count: size)
        let shrink = KernelPair(
            context.kernels.pointee.collaborative_shrink_row_8, context.kernels.pointee.collaborative_shrink_row_16)[
                bytesPerSample: planes[0].bytesPerSample]
        let columns = blocks.columns
        let first = index * Self.stripeRows
        let frames = Scratch<vfx_collaborative_frame>(planes.count)
        let vectors = Scratch<Int16>(2 * columns * planes.count), sigmas = Scratch<Float>(columns)
        transform.withUnsafeBufferPointer { transform in
            spectrum.withUnsafeBufferPointer { spectrum in
                guard let transform = transform.baseAddress, let spectrum = spectrum.baseAddress else { return }
                var group = vfx_collaborative_group(
                    frames: Int32(planes.count), centre: Int32(centre), blocks: Int32(columns),
                    step: Int32(blocks.step), width: Int32(blocks.width), transform: transform, spectrum: spectrum,
                    sigma: sigmas.base, constant_scale: constantScale, threshold: threshold,
                    sum_stride: blocks.width, frame: frames.base)
                for row in first..<min(blocks.rows, first + Self.stripeRows) {
                    let y = blocks.y(row)
                    for column in 0..<columns { sigmas[column] = sigma(column, row) }
                    for (t, plane) in planes.enumerated() {
                        let mine = vectors.base + 2 * columns * t
                        motion[t].write(row, to: mine)
                        frames[t] = vfx_collaborative_frame(
                            origin: plane.row(y), pilot: pilots.map { UnsafeRawPointer($0[t].row(y)) },
                            stride: plane.stride, vectors: mine)
                    }
                    let at = stripe.offset + (y - stripe.firstRow) * blocks.width
                    shrink(&group, Self.window, sums.values + at, sums.weights + at)
                }
            }
        }
    }
}

/// Memory in which a plane's blocks are aggregated, kept from plane to plane: allocating and clearing it each time
/// takes a tenth of the total time.
///
/// `@unchecked Sendable`: each stripe is written by one thread, and other stripes' sums are read only once all are
/// written.
final class AggregationBuffer: @unchecked Sendable {
    fileprivate let values: UnsafeMutablePointer<Float>
    fileprivate let weights: UnsafeMutablePointer<Float>

    /// Allocates room for planes up to the size of the planes of these blocks.
    init(for blocks: [BlockGrid]) {
        let count =
            blocks.map { blocks in
                CollaborativeFilter.stripes(of: blocks).map { $0.rowCount * blocks.width }.reduce(0, +)
            }.max() ?? 0
        values = .allocate(capacity: count)
        weights = .allocate(capacity: count)
        values.initialize(repeating: 0, count: count)
        weights.initialize(repeating: 0, count: count)
    }

    deinit {
        values.deallocate()
        weights.deallocate()
    }
}
