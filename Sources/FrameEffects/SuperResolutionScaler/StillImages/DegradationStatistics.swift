import FrameCore

/// Statistics of a picture's luma along rows and columns, as `Training/StillImages/estimator.py` defines them.
///
/// Of large pictures, some of the rows and columns are looked at.
struct DegradationStatistics {
    /// The shortest side of a picture.
    private static let leastSide = 16
    /// Pictures with more samples are thinned out.
    private static let mostSamples = 1 << 20
    /// The mean square of differences between neighbours from which on a picture is not flat.
    private static let leastSquare = 0.25

    /// 39 numbers: energies of band filters, their evenness, correlations of differences, and what is beside strong edges.
    let values: [Double]

    /// - Returns: nil if the picture is too small or too flat.
    init?(of plane: Plane, bitDepth: Int) {
        guard min(plane.width, plane.height) >= Self.leastSide else { return nil }
        let step = (plane.width * plane.height + Self.mostSamples - 1) / Self.mostSamples
        func lines(_ count: Int) -> StrideTo<Int> { stride(from: min(step / 2, count - 1), to: count, by: step) }
        let reader = LineReader(plane: plane, bitDepth: bitDepth)
        let rows = LineSums(lines(plane.height), length: plane.width, read: reader.row)
        let columns = LineSums(lines(plane.width), length: plane.height, read: reader.column)
        let count = Double(rows.samples + columns.samples)
        guard Double(rows.squares[0] + columns.squares[0]) >= Self.leastSquare * count else { return nil }
        values = Self.values(rows, columns, count)
    }

    private static func values(_ rows: LineSums, _ columns: LineSums, _ count: Double) -> [Double] {
        func logarithm(_ sum: Int) -> Double { binaryLogarithm(Double(sum) / count + 0.1) }
        let filters = 0..<LineSums.filterCount
        let energies = filters.map { logarithm(rows.squares[$0] + columns.squares[$0]) }
        let sizes = filters.map { logarithm(rows.sizes[$0] + columns.sizes[$0]) }
        var values = energies.dropFirst().map { $0 - energies[0] } + [energies[0]]
        values += zip(sizes, energies).map { $0 - 0.5 * $1 }
        for order in 0..<2 {
            let products = zip(rows.products[order], columns.products[order]).map { Double($0 + $1) }
            values += products.dropFirst().map { $0 / (products[0] + count * 0.1) }
        }
        for level in LineSums.limits.indices {
            func share(_ place: Int) -> Double {
                let parts = [rows, columns].map { Double($0.beside[level][place]) / Double($0.edges[level] + 1) / 2 }
                return parts[0] + parts[1]
            }
            // The mean of both sides, from near to far.
            values += (0..<3).map { (share(2 - $0) + share(3 + $0)) / 2 }
        }
        return values
    }
}

/// Reads rows and columns of a plane, rounded to 8 bits.
private struct LineReader {
    let plane: Plane
    let bitDepth: Int

    func row(_ y: Int, into line: LineSums.Line) {
        copy(from: plane.row(y), count: plane.width, stride: 1, into: line)
    }

    func column(_ x: Int, into line: LineSums.Line) {
        let size = bitDepth > 8 ? 2 : 1
        copy(from: plane.row(0) + x * size, count: plane.height, stride: plane.stride / size, into: line)
    }

    private func copy(from first: UnsafeRawPointer, count: Int, stride: Int, into line: LineSums.Line) {
        guard bitDepth > 8 else {
            let samples = first.assumingMemoryBound(to: UInt8.self)
            for index in 0..<count { line[index] = Int32(samples[index &* stride]) }
            return
        }
        let samples = first.assumingMemoryBound(to: UInt16.self), shift = bitDepth - 8, half = Int32(1) << (shift - 1)
        for index in 0..<count { line[index] = min(255, (Int32(samples[index &* stride]) &+ half) >> shift) }
    }
}
