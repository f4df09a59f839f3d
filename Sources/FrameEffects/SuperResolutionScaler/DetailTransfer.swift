import FrameCore
import Kernels
import Motion

/// Takes detail over from what was made of the picture before: it is moved along the motion, and where the pictures match
/// along it what it shows beyond the picture made by itself is added, but for what is coarser than a source sample.
struct DetailTransfer {
    /// Factors up to which it is worth it.
    static let maximumFactor = 4
    /// Rows of the source that one thread takes at a time.
    private static let bandHeight = 16
    private static let margin = 32
    private static let trust = vfx_detail_transfer_trust(most: 205, scale: 4)

    private let source: FrameDimensions
    private let output: FrameDimensions
    private let format: PixelFormat
    private let threads: Int
    /// Power of two by which vectors are finer than 1/32 source sample.
    private let fineness: Int
    /// nil where each sample becomes 2×2.
    private let across: Places?
    private let down: Places

    /// Where the samples of the result lie among the source's.
    private struct Places {
        /// The source sample that a sample lies in.
        let map: [Int32]
        /// The first of the two means round it, and the share of the second in 1/64.
        let places: [vfx_detail_transfer_place]
        /// Samples of the result in each of the source.
        let counts: [Int32]
        /// The first sample of the result in each of the source, and the end of the last.
        let starts: [Int]

        init(source: Int, output: Int) {
            map = (0..<output).map { Int32(($0 * 2 + 1) * source / (2 * output)) }
            places = (0..<output).map { index in
                // In 1/64 source samples from the centre of the first.
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

    /// - Returns: nil where sides grow too much.
    init?(format: PixelFormat, source: FrameDimensions, output: FrameDimensions, threads: Int) {
        let most = Self.maximumFactor
        guard output.width <= most * source.width, output.height <= most * source.height else { return nil }
        self.format = format
        self.source = source
        self.output = output
        self.threads = threads
        let isDouble = output.width == 2 * source.width && output.height == 2 * source.height
        fineness = isDouble ? 1 : 2
        across = isDouble ? nil : Places(source: source.width, output: output.width)
        down = Places(source: source.height, output: output.height)
    }

    /// - Parameters:
    ///   - field: from this picture back to the one before.
    ///   - earlier: the picture before.
    ///   - later: this picture.
    ///   - previous: luma of what was made of the picture before.
    ///   - here: luma of this picture, made larger by itself.
    ///   - target: receives it with detail.
    func transfer(
        _ field: FlowField, from earlier: LumaPyramid, to later: LumaPyramid, previous: Plane, here: Plane,
        into target: MutablePlane
    ) throws(FrameError) {
        let moved = try PaddedPlane(
            copying: previous, bytesPerSample: format.bytesPerSample, margin: Self.margin + 4, threads: threads)
        let motion = Vectors(field)
        let weights = try self.weights(earlier, later, motion)
        nonisolated(unsafe) let (here, target) = (here, target)
        let bands = (source.height + Self.bandHeight - 1) / Self.bandHeight
        parallelFor(bands, threads: threads) { band in
            let first = band * Self.bandHeight
            merge(
                first..<min(source.height, first + Self.bandHeight), motion, weights, moved: moved, here: here,
                into: target)
        }
    }

    /// The components of a field's vectors apart, as the kernels take them.
    private struct Vectors: Sendable {
        let vx: CellGrid<Int16>
        let vy: CellGrid<Int16>
        let level: Int

        init(_ field: FlowField) {
            level = field.level
            let vectors = field.cells.vectors, count = vectors.columns * vectors.rows
            vx = CellGrid(columns: vectors.columns, rows: vectors.rows, filledWith: 0)
            vy = CellGrid(columns: vectors.columns, rows: vectors.rows, filledWith: 0)
            for index in 0..<count {
                vx.base[index] = vectors.base[index].x
                vy.base[index] = vectors.base[index].y
            }
        }

        /// Vectors of a row of source samples, in 1/32 source sample divided by 2^`fineness`.
        func row(
            _ y: Int, fineness: Int, count: Int, into x: UnsafeMutablePointer<Int16>,
            _ z: UnsafeMutablePointer<Int16>, scratch: UnsafeMutablePointer<Int16>
        ) {
            let log2 = 2 + level, side = 1 << log2
            let lower = (y + side / 2) >> log2, k = (y + side / 2) & (side - 1)
            let a = min(max(lower - 1, 0), vx.rows - 1) * vx.columns, b = min(lower, vx.rows - 1) * vx.columns
            let weight = Int32(((2 * k + 1) << 8) >> (log2 + 1)), shift = Int32(-(level + fineness))
            for (grid, out) in [(vx, x), (vy, z)] {
                kernels.upsample_row(
                    out, Int32(count), grid.base + a, grid.base + b, weight, Int32(vx.columns), Int32(log2), shift,
                    scratch)
            }
        }
    }

    /// How far each source sample's detail is taken over, 0…255 of 256.
    private func weights(
        _ earlier: LumaPyramid, _ later: LumaPyramid, _ motion: Vectors
    ) throws(FrameError) -> PaddedPlane {
        let before = earlier.levels[0], luma = later.levels[0]
        let width = source.width, height = source.height
        let residual = try PaddedPlane(width: width, height: height, bytesPerSample: 1, margin: 1)
        // The same without motion.
        let still = try PaddedPlane(width: width, height: height, bytesPerSample: 1, margin: 1)
        let weights = try PaddedPlane(width: width, height: height, bytesPerSample: 1, margin: 0)
        nonisolated(unsafe) let from = vfx_warp_source(
            origin: before.origin, stride: before.stride, width: Int32(width), height: Int32(height),
            margin: Int32(Self.margin))
        let scale = Int32(16384 >> fineness), columns = motion.vx.columns
        let bands = (height + Self.bandHeight - 1) / Self.bandHeight
        parallelFor(bands, threads: threads) { band in
            withUnsafeTemporaryAllocation(of: Int16.self, capacity: 3 * (width + 64) + columns) { memory in
                guard let vx = memory.baseAddress else { return }
                let vy = vx + width + 64, samples = vy + width + 64, scratch = samples + width + 64
                withUnsafePointer(to: from) { from in
                    let moved = UnsafeMutableRawPointer(samples)
                    for y in band * Self.bandHeight..<min(height, (band + 1) * Self.bandHeight) {
                        motion.row(y, fineness: fineness, count: width, into: vx, vy, scratch: scratch)
                        kernels.warp_row_8(moved, from, 0, Int32(y), Int32(width), vx, vy, scale, 255)
                        let row = residual.bytes + y * residual.stride
                        kernels.detail_transfer_difference_row(
                            row, moved.assumingMemoryBound(to: UInt8.self), luma.bytes + y * luma.stride, Int32(width))
                        row[-1] = row[0]
                        row[width] = row[width - 1]
                        let here = still.bytes + y * still.stride
                        kernels.detail_transfer_difference_row(
                            here, before.bytes + y * before.stride, luma.bytes + y * luma.stride, Int32(width))
                        here[-1] = here[0]
                        here[width] = here[width - 1]
                    }
                }
            }
        }
        for plane in [residual, still] {
            (plane.row(-1) - 1).copyMemory(from: plane.row(0) - 1, byteCount: width + 2)
            (plane.row(height) - 1).copyMemory(from: plane.row(height - 1) - 1, byteCount: width + 2)
        }
        parallelFor(bands, threads: threads) { band in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: 3 * (width + 4)) { memory in
                guard let scratch = memory.baseAddress else { return }
                withUnsafePointer(to: Self.trust) { trust in
                    for y in band * Self.bandHeight..<min(height, (band + 1) * Self.bandHeight) {
                        kernels.detail_transfer_weight_row(
                            weights.bytes + y * weights.stride, residual.bytes + y * residual.stride, residual.stride,
                            luma.bytes + y * luma.stride, luma.stride, Int32(width), trust, scratch)
                        Self.dropStill(weights.bytes + y * weights.stride, residual, still, y, scratch)
                    }
                }
            }
        }
        return weights
    }

    /// Takes the weight from where the pictures match as well without motion: what stands still shows the same samples
    /// again, and has nothing to add but what moving it about would blur.
    private static func dropStill(
        _ weights: UnsafeMutablePointer<UInt8>, _ residual: PaddedPlane, _ still: PaddedPlane, _ y: Int,
        _ scratch: UnsafeMutablePointer<Int32>
    ) {
        let width = residual.width, columns = scratch + 1
        // Mean differences over 3×3 samples, nine times each; a tenth and a quarter level more count as no better.
        for x in -1..<width + 1 {
            var sum: Int32 = 0
            for row in y - 1...y + 1 {
                let moved = Int32(residual.bytes[row * residual.stride + x])
                sum &+= 10 &* Int32(still.bytes[row * still.stride + x]) &- 11 &* moved
            }
            columns[x] = sum
        }
        for x in 0..<width where columns[x - 1] &+ columns[x] &+ columns[x + 1] <= 22 { weights[x] = 0 }
    }

    private func merge(
        _ rows: Range<Int>, _ motion: Vectors, _ weights: PaddedPlane, moved: PaddedPlane, here: Plane,
        into target: MutablePlane
    ) {
        // A row of the source beyond either end, for the means between rows.
        let inner = max(0, rows.lowerBound - 1)..<min(source.height, rows.upperBound + 1)
        let first = down.starts[inner.lowerBound], count = down.starts[inner.upperBound] - first
        let pitch = output.width + 16, meanPitch = source.width + 2
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: count * pitch + (inner.count + 1) * meanPitch) {
            memory in
            guard let detail = memory.baseAddress else { return }
            let means = detail + count * pitch
            gather(inner, motion, weights, moved: moved, here: here, detail: detail, pitch, means: means, meanPitch)
            let between = means + inner.count * meanPitch, maximum = Int32(format.maximumValue)
            let kernel =
                format.bytesPerSample == 2 ? kernels.detail_transfer_merge_row_16 : kernels.detail_transfer_merge_row_8
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
    }

    /// Detail of the samples in rows of the source, and its means over each source sample, one beyond either end.
    private func gather(
        _ rows: Range<Int>, _ motion: Vectors, _ weights: PaddedPlane, moved: PaddedPlane, here: Plane,
        detail: UnsafeMutablePointer<Int32>, _ pitch: Int, means: UnsafeMutablePointer<Int32>, _ meanPitch: Int
    ) {
        let width = output.width, wide = format.bytesPerSample == 2, maximum = Int32(format.maximumValue)
        let warp = wide ? kernels.warp_row_16 : kernels.warp_row_8
        let kernel = wide ? kernels.detail_transfer_extract_row_16 : kernels.detail_transfer_extract_row_8
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
                    motion.row(row, fineness: fineness, count: source.width, into: lx, ly, scratch: scratch)
                    kernels.detail_transfer_spread_row(vx, lx, map, Int32(width), scaleX)
                    kernels.detail_transfer_spread_row(vy, ly, map, Int32(width), scaleY)
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
        withUnsafeTemporaryAllocation(
            of: Int16.self, capacity: 2 * (source.width + 64) + 3 * (width + 64) + columns
        ) { memory in
            guard let base = memory.baseAddress else { return }
            if let across {
                across.map.withUnsafeBufferPointer { fill($0.baseAddress, base) }
            } else {
                fill(nil, base)
            }
        }
    }

    /// Sums to means; each source sample has one sample of the result or more in either direction.
    private func average(_ sums: UnsafeMutablePointer<Int32>, rows: Int32) {
        guard let across else {
            for x in 0..<source.width { sums[x] = (sums[x] &+ 2) >> 2 }
            return
        }
        for x in 0..<source.width { sums[x] = sums[x] / max(1, rows &* across.counts[x]) }
    }
}
