import FrameCore
import Glibc
import Kernels
import Motion

/// Finds the traces of quantization in the luma of a picture.
///
/// A block codec sets small coefficients of its transform to 0. The DCT of 8×8 blocks that lie on the codec's grid
/// therefore has fewer coefficients just above 0 than the DCT of blocks between them, up to about half a quantizer step.
/// Where the difference between the two distributions has fallen to half of its largest value is the dead zone, whatever
/// the content; the size of the difference is the evidence. Only pictures coded on their own show it reliably: predicted
/// ones have the grid wherever the motion has moved it.
struct QuantizationEstimator {
    /// The offsets of the blocks between the grid, on either axis. Not 4, since many codecs have transforms of 4×4.
    private static let offsets = [3, 5]
    /// Bin `k` counts squared coefficients up to 2^(k − 4), which is half an octave of the coefficients.
    private static let binCount = 18
    /// The bins in which the largest difference is looked for: 0.5 to 23.
    private static let dead = 2...13
    /// The number of blocks at each offset that are measured at most, and needed at least.
    private static let blockCount = 200...6000
    /// Avoids a division by nearly 0 where no coefficients are left.
    private static let leastPart = 0.003
    /// Drawn patterns that repeat with the grid differ alike at all sizes. Quantization has less than this part of the
    /// largest difference at a quarter of its place, and not much beyond the dead zone.
    private static let pattern = (below: 0.85, above: 0.3)
    /// How much fewer small coefficients lie on the grid if its edges are not filtered.
    private static let hard = (first: 0.01, full: 0.05)

    /// - Parameters:
    ///   - plane: luma with a margin.
    ///   - scale: the number of code values per 8-bit code value.
    ///   - context: the threads and kernels to use.
    static func trace(_ plane: PaddedPlane, scale: Float, context: ExecutionContext) -> QuantizationTrace {
        let columns = (plane.width - BlockGrid.side) / BlockGrid.side
        let rows = (plane.height - BlockGrid.side) / BlockGrid.side
        guard columns > 0, rows > 0, columns * rows >= blockCount.lowerBound else { return QuantizationTrace() }
        let step = (columns * rows + blockCount.upperBound - 1) / blockCount.upperBound
        let chosen = Array(stride(from: step / 2, to: rows, by: step))
        let shifts = [(0, 0)] + offsets.flatMap { [($0, 0), (0, $0), ($0, $0)] }
        let counts = Buffer2D<Int32>(columns: binCount * shifts.count, rows: chosen.count)
        parallelFor(chosen.count, threads: context.threads) { row in
            let mine = counts.base + row * binCount * shifts.count
            mine.update(repeating: 0, count: binCount * shifts.count)
            for (index, shift) in shifts.enumerated() {
                count(
                    plane, columns, at: (shift.0, BlockGrid.side * chosen[row] + shift.1), scale,
                    to: mine + binCount * index, context)
            }
        }
        let total = Double(columns * chosen.count)
        let parts = shifts.indices.map { shift in
            // The part of the coefficients below each limit.
            var sum = 0.0
            return (0..<binCount - 1).map { bin in
                for row in 0..<chosen.count {
                    sum += Double(counts.base[(row * shifts.count + shift) * binCount + bin])
                }
                return sum / (49 * total)
            }
        }
        return trace(parts, blocks: total)
    }

    /// Counts the squares of a row of blocks' coefficients that depend on both axes.
    private static func count(
        _ plane: PaddedPlane, _ columns: Int, at place: (x: Int, y: Int), _ scale: Float,
        to bins: UnsafeMutablePointer<Int32>, _ context: ExecutionContext
    ) {
        let coefficients = PlaneNoise.coefficientCount
        let measure = KernelPair(
            context.kernels.pointee.collaborative_noise_row_8, context.kernels.pointee.collaborative_noise_row_16)[
                bytesPerSample: plane.bytesPerSample]
        let part = 1 / (scale * scale)
        let spectra = Scratch<Float>(2 * coefficients * columns)
        let vectors = Scratch<Int16>(2 * columns, filledWith: 0)
        var frame = vfx_collaborative_frame(
            origin: plane.row(place.y) + place.x * plane.bytesPerSample, pilot: nil, stride: plane.stride,
            vectors: vectors.base)
        withUnsafePointer(to: Float(0)) { none in
            withUnsafePointer(to: &frame) { frame in
                var group = vfx_collaborative_group(
                    frames: 1, centre: 0, blocks: Int32(columns), step: Int32(BlockGrid.side),
                    width: Int32(columns * BlockGrid.side), transform: none, spectrum: none, sigma: none,
                    constant_scale: 1, threshold: 0, sum_stride: 0, frame: frame)
                measure(&group, spectra.base, spectra.base + coefficients * columns)
            }
        }
        for block in 0..<columns {
            for row in 1..<BlockGrid.side {
                let squares = spectra.base + coefficients * block + BlockGrid.side * row
                for k in 1..<BlockGrid.side {
                    let exponent = Int((squares[k] * part).bitPattern >> 23) &- 127
                    bins[min(max(exponent &+ 5, 0), binCount &- 1)] &+= 1
                }
            }
        }
    }

    /// - Parameter parts: for each offset, the part of the coefficients below each limit.
    private static func trace(_ parts: [[Double]], blocks: Double) -> QuantizationTrace {
        let count = Double(offsets.count)
        // What both axes together add: patterns that repeat along one axis only, such as lines of text, cancel out.
        let excess = (0..<binCount - 1).map { bin in
            offsets.indices.reduce(0) { sum, index in
                sum + parts[0][bin] - parts[3 * index + 1][bin] - parts[3 * index + 2][bin] + parts[3 * index + 3][bin]
            } / count
        }
        let scores = excess.indices.map { bin in
            let between = offsets.indices.reduce(0) { $0 + parts[3 * $1 + 3][bin] } / count
            return excess[bin] * (blocks / max(1 - between + leastPart, leastPart)).squareRoot()
        }
        guard let peak = dead.max(by: { scores[$0] < scores[$1] }), scores[peak] > 0 else { return QuantizationTrace() }
        let half = scores[peak] / 2
        guard let end = (peak + 1..<scores.count).first(where: { scores[$0] < half }),
            scores[max(peak - 4, 0)] < pattern.below * scores[peak],
            scores[min(end + 3, scores.count - 1)] < pattern.above * scores[peak]
        else { return QuantizationTrace() }
        let place = Double(end) - (half - scores[end]) / (scores[end - 1] - scores[end])
        let missing = -(excess[..<6].min() ?? 0)
        var trace = QuantizationTrace()
        trace.deadZone = Float(exp2((place - 4) / 2))
        trace.evidence = Float(scores[peak])
        trace.excess = Float(scores[peak] * (3600 / blocks).squareRoot())
        trace.hardness = Float(min(max((missing - hard.first) / (hard.full - hard.first), 0), 1))
        return trace
    }
}
