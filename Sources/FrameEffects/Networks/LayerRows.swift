import FrameCore
import Kernels

/// Inference of a stack of 3×3 layers, row by row: of each layer only the rows that the next one still needs are kept, so
/// that they stay in the cache.
struct LayerRows: ~Copyable {
    private let layers: [vfx_superres_layer]
    /// Positions in each row of the input.
    private let count: Int
    /// Distance between rows of pairs: what kernels round up to, and room for a shift by the halo.
    private let pitch: Int
    /// Pairs of the input and of each layer's output.
    private let pairs: [Int]
    private let memory: Scratch<Int32>
    /// Where each of these begins in the memory.
    private let starts: [Int]
    /// Rows kept of each.
    private static let kept = 3

    /// - Parameters:
    ///   - layers: the layers; the first one reads `inputPairs` pairs.
    ///   - width: the positions of a row of the output.
    init(_ layers: [vfx_superres_layer], inputPairs: Int, width: Int) {
        self.layers = layers
        count = width + 2 * layers.count
        pitch = count + 2 * Int(VFX_SUPERRES_STEP)
        pairs = [inputPairs] + layers.map { Int($0.outputs) / 2 }
        var starts: [Int] = [], total = 0
        for pairs in pairs {
            starts.append(total)
            total += pairs * Self.kept * pitch
        }
        self.starts = starts
        // Kernels compute, but do not use, what is between the rows.
        memory = Scratch(total, filledWith: 0)
    }

    /// Computes rows of the output, which may be outside the picture.
    ///
    /// - Parameters:
    ///   - rows: the rows of the output.
    ///   - read: writes a row of the input, which may be outside the picture, too. Receives its number and the addresses of its
    ///     pairs, where a row of the output begins; returns the positions that it has written, relative to these. The first
    ///     and the last of them are repeated up to the layers' reach.
    ///   - use: receives the number of a row of the output and its pairs.
    func run(
        _ rows: Range<Int>, context: ExecutionContext,
        read: (_ row: Int, _ pairs: [UnsafeMutablePointer<Int32>]) -> Range<Int>,
        use: (_ row: Int, _ pairs: [UnsafePointer<Int32>]) -> Void
    ) {
        let halo = layers.count, first = rows.lowerBound - halo
        var sources: [UnsafePointer<Int32>] = []
        for newest in first..<rows.upperBound + halo {
            let input = (0..<pairs[0]).map { row(newest - first, 0, $0) + halo }
            let written = read(newest, input)
            for pair in input {
                let first = pair[written.lowerBound], last = pair[written.upperBound - 1]
                for i in -halo..<written.lowerBound { pair[i] = first }
                for i in written.upperBound..<max(written.upperBound, count - halo) { pair[i] = last }
            }
            for index in layers.indices {
                // Relative to the first row of the input; the row after it is the newest that this layer can read.
                let number = newest - first - index - 1
                guard number > index else { break }
                sources.removeAll(keepingCapacity: true)
                for y in number - 1...number + 1 {
                    for x in index...index + 2 {
                        for pair in 0..<pairs[index] { sources.append(UnsafePointer(row(y, index, pair) + x)) }
                    }
                }
                let targets = (0..<pairs[index + 1]).map { row(number, index + 1, $0) + index + 1 }
                withUnsafePointer(to: layers[index]) {
                    _ = context.kernels.pointee.superres_features(
                        targets, sources, $0, Int32(count - 2 * (index + 1)))
                }
                if index == halo - 1 { use(first + number, targets.map { UnsafePointer($0) }) }
            }
        }
    }

    private func row(_ row: Int, _ stage: Int, _ pair: Int) -> UnsafeMutablePointer<Int32> {
        memory.base + starts[stage] + (row % Self.kept * pairs[stage] + pair) * pitch
    }
}
