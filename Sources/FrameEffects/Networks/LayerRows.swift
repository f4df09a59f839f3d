import FrameCore
import Kernels

/// Inference of a stack of 3×3 layers, row by row: of each layer only the rows that the next one still needs are kept, so
/// that they stay in the cache.
///
/// Rows consist of segments of ``segment`` positions. Segments of the output that are not wanted are not computed, nor is
/// what only they depend on.
struct LayerRows: ~Copyable {
    private let layers: [vfx_superres_layer]
    /// Positions in each row of the output.
    private let width: Int
    /// Distance between rows of pairs: what kernels round up to, and room for a shift by the halo.
    private let pitch: Int
    /// Pairs of the input and of each layer's output.
    private let pairs: [Int]
    private let memory: Scratch<Int32>
    /// Where each of these begins in the memory.
    private let starts: [Int]
    /// For the rows of the input that are kept, which segments are wanted.
    private let wanted: Scratch<Bool>
    /// The rows of each layer's output that are kept; of the input, those that have been read ahead as well.
    private static let kept = 3
    /// Positions of a segment: with the halo of all layers, just what kernels compute at once.
    static let segment = Int(VFX_SUPERRES_STEP) - 8

    /// - Parameters:
    ///   - layers: the layers; the first one reads `inputPairs` pairs.
    ///   - width: the positions of a row of the output.
    init(_ layers: [vfx_superres_layer], inputPairs: Int, width: Int) {
        self.layers = layers
        self.width = width
        pitch = width + 2 * layers.count + 2 * Int(VFX_SUPERRES_STEP)
        pairs = [inputPairs] + layers.map { Int($0.outputs) / 2 }
        var starts: [Int] = [], total = 0
        for (stage, pairs) in pairs.enumerated() {
            starts.append(total)
            total += pairs * Self.keptRows(stage, layers.count) * pitch
        }
        self.starts = starts
        // Kernels compute, but do not use, what is between the rows.
        memory = Scratch(total, filledWith: 0)
        wanted = Scratch(Self.wantedRows(layers.count) * Self.segments(width), filledWith: true)
    }

    /// The segments in a row of so many positions.
    static func segments(_ width: Int) -> Int { (width + segment - 1) / segment }

    /// The rows of the input that are read before they are needed: the first layer must know what the last one is wanted for.
    private static func lead(_ layers: Int) -> Int { max(0, layers - 2) }
    private static func keptRows(_ stage: Int, _ layers: Int) -> Int { stage == 0 ? kept + lead(layers) : kept }
    private static func wantedRows(_ layers: Int) -> Int { 2 * layers + lead(layers) }

    /// Computes rows of the output, which may be outside the picture.
    ///
    /// - Parameters:
    ///   - rows: the rows of the output.
    ///   - read: writes a row of the input, which may be outside the picture, too. Receives its number, the addresses of its
    ///     pairs, where a row of the output begins, and those of a flag for each of its segments, which may be set to false
    ///     if the segment of the output is not wanted; returns the positions that it has written, relative to these. The first
    ///     and the last of them are repeated up to the layers' reach.
    ///   - use: receives the number of a row of the output, its pairs, and which segments of them are computed.
    func run(
        _ rows: Range<Int>, context: ExecutionContext,
        read: (_ row: Int, _ pairs: [UnsafeMutablePointer<Int32>], _ wanted: UnsafeMutablePointer<Bool>) -> Range<Int>,
        use: (_ row: Int, _ pairs: [UnsafePointer<Int32>], _ wanted: UnsafePointer<Bool>) -> Void
    ) {
        let halo = layers.count, lead = Self.lead(halo), first = rows.lowerBound - halo
        let end = rows.upperBound + halo - first
        // All numbers of rows are from here on relative to the first row of the input.
        let output = halo..<halo + rows.count
        var sources: [UnsafePointer<Int32>] = [], ranges: [Range<Int>] = []
        for ahead in 0..<end + lead {
            if ahead < end { self.read(ahead, number: first + ahead, read) }
            let newest = ahead - lead
            for index in layers.indices {
                // The row after it is the newest that this layer can read.
                let number = newest - index - 1
                guard number > index else { break }
                let reach = halo - 1 - index
                wantedRanges(number - reach...number + reach, in: output, reach: reach, into: &ranges)
                for range in ranges {
                    sources.removeAll(keepingCapacity: true)
                    for y in number - 1...number + 1 {
                        for x in range.lowerBound - 1...range.lowerBound + 1 {
                            for pair in 0..<pairs[index] { sources.append(UnsafePointer(row(y, index, pair) + x)) }
                        }
                    }
                    let targets = (0..<pairs[index + 1]).map { row(number, index + 1, $0) + range.lowerBound }
                    withUnsafePointer(to: layers[index]) {
                        _ = context.kernels.pointee.superres_features(targets, sources, $0, Int32(range.count))
                    }
                }
                if index == halo - 1 {
                    use(
                        first + number, (0..<pairs[halo]).map { UnsafePointer(row(number, halo, $0)) },
                        UnsafePointer(wantedRow(number)))
                }
            }
        }
    }

    /// Reads a row of the input.
    private func read(
        _ row: Int, number: Int,
        _ read: (_ row: Int, _ pairs: [UnsafeMutablePointer<Int32>], _ wanted: UnsafeMutablePointer<Bool>) -> Range<Int>
    ) {
        let halo = layers.count, input = (0..<pairs[0]).map { self.row(row, 0, $0) }, flags = wantedRow(row)
        flags.update(repeating: true, count: Self.segments(width))
        let written = read(number, input, flags)
        for pair in input {
            let first = pair[written.lowerBound], last = pair[written.upperBound - 1]
            for i in -halo..<written.lowerBound { pair[i] = first }
            for i in written.upperBound..<max(written.upperBound, width + halo) { pair[i] = last }
        }
    }

    /// Finds the positions that are needed for what is wanted in some of the rows of the output.
    private func wantedRanges(
        _ rows: ClosedRange<Int>, in output: Range<Int>, reach: Int, into ranges: inout [Range<Int>]
    ) {
        ranges.removeAll(keepingCapacity: true)
        let rows = rows.clamped(to: output.lowerBound...output.upperBound - 1), segments = Self.segments(width)
        var segment = 0
        func isWanted(_ segment: Int) -> Bool { rows.contains { wantedRow($0)[segment] } }
        while segment < segments {
            guard isWanted(segment) else {
                segment += 1
                continue
            }
            let begin = segment
            while segment < segments, isWanted(segment) { segment += 1 }
            // Segments that are not adjacent are so far apart that what kernels round up to does not reach what they need.
            ranges.append(begin * Self.segment - reach..<min(segment * Self.segment, width) + reach)
        }
    }

    private func wantedRow(_ row: Int) -> UnsafeMutablePointer<Bool> {
        wanted.base + row % Self.wantedRows(layers.count) * Self.segments(width)
    }

    /// The pairs of a row of a stage, where a row of the output begins.
    private func row(_ row: Int, _ stage: Int, _ pair: Int) -> UnsafeMutablePointer<Int32> {
        let kept = Self.keptRows(stage, layers.count)
        return memory.base + starts[stage] + (row % kept * pairs[stage] + pair) * pitch + layers.count
    }
}
