import FrameCore

/// Parameters of black bars, in 8-bit grey levels. The values were chosen by hand, November 2026.
private enum BarParameters {
    /// Brightest sample of a black line.
    static let black: UInt8 = 28
    /// Percentage of black samples in a line of a bar with a caption in it.
    static let captionPercent = 60
    /// Difference above which a sample has changed.
    static let change: UInt8 = 10
    /// A sample of the picture is at least this bright where a new bar is looked for, in this percentage of a line,
    /// `edge` lines from the bar: letters on a black ground cover less.
    static let bright: UInt8 = 38
    static let brightPercent = 30
    static let edge = 4
    /// A bar covers at most the width or height of the frame divided by this.
    static let divisor = 3
    /// Fewest lines of a bar.
    static let fewest = 2
}

/// Looks for bars in the luma of two frames.
struct BarSearch {
    private let a: Plane
    private let b: Plane
    /// Bits that samples have more than eight; nil for samples of one byte.
    private let shift: UInt16?
    private var width: Int { a.width }
    private var height: Int { a.height }

    init(_ a: Plane, _ b: Plane, format: PixelFormat) {
        (self.a, self.b) = (a, b)
        shift = format.bytesPerSample == 1 ? nil : UInt16(format.bitDepth - 8)
    }

    /// The part without bars that begin in this pair.
    var columnsAndRows: (columns: Range<Int>, rows: Range<Int>) {
        let top = bar { $0 }, bottom = bar { height - 1 - $0 }
        let rows = top..<height - bottom
        let (left, right) = sides(rows, most: (width / BarParameters.divisor, width / BarParameters.divisor))
        func shown(_ count: Int, _ column: Int) -> Int {
            count >= BarParameters.fewest && showsPicture(column: column, rows) ? count : 0
        }
        let columns =
            shown(left, left + BarParameters.edge)..<width - shown(right, width - 1 - right - BarParameters.edge)
        return (columns, rows)
    }

    /// Whether there are bars round a part.
    func hasBars(round columns: Range<Int>, _ rows: Range<Int>) -> Bool {
        let most = (columns.lowerBound, width - columns.upperBound)
        return (0..<height).allSatisfy { rows.contains($0) || kind(ofRow: $0) != .picture }
            && sides(rows, most: most) == most
    }

    /// The rows of a bar at the side where `place` is 0.
    private func bar(_ place: (Int) -> Int) -> Int {
        var count = 0
        for distance in 0..<height / BarParameters.divisor {
            let kind = kind(ofRow: place(distance))
            if kind == .picture || distance == 0 && kind != .black { break }
            if kind == .black { count = distance + 1 }
        }
        guard count >= BarParameters.fewest, showsPicture(row: place(count + BarParameters.edge)) else { return 0 }
        return count
    }

    private enum Kind { case black, caption, picture }

    private func kind(ofRow y: Int) -> Kind {
        var counts = (a: 0, b: 0), changes = 0
        forEachPair(y, 0..<width) { first, second in
            counts.a += first <= BarParameters.black ? 1 : 0
            counts.b += second <= BarParameters.black ? 1 : 0
            changes += max(first, second) - min(first, second) > BarParameters.change ? 1 : 0
        }
        let least = min(counts.a, counts.b)
        if least == width { return .black }
        guard least * 100 >= BarParameters.captionPercent * width else { return .picture }
        return changes == 0 || max(counts.a, counts.b) == width ? .caption : .picture
    }

    /// The columns that are black in all of the rows at the left and at the right, up to `most`.
    private func sides(_ rows: Range<Int>, most: (left: Int, right: Int)) -> (left: Int, right: Int) {
        var (left, right) = most
        for y in rows {
            if left > 0 { left = blackColumns(y, left) { $0 } }
            if right > 0 { right = blackColumns(y, right) { width - 1 - $0 } }
            if left == 0, right == 0 { break }
        }
        return (left, right)
    }

    @inline(__always)
    private func blackColumns(_ y: Int, _ most: Int, _ place: (Int) -> Int) -> Int {
        let first = a.row(y), second = b.row(y)
        return (0..<most).first {
            max(sample(first, place($0)), sample(second, place($0))) > BarParameters.black
        } ?? most
    }

    private func showsPicture(row y: Int) -> Bool {
        var counts = (a: 0, b: 0)
        forEachPair(y, 0..<width) { first, second in
            counts.a += first >= BarParameters.bright ? 1 : 0
            counts.b += second >= BarParameters.bright ? 1 : 0
        }
        return min(counts.a, counts.b) * 100 >= BarParameters.brightPercent * width
    }

    private func showsPicture(column: Int, _ rows: Range<Int>) -> Bool {
        var counts = (a: 0, b: 0)
        for y in rows {
            counts.a += sample(a.row(y), column) >= BarParameters.bright ? 1 : 0
            counts.b += sample(b.row(y), column) >= BarParameters.bright ? 1 : 0
        }
        return min(counts.a, counts.b) * 100 >= BarParameters.brightPercent * rows.count
    }

    @inline(__always)
    private func forEachPair(_ y: Int, _ columns: Range<Int>, _ body: (UInt8, UInt8) -> Void) {
        let first = a.row(y), second = b.row(y)
        if shift == nil {
            let first = first.assumingMemoryBound(to: UInt8.self), second = second.assumingMemoryBound(to: UInt8.self)
            for x in columns { body(first[x], second[x]) }
        } else {
            for x in columns { body(sample(first, x), sample(second, x)) }
        }
    }

    @inline(__always)
    private func sample(_ row: UnsafeRawPointer, _ x: Int) -> UInt8 {
        guard let shift else { return row.load(fromByteOffset: x, as: UInt8.self) }
        return UInt8(truncatingIfNeeded: row.load(fromByteOffset: 2 * x, as: UInt16.self) >> shift)
    }
}
