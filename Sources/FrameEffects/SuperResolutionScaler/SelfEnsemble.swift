import FrameCore

/// Runs a network over a rectangle of a plane in two or all four rotations, and writes the mean (geometric
/// self-ensemble).
///
/// Errors that depend on the orientation cancel out, and the content remains.
struct SelfEnsemble {
    /// Returns the side of a rectangle in source samples. With the margins of the layers, it makes one strip of whole kernel
    /// steps.
    static func side(_ weights: NetworkWeights) -> Int {
        weights.block * max(32, NetworkInference.rowLength(weights) - 2 * (weights.middles + 1))
    }

    private let weights: NetworkWeights
    private let source: Plane
    private let destination: MutablePlane
    private let bitDepth: Int
    private let rotations: SuperResolutionNetwork.Rotations
    private let context: ExecutionContext
    /// The number of samples around a rectangle that the network reads.
    private let halo: Int

    init(
        weights: NetworkWeights, source: Plane, destination: MutablePlane, bitDepth: Int,
        rotations: SuperResolutionNetwork.Rotations, context: ExecutionContext
    ) {
        self.context = context
        self.weights = weights
        self.source = source
        self.destination = destination
        self.bitDepth = bitDepth
        self.rotations = rotations
        halo = weights.block * (weights.middles + 3)
    }

    /// Rows of 16-bit samples, each padded for the kernels' rounding up.
    private struct Grid {
        let base: UnsafeMutablePointer<UInt16>
        let width: Int
        let height: Int
        var stride: Int { Self.stride(width) }

        static func stride(_ width: Int) -> Int { (width + 63) / 32 * 32 }
        /// Returns the number of samples that a grid needs in any rotation.
        static func capacity(_ width: Int, _ height: Int) -> Int {
            max(stride(width) * height, stride(height) * width)
        }

        /// Returns the position in this grid of the upper left sample after a clockwise rotation by `quarters` quarter
        /// turns, and the offsets from there to the next sample in its row and in its column.
        func walk(quarters: Int) -> (first: UnsafeMutablePointer<UInt16>, right: Int, down: Int) {
            switch quarters {
            case 0: (base, 1, stride)
            case 1: (base + (height - 1) * stride, -stride, 1)
            case 2: (base + (height - 1) * stride + width - 1, -1, -stride)
            default: (base + width - 1, stride, -1)
            }
        }
    }

    /// - Parameters:
    ///   - columns: columns of the source.
    ///   - rows: rows of the source.
    ///   - isUprightDone: whether the destination already has the result of the plane as it is, rounded to its bit depth.
    func run(columns: Range<Int>, rows: Range<Int>, isUprightDone: Bool = false) {
        let type = PixelFormat.typeOfSample(bitDepth: bitDepth)
        // Whole blocks, which keep their samples when they are turned.
        let scale = weights.scale, width = weights.block * weights.positions(columns.count) + 2 * halo
        let height = weights.block * weights.positions(rows.count) + 2 * halo
        let small = Grid.capacity(width, height), large = Grid.capacity(scale * width, scale * height)
        let memory = Scratch<UInt16>(2 * small + large, filledWith: 0)
        let sums = Scratch<UInt32>(scale * scale * columns.count * rows.count, filledWith: 0)
        let upright = Grid(base: memory.base, width: width, height: height)
        read(type, columns, rows, into: upright)
        if isUprightDone { collect(type, columns, rows, into: sums.base) }
        for quarters in stride(from: 0, to: 4, by: 4 / rotations.rawValue) where quarters > 0 || !isUprightDone {
            let lies = quarters % 2 == 1
            let turned = Grid(
                base: memory.base + small, width: lies ? height : width, height: lies ? width : height)
            turn(upright, quarters, into: turned)
            let made = Grid(
                base: memory.base + 2 * small, width: scale * turned.width, height: scale * turned.height)
            apply(turned, into: made)
            add(made, turnedBackBy: (4 - quarters) % 4, columns.count, rows.count, to: sums.base)
        }
        write(type, sums.base, columns, rows)
    }

    /// Reads the rectangle with its halo at 16 bits, so that only the mean is rounded to the plane's bit depth.
    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    private func read<Sample: PixelSample>(
        _: Sample.Type, _ columns: Range<Int>, _ rows: Range<Int>, into grid: Grid
    ) {
        let shift = 16 - bitDepth
        for y in 0..<grid.height {
            let row = source.row(min(max(rows.lowerBound - halo + y, 0), source.height - 1))
            let to = grid.base + y * grid.stride, left = columns.lowerBound - halo, last = source.width - 1
            let from = row.assumingMemoryBound(to: Sample.self)
            for x in 0..<grid.width { to[x] = UInt16(from[min(max(left + x, 0), last)]) << shift }
        }
    }

    private func turn(_ upright: Grid, _ quarters: Int, into turned: Grid) {
        let (first, right, down) = upright.walk(quarters: quarters)
        for y in 0..<turned.height {
            let from = first + y * down, to = turned.base + y * turned.stride
            for x in 0..<turned.width { to[x] = from[x &* right] }
        }
    }

    private func apply(_ grid: Grid, into made: Grid) {
        NetworkInference(
            weights: weights,
            source: Plane(base: grid.base, stride: 2 * grid.stride, width: grid.width, height: grid.height),
            destination: MutablePlane(
                base: made.base, stride: 2 * made.stride, width: made.width, height: made.height),
            bitDepth: 16, columns: halo / weights.block..<(grid.width - halo) / weights.block, context: context
        ).run(halo / weights.block..<(grid.height - halo) / weights.block)
    }

    private func add(
        _ made: Grid, turnedBackBy quarters: Int, _ columns: Int, _ rows: Int, to sums: UnsafeMutablePointer<UInt32>
    ) {
        let (first, right, down) = made.walk(quarters: quarters), scale = weights.scale
        for y in 0..<scale * rows {
            let from = first + (y + scale * halo) * down + scale * halo * right, to = sums + y * scale * columns
            for x in 0..<scale * columns { to[x] &+= UInt32(from[x &* right]) }
        }
    }

    /// Reads what the destination has, at 16 bits.
    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    private func collect<Sample: PixelSample>(
        _: Sample.Type, _ columns: Range<Int>, _ rows: Range<Int>, into sums: UnsafeMutablePointer<UInt32>
    ) {
        let scale = weights.scale, width = scale * columns.count, shift = UInt32(16 - bitDepth)
        for y in 0..<scale * rows.count {
            let row = UnsafeRawPointer(destination.row(scale * rows.lowerBound + y))
            let from = row.assumingMemoryBound(to: Sample.self) + scale * columns.lowerBound, to = sums + y * width
            for x in 0..<width { to[x] = UInt32(from[x]) << shift }
        }
    }

    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    private func write<Sample: PixelSample>(
        _: Sample.Type, _ sums: UnsafeMutablePointer<UInt32>, _ columns: Range<Int>, _ rows: Range<Int>
    ) {
        let scale = weights.scale, width = scale * columns.count
        let shift = UInt32(16 + rotations.rawValue.trailingZeroBitCount - bitDepth)
        let half = UInt32(1) << (shift - 1)
        let most = (UInt32(1) << bitDepth) - 1
        for y in 0..<scale * rows.count {
            let from = sums + y * width, row = destination.row(scale * rows.lowerBound + y)
            let to = row.assumingMemoryBound(to: Sample.self) + scale * columns.lowerBound
            for x in 0..<width { to[x] = Sample(truncatingIfNeeded: min(most, (from[x] &+ half) >> shift)) }
        }
    }
}
