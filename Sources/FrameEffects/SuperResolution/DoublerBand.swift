import FrameCore
import Kernels

/// Runs a doubling network over some rows of a picture, strip by strip, all layers row by row: what one layer writes the
/// next one reads while it is still in the cache.
///
/// Column 0 of every row of pairs is the picture's column `strip.lowerBound − halo`.
struct DoublerBand {
    private typealias Row = UnsafeMutablePointer<Int32>

    private let network: vfx_doubler_network
    private let source: Plane
    private let destination: MutablePlane
    private let bitDepth: Int
    private let halo: Int
    private let pairs: Int
    private let inputRows: Int
    private let strips: [Range<Int>]
    /// Pairs from one row to the next; the kernels' rounding up included.
    private let pitch: Int

    init(network: vfx_doubler_network, source: Plane, destination: MutablePlane, bitDepth: Int) {
        self.network = network
        self.source = source
        self.destination = destination
        self.bitDepth = bitDepth
        pairs = Int(network.channels) / 2
        halo = Int(network.middles) + 3
        inputRows = Int(network.middles) + 6
        // Three rows of all channels fit the first-level cache, and the widest layer fills whole steps of the kernels.
        let step = Int(VFX_DOUBLER_STEP), margin = 2 * (Int(network.middles) + 1)
        let widest = 4096 / Int(network.channels) - margin
        let count = (source.width + widest - 1) / widest
        let width = ((source.width + count - 1) / count + margin + step - 1) / step * step - margin
        let sourceWidth = source.width
        strips = stride(from: 0, to: sourceWidth, by: width).map { $0..<min(sourceWidth, $0 + width) }
        pitch = width + 2 * halo + 2 * step
    }

    func run(_ rows: Range<Int>) {
        let layers = Int(network.middles) + 1
        let count = (inputRows + 3 * layers * pairs) * pitch
        let memory = UnsafeMutablePointer<Int32>.allocate(capacity: count)
        defer { memory.deallocate() }
        memory.initialize(repeating: 0, count: count)
        for strip in strips { run(rows, strip, Rings(memory: memory, band: self)) }
    }

    /// The last few rows of the input and of each layer.
    private struct Rings {
        let input: Row
        let features: Row
        let inputRows, pairs, pitch: Int

        init(memory: Row, band: DoublerBand) {
            (inputRows, pairs, pitch) = (band.inputRows, band.pairs, band.pitch)
            input = memory
            features = memory + inputRows * pitch
        }

        private func wrapped(_ row: Int, _ count: Int) -> Int {
            let rest = row % count
            return rest < 0 ? rest + count : rest
        }

        func input(_ row: Int) -> Row { input + wrapped(row, inputRows) * pitch }

        /// The first of the rows of pairs that hold a row of a layer.
        func features(_ layer: Int, _ row: Int) -> Row { features + (3 * layer + wrapped(row, 3)) * pairs * pitch }

        /// What a 3×3 layer reads around a place, in the order of its weights.
        func neighbours(_ layer: Int, _ row: Int, at column: Int, into list: inout [UnsafePointer<Int32>]) {
            for y in row - 1...row + 1 {
                let first = features(layer, y) + column
                for x in -1...1 {
                    for pair in 0..<pairs { list.append(UnsafePointer(first + pair * pitch + x)) }
                }
            }
        }

        /// What a 5×5 layer reads of the picture.
        func picture(_ row: Int, at column: Int, into list: inout [UnsafePointer<Int32>]) {
            for y in row - 2...row + 2 {
                let first = input(y) + column
                for x in [-2, 0, 2] { list.append(UnsafePointer(first + x)) }
            }
        }
    }

    private func run(_ rows: Range<Int>, _ strip: Range<Int>, _ rings: Rings) {
        let last = Int(network.middles) + 1
        var sources: [UnsafePointer<Int32>] = []
        var targets: [Row] = []
        var read = rows.lowerBound - halo
        for step in rows.lowerBound - last..<rows.upperBound + last {
            while read <= step + 2 {
                readInput(read, strip, into: rings.input(read))
                read += 1
            }
            for layer in 0..<last where step - layer >= rows.lowerBound - (last - layer) {
                let row = step - layer, column = layer + 2
                sources.removeAll(keepingCapacity: true)
                if layer == 0 {
                    rings.picture(row, at: column, into: &sources)
                } else {
                    rings.neighbours(layer - 1, row, at: column, into: &sources)
                }
                targets.removeAll(keepingCapacity: true)
                for pair in 0..<pairs { targets.append(rings.features(layer, row) + pair * pitch + column) }
                kernels.doubler_features(
                    targets, sources, network.layers + layer, Int32(strip.count + 2 * (last - layer)))
            }
            let row = step - last
            guard row >= rows.lowerBound else { continue }
            sources.removeAll(keepingCapacity: true)
            rings.neighbours(last - 1, row, at: halo, into: &sources)
            rings.picture(row, at: halo, into: &sources)
            write(row, strip, sources)
        }
    }

    private func readInput(_ row: Int, _ strip: Range<Int>, into target: Row) {
        let samples = source.row(max(0, min(source.height - 1, row)))
        let pairs = bitDepth == 8 ? kernels.doubler_pairs_8 : kernels.doubler_pairs_16
        pairs(
            target, samples, Int32(source.width), Int32(strip.lowerBound - halo), Int32(strip.count + 2 * halo),
            Int32(bitDepth))
    }

    private func write(_ row: Int, _ strip: Range<Int>, _ sources: [UnsafePointer<Int32>]) {
        let offset = 2 * strip.lowerBound * (bitDepth == 8 ? 1 : 2)
        let output = bitDepth == 8 ? kernels.doubler_output_8 : kernels.doubler_output_16
        output(
            destination.row(2 * row) + offset, destination.row(2 * row + 1) + offset, sources,
            network.layers + Int(network.middles) + 1, Int32(strip.count), Int32(bitDepth))
    }
}
