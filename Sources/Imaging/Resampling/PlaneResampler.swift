package import FrameCore
import Kernels

/// Resamples a plane: first vertically, then horizontally, with the weights of two axes. Uses integer arithmetic only,
/// so the result depends neither on the thread count nor on the machine.
package struct PlaneResampler: Sendable {
    /// Rows that a thread processes at a time.
    private static let bandHeight = 16

    let horizontal: ResamplingAxis
    let vertical: ResamplingAxis

    init(horizontal: ResamplingAxis, vertical: ResamplingAxis) {
        self.horizontal = horizontal
        self.vertical = vertical
    }

    /// Whether samples stay where they are.
    var isIdentity: Bool { horizontal.isIdentity && vertical.isIdentity }

    /// - Parameters:
    ///   - source: a plane of the axes' source size.
    ///   - target: a plane of the axes' target size.
    ///   - format: pixel format of both planes.
    ///   - context: the threads and kernels to use.
    package func resample(_ source: Plane, into target: MutablePlane, format: PixelFormat, context: ExecutionContext) {
        resample(source, into: target, depth: DepthConversion(format), context: context)
    }

    /// - Parameters:
    ///   - source: a plane of the axes' source size.
    ///   - target: a plane of the axes' target size.
    ///   - depth: bit depths of both planes.
    ///   - context: the threads and kernels to use.
    func resample(_ source: Plane, into target: MutablePlane, depth: DepthConversion, context: ExecutionContext) {
        nonisolated(unsafe) let (source, target) = (source, target)
        if isIdentity, depth.source == depth.target {
            let bytes = source.width * (depth.source > 8 ? 2 : 1)
            for y in 0..<target.height { target.row(y).copyMemory(from: source.row(y), byteCount: bytes) }
            return
        }
        parallelBands(target.height, height: Self.bandHeight, threads: context.threads) {
            rows($0, source, target, depth, context)
        }
    }

    private func rows(
        _ rows: Range<Int>, _ source: Plane, _ target: MutablePlane, _ depth: DepthConversion,
        _ context: ExecutionContext
    ) {
        let bits = Int32(depth.source), outBits = Int32(depth.filtered)
        let kernels = context.kernels.pointee
        let column = KernelPair(kernels.resample_column_8, kernels.resample_column_16)[bitDepth: depth.source]
        let row = KernelPair(kernels.resample_row_8, kernels.resample_row_16)[bitDepth: depth.filtered]
        let width = source.width, reach = max(0, horizontal.reach), taps = vertical.usedTaps
        let line = Scratch<Int16>(width + 2 * reach + 16), middle = line.base + reach
        let filtered = Scratch<UInt16>(depth.isDirect ? 0 : target.width)
        let pointers = Scratch<UnsafeRawPointer>(taps)
        for y in rows {
            let first = Int(vertical.starts[y])
            for k in 0..<taps { pointers[k] = source.row(min(max(first + k, 0), source.height - 1)) }
            vertical.weights.withUnsafeBufferPointer { weights in
                guard let weights = weights.baseAddress else { return }
                column(middle, pointers.base, weights + y * vertical.taps, Int32(taps), Int32(width), bits)
            }
            line.base.update(repeating: middle[0], count: reach)
            (middle + width).update(repeating: middle[width - 1], count: reach + 16)
            row(
                depth.isDirect ? target.row(y) : UnsafeMutableRawPointer(filtered.base), middle, horizontal.starts,
                horizontal.weights, Int32(horizontal.taps), Int32(target.width), outBits)
            if !depth.isDirect { depth.convert(filtered.base, to: target.row(y), count: target.width) }
        }
    }
}

/// Converts samples between bit depths: limited range by a power of two, full range so that the largest values match.
struct DepthConversion: Sendable, Hashable {
    /// Bits per source sample.
    let source: Int
    /// Bits per target sample.
    let target: Int
    /// Whether the filter kernels write target samples directly.
    let isDirect: Bool
    /// Bits per sample that the filter kernels write.
    let filtered: Int
    /// The factor from filtered samples to target samples, in units of 1/2³².
    private let factor: UInt64

    init(from source: PixelFormat, to target: PixelFormat, range: ColorDescription.Range) {
        let (from, to) = (source.bitDepth, target.bitDepth)
        let scalesByTwos = from == to || range != .full
        self.source = from
        self.target = to
        // For samples of up to 14 bits, the filter kernels work at 14 bits and can scale by powers of two themselves.
        isDirect = from == to || (scalesByTwos && max(from, to) <= 14)
        filtered = isDirect ? to : max(14, from)
        let extra = Double(1 << max(0, filtered - from))
        let scale =
            scalesByTwos
            ? Double(1 << to) / Double(1 << filtered)
            : Double(target.maximumValue) / (Double(source.maximumValue) * extra)
        factor = UInt64((scale * 0x1p32).rounded())
    }

    /// Creates a conversion that keeps the depth of `format`.
    init(_ format: PixelFormat) { self.init(from: format, to: format, range: .limited) }

    /// Converts a filtered row to the target's depth.
    func convert(_ row: UnsafePointer<UInt16>, to out: UnsafeMutableRawPointer, count: Int) {
        write(PixelFormat.typeOfSample(bitDepth: target), row, to: out, count: count)
    }

    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    private func write<Sample: PixelSample>(
        _: Sample.Type, _ row: UnsafePointer<UInt16>, to out: UnsafeMutableRawPointer, count: Int
    ) {
        let most = UInt64(1 << target) - 1, out = out.assumingMemoryBound(to: Sample.self)
        for x in 0..<count {
            out[x] = Sample(truncatingIfNeeded: min(most, (UInt64(row[x]) * factor + 0x8000_0000) >> 32))
        }
    }
}
