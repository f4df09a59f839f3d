import FrameCore

/// Sums over lines of samples, from which ``DegradationStatistics`` are computed.
struct LineSums {
    typealias Line = UnsafeMutablePointer<Int32>

    static let filterCount = 9
    static let lags = 6
    /// Differences above these count as strong edges.
    static let limits: [Int32] = [6, 16, 40]
    /// Samples whose products are added in 32 bits.
    private static let block = 4096

    private(set) var samples = 0
    /// Of each filter, the sum of its squared results.
    private(set) var squares = [Int](repeating: 0, count: filterCount)
    /// Of each filter, the sum of its results' absolute values.
    private(set) var sizes = [Int](repeating: 0, count: filterCount)
    /// The sums of products of first and of second differences at each distance.
    private(set) var products = [[Int]](repeating: [Int](repeating: 0, count: lags + 1), count: 2)
    /// The sum of differences above each limit that are the largest of their neighbours.
    private(set) var edges = [Int](repeating: 0, count: limits.count)
    /// The sums of the differences beside them in their direction, at distances −3, −2, −1, 1, 2 and 3.
    private(set) var beside = [[Int]](repeating: [Int](repeating: 0, count: 6), count: limits.count)

    /// - Parameters:
    ///   - indices: which lines to add.
    ///   - length: samples of a line.
    ///   - read: writes a line.
    init(_ indices: some Sequence<Int>, length: Int, read: (_ index: Int, _ line: Line) -> Void) {
        let line = Scratch<Int32>(length), first = Scratch<Int32>(length), second = Scratch<Int32>(length)
        for index in indices {
            read(index, line.base)
            samples += length
            addFilters(line.base, length)
            for x in 0..<length - 1 { first[x] = line[x] &- line[x + 1] }
            for x in 0..<length - 2 { second[x] = first[x] &- first[x + 1] }
            addProducts(0, first.base, length - 1)
            addProducts(1, second.base, length - 2)
            addEdges(first.base, length - 1)
        }
    }

    /// Even and odd band filters at about 1, 7/8, 3/4, 1/2 and 1/4 of Nyquist's frequency.
    private mutating func addFilters(_ p: Line, _ length: Int) {
        add(0, length - 1) { p[$0] &- p[$0 &+ 1] }
        add(1, length - 2) { p[$0] &- 2 &* p[$0 &+ 1] &+ p[$0 &+ 2] }
        add(2, length - 2) { p[$0] &- p[$0 &+ 2] }
        add(3, length - 3) { p[$0] &- p[$0 &+ 3] &+ 3 &* (p[$0 &+ 2] &- p[$0 &+ 1]) }
        add(4, length - 4) { p[$0] &+ p[$0 &+ 4] &+ 6 &* p[$0 &+ 2] &- 4 &* (p[$0 &+ 1] &+ p[$0 &+ 3]) }
        add(5, length - 4) { p[$0] &- 2 &* p[$0 &+ 2] &+ p[$0 &+ 4] }
        add(6, length - 4) { p[$0] &- p[$0 &+ 4] &+ 2 &* (p[$0 &+ 1] &- p[$0 &+ 3]) }
        add(7, length - 6) { x in
            let inner = 15 &* (p[x &+ 2] &+ p[x &+ 4]) &- 20 &* p[x &+ 3]
            return p[x] &+ p[x &+ 6] &- 6 &* (p[x &+ 1] &+ p[x &+ 5]) &+ inner
        }
        add(8, length - 6) { x in
            let outer = p[x] &+ p[x &+ 6] &+ 2 &* (p[x &+ 1] &+ p[x &+ 5])
            return outer &- p[x &+ 2] &- p[x &+ 4] &- 4 &* p[x &+ 3]
        }
    }

    @inline(__always)
    private mutating func add(_ filter: Int, _ count: Int, _ value: (_ x: Int) -> Int32) {
        var square: Int64 = 0, size: Int64 = 0
        for x in 0..<count {
            let value = value(x)
            square &+= Int64(value &* value)
            size &+= Int64(abs(value))
        }
        squares[filter] += Int(square)
        sizes[filter] += Int(size)
    }

    private mutating func addProducts(_ order: Int, _ values: Line, _ count: Int) {
        for lag in 0...Self.lags {
            for start in stride(from: 0, to: count - lag, by: Self.block) {
                var sum: Int32 = 0
                for x in start..<min(count - lag, start + Self.block) { sum &+= values[x] &* values[x &+ lag] }
                products[order][lag] += Int(sum)
            }
        }
    }

    private mutating func addEdges(_ first: Line, _ count: Int) {
        for x in 3..<max(3, count - 3) {
            let size = abs(first[x])
            guard size > Self.limits[0], size >= abs(first[x - 1]), size >= abs(first[x + 1]) else { continue }
            let sign = first[x].signum()
            for (level, limit) in Self.limits.enumerated() where size > limit {
                edges[level] += Int(size)
                for (place, offset) in [-3, -2, -1, 1, 2, 3].enumerated() {
                    beside[level][place] += Int(first[x + offset] &* sign)
                }
            }
        }
    }
}
