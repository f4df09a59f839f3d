import FrameCore
import Kernels
import Motion

/// Transfers detail from a neighbouring frame to the current one.
///
/// The neighbour, upscaled, is warped along the motion. Where the source frames match along it, the difference between the
/// warped neighbour and the current frame, upscaled so far, is added, except for its components coarser than a source
/// sample.
struct DetailTransfer {
    /// The largest scale factor at which the transfer improves the result.
    static let maximumFactor = 4
    /// Rows of the source that a thread processes at a time.
    private static let bandHeight = 16
    private static let margin = 32
    /// How much detail the previous output gives. That of all frames before it has accumulated there.
    static let previousTrust = vfx_detail_transfer_trust(most: 205, scale: 4)
    /// How much detail the next frame gives, which was upscaled on its own.
    static let nextTrust = vfx_detail_transfer_trust(most: 85, scale: 3)

    private let source: FrameDimensions
    private let output: FrameDimensions
    private let format: PixelFormat
    private let context: ExecutionContext
    /// Base-2 logarithm of how much finer the vectors are than 1/32 source sample.
    private let fineness: Int
    /// Horizontal places; nil if each sample becomes 2×2 samples.
    private let across: Places?
    private let down: Places

    /// The positions of output samples relative to the source samples.
    private struct Places {
        /// The source sample that contains each output sample.
        let map: [Int32]
        /// For each output sample, the first of the two nearest source samples' means, and the weight of the second in
        /// 1/64.
        let places: [vfx_detail_transfer_place]
        /// The number of output samples in each source sample.
        let counts: [Int32]
        /// The index of the first output sample in each source sample, followed by the total number.
        let starts: [Int]

        init(source: Int, output: Int) {
            map = (0..<output).map { Int32(($0 * 2 + 1) * source / (2 * output)) }
            places = (0..<output).map { index in
                // In 1/64 source samples from the centre of the first one.
                let at = Int(((Double(index) + 0.5) * Double(source) / Double(output) - 0.5) * 64 + 64.5) - 64
                return vfx_detail_transfer_place(first: Int32(at >> 6), weight: Int32(at & 63))
            }
            var counts = [Int32](repeating: 0, count: source)
            for index in map { counts[Int(index)] += 1 }
            self.counts = counts
            var starts = [0]
            for count in counts { starts.append((starts.last ?? 0) + Int(count)) }
            self.starts = starts
        }
    }

    /// - Returns: nil if the scale factor of a side exceeds ``maximumFactor``.
    init?(format: PixelFormat, source: FrameDimensions, output: FrameDimensions, context: ExecutionContext) {
        let most = Self.maximumFactor
        guard output.width <= most * source.width, output.height <= most * source.height else { return nil }
        self.format = format
        self.source = source
        self.output = output
        self.context = context
        let isDouble = output.width == 2 * source.width && output.height == 2 * source.height
        fineness = isDouble ? 1 : 2
        across = isDouble ? nil : Places(source: source.width, output: output.width)
        down = Places(source: source.height, output: output.height)
    }

    /// A frame whose detail is transferred.
    struct Neighbour {
        let pyramid: LumaPyramid
        /// Motion from the current frame to this one.
        let field: FlowField
        /// This frame, upscaled; only luma is read.
        let output: PixelBuffer
        /// How much of the detail is transferred.
        let trust: vfx_detail_transfer_trust
    }

    /// Detail ready to be transferred to a frame.
    struct Detail {
        fileprivate let output: PixelBuffer
        fileprivate let motion: Vectors
        /// Luma of the frame, reduced to 8 bits.
        fileprivate let luma: PaddedPlane
        /// How much of the detail is transferred, for each source sample, 0…255 in 1/256.
        let weights: PaddedPlane
    }

    /// Returns the detail of a neighbour for a frame.
    func detail(of neighbour: Neighbour, for current: LumaPyramid) throws(FrameError) -> Detail {
        let motion = Vectors(neighbour.field)
        return Detail(
            output: neighbour.output, motion: motion, luma: current.levels[0],
            weights: try weights(neighbour.pyramid, current, motion, neighbour.trust))
    }

    /// Returns the tiles of a frame that have much detail of which other frames give little.
    func own(beside details: [Detail]) -> TileMarks? {
        details.first.map { TileDetail.own(of: $0.luma, beside: details.map(\.weights), context: context) }
    }

    /// - Parameters:
    ///   - detail: what is transferred.
    ///   - upscaled: luma of the current frame, upscaled so far.
    ///   - target: receives `upscaled` with the transferred detail.
    func transfer(_ detail: Detail, to upscaled: PixelBuffer, into target: MutablePlane) throws(FrameError) {
        let moved = try detail.output.withPlanes { planes throws(FrameError) in
            try PaddedPlane(
                copying: planes[0], bytesPerSample: format.bytesPerSample, margin: Self.margin + 4, context: context)
        }
        upscaled.withPlanes { planes in
            nonisolated(unsafe) let (here, target) = (planes[0], target)
            parallelBands(source.height, height: Self.bandHeight, threads: context.threads) { rows in
                merge(rows, detail.motion, detail.weights, moved: moved, here: here, into: target)
            }
        }
    }

    /// The x and y components of a field's vectors in separate buffers, as the kernels require.
    fileprivate struct Vectors: Sendable {
        let vx: Buffer2D<Int16>
        let vy: Buffer2D<Int16>
        let level: Int

        init(_ field: FlowField) {
            level = field.level
            (vx, vy) = field.components
        }

        /// Writes the vectors of a row of source samples, in 1/32 source sample divided by 2^`fineness`.
        func row(
            _ y: Int, fineness: Int, count: Int, into x: UnsafeMutablePointer<Int16>,
            _ z: UnsafeMutablePointer<Int16>, scratch: UnsafeMutablePointer<Int16>, context: ExecutionContext
        ) {
            for (grid, out) in [(vx, x), (vy, z)] {
                grid.upsampleRow(
                    y, sideLog2: (2 + level, 2 + level), gainLog2: level + fineness, count: count, into: out,
                    scratch: scratch, context: context)
            }
        }
    }

    /// Returns the weight of the detail for each source sample, 0…255 in 1/256.
    private func weights(
        _ other: LumaPyramid, _ current: LumaPyramid, _ motion: Vectors, _ trust: vfx_detail_transfer_trust
    ) throws(FrameError) -> PaddedPlane {
        let luma = current.levels[0], width = source.width, height = source.height
        let residual = try PaddedPlane(width: width, height: height, bytesPerSample: 1, margin: 1)
        // The residual without motion.
        let still = try PaddedPlane(width: width, height: height, bytesPerSample: 1, margin: 1)
        let weights = try PaddedPlane(width: width, height: height, bytesPerSample: 1, margin: 0)
        measure(other.levels[0], luma, motion, residual: residual, still: still)
        parallelBands(height, height: Self.bandHeight, threads: context.threads) { rows in
            let scratch = Scratch<Int32>(3 * (width + 4))
            withUnsafePointer(to: trust) { trust in
                for y in rows {
                    context.kernels.pointee.detail_transfer_weight_row(
                        weights.bytes + y * weights.stride, residual.bytes + y * residual.stride, residual.stride,
                        luma.bytes + y * luma.stride, luma.stride, Int32(width), trust, scratch.base)
                    Self.dropStill(weights.bytes + y * weights.stride, residual, still, y, scratch.base)
                }
            }
        }
        return weights
    }

    /// Writes the frames' differences along the motion and without motion, and repeats their edges by one sample.
    private func measure(
        _ other: PaddedPlane, _ luma: PaddedPlane, _ motion: Vectors, residual: PaddedPlane, still: PaddedPlane
    ) {
        let width = source.width, height = source.height
        nonisolated(unsafe) let from = vfx_warp_source(
            origin: other.origin, stride: other.stride, width: Int32(width), height: Int32(height),
            margin: Int32(Self.margin))
        let scale = Int32(16384 >> fineness), columns = motion.vx.columns
        parallelBands(height, height: Self.bandHeight, threads: context.threads) { rows in
            let memory = Scratch<Int16>(3 * (width + 64) + columns)
            let vx = memory.base, vy = vx + width + 64, samples = vy + width + 64, scratch = samples + width + 64
            withUnsafePointer(to: from) { from in
                let moved = UnsafeMutableRawPointer(samples)
                for y in rows {
                    motion.row(y, fineness: fineness, count: width, into: vx, vy, scratch: scratch, context: context)
                    context.kernels.pointee.warp_row_8(moved, from, 0, Int32(y), Int32(width), vx, vy, scale, 255)
                    let luma = luma.bytes + y * luma.stride
                    Self.difference(moved.assumingMemoryBound(to: UInt8.self), luma, y, into: residual, context)
                    Self.difference(other.bytes + y * other.stride, luma, y, into: still, context)
                }
            }
        }
        for plane in [residual, still] {
            (plane.row(-1) - 1).copyMemory(from: plane.row(0) - 1, byteCount: width + 2)
            (plane.row(height) - 1).copyMemory(from: plane.row(height - 1) - 1, byteCount: width + 2)
        }
    }

    private static func difference(
        _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ y: Int, into plane: PaddedPlane,
        _ context: ExecutionContext
    ) {
        let row = plane.bytes + y * plane.stride, width = plane.width
        context.kernels.pointee.detail_transfer_difference_row(row, a, b, Int32(width))
        row[-1] = row[0]
        row[width] = row[width - 1]
    }

    /// Sets the weight to 0 where the frames match as well without motion: static content shows the same samples again,
    /// so there is no detail to gain, and warping would only blur it.
    private static func dropStill(
        _ weights: UnsafeMutablePointer<UInt8>, _ residual: PaddedPlane, _ still: PaddedPlane, _ y: Int,
        _ scratch: UnsafeMutablePointer<Int32>
    ) {
        let width = residual.width, columns = scratch + 1
        // Sums over 3×3 samples. Up to a tenth plus a quarter of a level more counts as an equally good match.
        func rows(_ plane: PaddedPlane) -> (UnsafePointer<UInt8>, UnsafePointer<UInt8>, UnsafePointer<UInt8>) {
            let row = UnsafePointer(plane.bytes) + y * plane.stride
            return (row - plane.stride, row, row + plane.stride)
        }
        let (a, b, c) = rows(residual), (d, e, f) = rows(still)
        for x in -1..<width + 1 {
            let moved = Int32(a[x]) &+ Int32(b[x]) &+ Int32(c[x])
            columns[x] = 10 &* (Int32(d[x]) &+ Int32(e[x]) &+ Int32(f[x])) &- 11 &* moved
        }
        for x in 0..<width where columns[x - 1] &+ columns[x] &+ columns[x + 1] <= 22 { weights[x] = 0 }
    }

    private func merge(
        _ rows: Range<Int>, _ motion: Vectors, _ weights: PaddedPlane, moved: PaddedPlane, here: Plane,
        into target: MutablePlane
    ) {
        // One more row of the source at each end, for interpolating between the rows of means.
        let inner = max(0, rows.lowerBound - 1)..<min(source.height, rows.upperBound + 1)
        let first = down.starts[inner.lowerBound], count = down.starts[inner.upperBound] - first
        let pitch = output.width + 16, meanPitch = source.width + 2
        let memory = Scratch<Int32>(count * pitch + (inner.count + 1) * meanPitch)
        let detail = memory.base, means = detail + count * pitch
        gather(inner, motion, weights, moved: moved, here: here, detail: detail, pitch, means: means, meanPitch)
        let between = means + inner.count * meanPitch, maximum = Int32(format.maximumValue)
        let kernel = KernelPair(
            context.kernels.pointee.detail_transfer_merge_row_8, context.kernels.pointee.detail_transfer_merge_row_16)[
                bitDepth: format.bitDepth]
        func write(_ places: UnsafePointer<vfx_detail_transfer_place>?) {
            for y in down.starts[rows.lowerBound]..<down.starts[rows.upperBound] {
                let place = down.places[y], weight = place.weight
                let above = min(max(Int(place.first), 0), source.height - 1) - inner.lowerBound
                let below = min(Int(place.first) + 1, source.height - 1) - inner.lowerBound
                let a = means + above * meanPitch, b = means + below * meanPitch
                for x in 0..<meanPitch { between[x] = (a[x] &* (64 &- weight) &+ b[x] &* weight &+ 32) >> 6 }
                kernel(
                    target.row(y), here.row(y), detail + (y - first) * pitch, between + 1, places,
                    Int32(output.width), maximum)
            }
        }
        if let across {
            across.places.withUnsafeBufferPointer { write($0.baseAddress) }
        } else {
            write(nil)
        }
    }

    /// Computes the detail of the output samples in `rows` of the source, and its mean over each source sample, with
    /// one more mean at each end.
    private func gather(
        _ rows: Range<Int>, _ motion: Vectors, _ weights: PaddedPlane, moved: PaddedPlane, here: Plane,
        detail: UnsafeMutablePointer<Int32>, _ pitch: Int, means: UnsafeMutablePointer<Int32>, _ meanPitch: Int
    ) {
        let width = output.width, depth = format.bitDepth, maximum = Int32(format.maximumValue)
        let warp = KernelPair(context.kernels.pointee.warp_row_8, context.kernels.pointee.warp_row_16)[bitDepth: depth]
        let kernel = KernelPair(
            context.kernels.pointee.detail_transfer_extract_row_8,
            context.kernels.pointee.detail_transfer_extract_row_16)[
                bitDepth: depth]
        let from = vfx_warp_source(
            origin: moved.origin, stride: moved.stride, width: Int32(width), height: Int32(output.height),
            margin: Int32(Self.margin))
        func scale(_ output: Int, _ source: Int) -> Int32 { Int32((output << (14 - fineness)) / source) }
        let scaleX = scale(width, source.width), scaleY = scale(output.height, source.height)
        let first = down.starts[rows.lowerBound], columns = motion.vx.columns
        func fill(_ map: UnsafePointer<Int32>?, _ memory: UnsafeMutablePointer<Int16>) {
            let lx = memory, ly = lx + source.width + 64, vx = ly + source.width + 64, vy = vx + width + 64
            let samples = UnsafeMutableRawPointer(vy + width + 64), scratch = vy + 2 * (width + 64)
            withUnsafePointer(to: from) { from in
                for row in rows {
                    motion.row(
                        row, fineness: fineness, count: source.width, into: lx, ly, scratch: scratch, context: context)
                    context.kernels.pointee.detail_transfer_spread_row(vx, lx, map, Int32(width), scaleX)
                    context.kernels.pointee.detail_transfer_spread_row(vy, ly, map, Int32(width), scaleY)
                    let sums = means + (row - rows.lowerBound) * meanPitch + 1
                    sums.update(repeating: 0, count: source.width)
                    for y in down.starts[row]..<down.starts[row + 1] {
                        warp(samples, from, 0, Int32(y), Int32(width), vx, vy, 16384, maximum)
                        kernel(
                            detail + (y - first) * pitch, sums, samples, here.row(y),
                            weights.bytes + row * weights.stride, map, Int32(width))
                    }
                    average(sums, rows: down.counts[row])
                    sums[-1] = sums[0]
                    sums[source.width] = sums[source.width - 1]
                }
            }
        }
        let memory = Scratch<Int16>(2 * (source.width + 64) + 3 * (width + 64) + columns)
        if let across {
            across.map.withUnsafeBufferPointer { fill($0.baseAddress, memory.base) }
        } else {
            fill(nil, memory.base)
        }
    }

    /// Divides sums by their counts; each source sample contains at least one output sample in each direction.
    private func average(_ sums: UnsafeMutablePointer<Int32>, rows: Int32) {
        guard let across else {
            for x in 0..<source.width { sums[x] = (sums[x] &+ 2) >> 2 }
            return
        }
        for x in 0..<source.width { sums[x] = sums[x] / max(1, rows &* across.counts[x]) }
    }
}
