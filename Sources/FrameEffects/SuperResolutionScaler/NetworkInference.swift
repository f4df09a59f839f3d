import FrameCore
import Kernels

/// Inference of a network over some rows of a plane.
///
/// A position is a sample of the plane, or a block of 2×2 samples (see ``NetworkWeights/block``); 2×2 samples of the
/// destination take its place. Works strip by strip with fused layers, two rows at a time, so that each layer reads what the
/// previous one wrote while it is still in the cache. Column 0 of every row of pairs is position `strip.lowerBound − halo`.
struct NetworkInference {
    private typealias Row = UnsafeMutablePointer<Int32>
    private typealias Sources = [UnsafePointer<Int32>]
    /// Pointers for one kernel call, kept so that no call has to allocate memory for them.
    private struct Lists {
        var sources: Sources = []
        var upper: [Row] = []
        var lower: [Row] = []
    }

    /// Keeps the memory of the layers.
    private let weights: NetworkWeights
    private let layers: UnsafePointer<vfx_superres_layer>
    private let context: ExecutionContext
    /// The transformed middle layers; empty if they are not used.
    private let winograd: [vfx_superres_winograd_layer]
    private let source: Plane
    private let destination: MutablePlane
    private let bitDepth: Int
    /// Samples of the plane on either axis that a position stands for.
    private let block: Int
    /// The number of positions around a rectangle that the network reads.
    private let halo: Int
    private let pairs: Int
    /// The index of the last layer, which writes samples.
    private let last: Int
    private let strips: [Range<Int>]
    /// Distance between rows in pairs, including the padding that kernels round up to.
    private let pitch: Int

    /// - Parameter columns: the columns of positions to process; nil for all.
    init(
        weights: NetworkWeights, source: Plane, destination: MutablePlane, bitDepth: Int, columns: Range<Int>? = nil,
        context: ExecutionContext
    ) {
        self.context = context
        self.weights = weights
        layers = weights.layers
        winograd = weights.winograd
        self.source = source
        self.destination = destination
        self.bitDepth = bitDepth
        block = weights.block
        pairs = weights.channels / 2
        last = weights.middles + 1
        halo = last + 2
        let step = Int(VFX_SUPERRES_STEP), margin = 2 * last
        let widest = Self.rowLength(weights) - margin
        let columns = columns ?? 0..<weights.positions(source.width)
        let count = (columns.count + widest - 1) / widest
        let width = ((columns.count + count - 1) / count + margin + step - 1) / step * step - margin
        strips = stride(from: columns.lowerBound, to: columns.upperBound, by: width).map {
            $0..<min(columns.upperBound, $0 + width)
        }
        // An odd number of cache lines, so that vertically adjacent positions do not share a cache set.
        pitch = ((width + 2 * halo + 2 * step + 15) / 16 | 1) * 16
    }

    /// The number of positions in a row of the widest layer: whole kernel steps. Three rows of all channels fit the L1 cache.
    /// With many channels, only the input transform of a step has to fit: narrower strips would spend more time on their
    /// margins.
    static func rowLength(_ weights: NetworkWeights) -> Int { max(256, 4096 / weights.channels) }

    /// - Parameter rows: rows of positions.
    func run(_ rows: Range<Int>) {
        let count = (Rings.inputRows(last, block) + 4 * last * pairs) * pitch + 4 * pairs * Rings.transformPitch
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: 4 * count, alignment: 64)
        defer { withExtendedLifetime(weights) { bytes.deallocate() } }
        let memory = bytes.initializeMemory(as: Int32.self, repeating: 0, count: count)
        var lists = Lists()
        for strip in strips {
            var rings = Rings(memory: memory, last: last, block: block, pairs: pairs, pitch: pitch)
            run(rows, strip, &rings, &lists)
        }
    }

    /// Ring buffers with the last few rows of the input and of each layer.
    private struct Rings {
        /// Pairs in one row of the input transform: two kernel steps, one pair on either side, and padding for rounding
        /// up.
        static let transformPitch = 2 * Int(VFX_SUPERRES_STEP) + 48

        private let input: Row
        private let features: Row
        private let transformed: Row
        private let last, block, pairs, pitch: Int
        /// Whether each row's features fit the input transform (see `vfx_superres_features_fn`); four rows per layer.
        private var fits: [Bool]
        /// What a Winograd layer reads: the four parts of the input transform, by position and channel.
        let transformSources: Sources

        static func inputRows(_ last: Int, _ block: Int) -> Int { block * (last + 6) }

        init(memory: Row, last: Int, block: Int, pairs: Int, pitch: Int) {
            (self.last, self.block, self.pairs, self.pitch) = (last, block, pairs, pitch)
            input = memory
            features = memory + Self.inputRows(last, block) * pitch
            let transformed = features + 4 * last * pairs * pitch
            self.transformed = transformed
            fits = Array(repeating: false, count: 4 * last)
            transformSources = (0..<4).flatMap { part in
                (-1...1).flatMap { x in
                    (0..<pairs).map { UnsafePointer(transformed + (part * pairs + $0) * Self.transformPitch + 16 + x) }
                }
            }
        }

        private func wrapped(_ row: Int, _ count: Int) -> Int {
            let rest = row % count
            return rest < 0 ? rest + count : rest
        }

        /// Returns the pairs of a row of samples.
        func input(_ row: Int) -> Row { input + wrapped(row, Self.inputRows(last, block)) * pitch }

        /// Returns the first of the rows of pairs that hold a row of a layer.
        func features(_ layer: Int, _ row: Int) -> Row { features + (4 * layer + wrapped(row, 4)) * pairs * pitch }

        func fitsTransform(_ layer: Int, _ row: Int) -> Bool { fits[4 * layer + wrapped(row, 4)] }

        mutating func note(_ layer: Int, _ row: Int, fitsTransform: Bool) {
            fits[4 * layer + wrapped(row, 4)] = fitsTransform
        }

        /// Lists where a row of a layer is written.
        func targets(_ layer: Int, _ row: Int, at column: Int, into list: inout [Row]) {
            list.removeAll(keepingCapacity: true)
            let first = features(layer, row) + column
            for pair in 0..<pairs { list.append(first + pair * pitch) }
        }

        /// Lists what a 3×3 layer reads around a position, in the order of its weights.
        func neighbours(_ layer: Int, _ row: Int, at column: Int, into list: inout Sources) {
            for y in row - 1...row + 1 {
                let first = features(layer, y) + column
                for x in -1...1 {
                    for pair in 0..<pairs { list.append(UnsafePointer(first + pair * pitch + x)) }
                }
            }
        }

        /// Lists what a layer of 5×5 positions reads of the source plane.
        func picture(_ row: Int, at column: Int, into list: inout Sources) {
            for y in block * (row - 2)..<block * (row + 3) {
                let first = input(y) + column
                // A pair has two samples: those of two positions, or of one block.
                for x in stride(from: -2, through: 2, by: 2 / block) { list.append(UnsafePointer(first + x)) }
            }
        }

        /// Computes the input transform of `row`, the row below it and one more on either side, for `count` positions
        /// from `column` and one more at each end.
        func transform(
            _ layer: Int, _ row: Int, at column: Int, count: Int, _ rows: inout Sources,
            _ kernel: vfx_superres_input_transform_fn
        ) {
            rows.removeAll(keepingCapacity: true)
            for y in row - 1...row + 2 { rows.append(UnsafePointer(features(layer, y) + column - 1)) }
            kernel(
                transformed + 15, Self.transformPitch, rows, pitch, Int32(pairs), Int32(count + 2))
        }
    }

    /// Runs all layers over a strip. In each step a layer computes two rows, one row ahead of the next layer, and two
    /// more columns for each layer that follows.
    private func run(_ rows: Range<Int>, _ strip: Range<Int>, _ rings: inout Rings, _ lists: inout Lists) {
        var read = rows.lowerBound - halo
        for step in 0..<last + (rows.count + 1) / 2 {
            let front = rows.lowerBound - last + 2 * step
            while read <= front + 3 {
                for row in block * read..<block * (read + 1) { readInput(row, strip, into: rings.input(row)) }
                read += 1
            }
            for layer in 0..<min(last, step + 1) {
                twoRows(of: layer, front - layer, count: strip.count + 2 * (last - layer), &rings, &lists)
            }
            guard step >= last else { continue }
            for row in front - last..<min(rows.upperBound, front - last + 2) { write(row, strip, rings, &lists) }
        }
    }

    private func twoRows(of layer: Int, _ row: Int, count: Int, _ rings: inout Rings, _ lists: inout Lists) {
        let column = layer + 2
        if layer > 0, !winograd.isEmpty, (row - 1...row + 2).allSatisfy({ rings.fitsTransform(layer - 1, $0) }) {
            return winogradRows(of: layer, row, count: count, &rings, &lists)
        }
        for row in row...row + 1 {
            lists.sources.removeAll(keepingCapacity: true)
            if layer == 0 {
                rings.picture(row, at: column, into: &lists.sources)
            } else {
                rings.neighbours(layer - 1, row, at: column, into: &lists.sources)
            }
            rings.targets(layer, row, at: column, into: &lists.upper)
            let fits = context.kernels.pointee.superres_features(
                lists.upper, lists.sources, layers + layer, Int32(count))
            rings.note(layer, row, fitsTransform: fits != 0)
        }
    }

    private func winogradRows(of layer: Int, _ row: Int, count: Int, _ rings: inout Rings, _ lists: inout Lists) {
        var fits: Int32 = 3
        // The number of positions for which the transformed rows fit the L1 cache.
        let step = pairs <= 4 ? 2 * Int(VFX_SUPERRES_STEP) : Int(VFX_SUPERRES_STEP)
        withUnsafePointer(to: winograd[layer - 1]) { layerWeights in
            for x in stride(from: 0, to: count, by: step) {
                let part = min(step, count - x), column = layer + 2 + x
                rings.transform(
                    layer - 1, row, at: column, count: part, &lists.sources,
                    context.kernels.pointee.superres_input_transform)
                rings.targets(layer, row, at: column, into: &lists.upper)
                rings.targets(layer, row + 1, at: column, into: &lists.lower)
                fits &= context.kernels.pointee.superres_features_winograd(
                    lists.upper, lists.lower, rings.transformSources, layerWeights, Int32(part))
            }
        }
        rings.note(layer, row, fitsTransform: fits & 1 != 0)
        rings.note(layer, row + 1, fitsTransform: fits & 2 != 0)
    }

    private func readInput(_ row: Int, _ strip: Range<Int>, into target: Row) {
        let samples = source.row(max(0, min(source.height - 1, row)))
        if block == 2 {
            BlockRows.read(
                samples, width: source.width, bitDepth: bitDepth, from: 2 * (strip.lowerBound - halo),
                count: 2 * (strip.count + 2 * halo), into: target)
            return
        }
        let pairs = KernelPair(context.kernels.pointee.superres_pairs_8, context.kernels.pointee.superres_pairs_16)[
            bitDepth: bitDepth]
        pairs(
            target, samples, Int32(source.width), Int32(strip.lowerBound - halo), Int32(strip.count + 2 * halo),
            Int32(bitDepth))
    }

    private func write(_ row: Int, _ strip: Range<Int>, _ rings: Rings, _ lists: inout Lists) {
        lists.sources.removeAll(keepingCapacity: true)
        rings.neighbours(last - 1, row, at: halo, into: &lists.sources)
        rings.picture(row, at: halo, into: &lists.sources)
        let bytes = bitDepth > 8 ? 2 : 1, offset = 2 * strip.lowerBound * bytes
        let kernel = KernelPair(context.kernels.pointee.superres_output_8, context.kernels.pointee.superres_output_16)[
            bitDepth: bitDepth]
        let count = Int32(strip.count), depth = Int32(bitDepth)
        if 2 * strip.upperBound <= destination.width, 2 * row + 1 < destination.height {
            kernel(
                destination.row(2 * row) + offset, destination.row(2 * row + 1) + offset, lists.sources, layers + last,
                count, depth)
            return
        }
        // The last block of an odd side sticks out of the plane.
        let width = min(2 * strip.upperBound, destination.width) * bytes - offset, pitch = 2 * strip.count * bytes
        let whole = Scratch<UInt8>(2 * pitch)
        kernel(whole.base, whole.base + pitch, lists.sources, layers + last, count, depth)
        for below in 0..<min(2, destination.height - 2 * row) {
            (destination.row(2 * row + below) + offset).copyMemory(from: whole.base + below * pitch, byteCount: width)
        }
    }
}
