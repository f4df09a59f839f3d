import Motion

/// Parameters of the bars round a picture, in 8-bit grey levels. The values were chosen by hand, November 2026.
private enum BarParameters {
    /// Brightest sample of a bar, and largest range of samples in one of its lines.
    static let brightest: UInt8 = 48
    static let range: UInt8 = 20
    /// Lines beside the bars in which its edge lies; edges this close to it belong to it.
    static let edge = 4
    /// Difference from the bar from which a sample belongs to the picture.
    static let step = 10
    /// Percentage of such samples in a line of the picture beside a bar. Letters on a black ground cover less.
    static let percent = 30
    /// A bar covers at most the width or height of the frame divided by this.
    static let divisor = 3
}

/// The part of two frames inside black bars, such as those of a film in a frame of another shape.
///
/// The edge of a bar stands still while the picture beside it moves, but there is no ground behind it.
struct PictureArea {
    let columns: Range<Int>
    let rows: Range<Int>
    /// The same with the lines beside the bars, in which their edges lie.
    let withEdges: (columns: Range<Int>, rows: Range<Int>)

    /// Finds the part that neither frame covers with bars, less the edges of these.
    init(_ a: PaddedPlane, _ b: PaddedPlane) {
        func luma(_ plane: PaddedPlane) -> EightBitLuma {
            EightBitLuma(
                first: UnsafeRawPointer(plane.bytes), stride: plane.stride, width: plane.width, height: plane.height,
                shift: nil)
        }
        self.init(luma(a), luma(b))
    }

    /// Likewise, of the luma planes of two frames of a size.
    init(_ a: EightBitLuma, _ b: EightBitLuma) {
        /// The number of lines from one side to the picture.
        func bar(_ isColumn: Bool, _ isFromEnd: Bool) -> Int {
            let count = isColumn ? a.width : a.height, most = count / BarParameters.divisor
            func place(_ distance: Int) -> Int { isFromEnd ? count - 1 - distance : distance }
            func isOfBar(_ distance: Int) -> Bool {
                a.line(place(distance), isColumn).isOfBar && b.line(place(distance), isColumn).isOfBar
            }
            guard most > 0, isOfBar(0) else { return 0 }
            // A bar may have a caption in it.
            let bar = (0..<most).last(where: isOfBar).map { $0 + 1 } ?? 0
            guard bar < most else { return 0 }
            let end = min(bar + BarParameters.edge, count) - 1
            for luma in [a, b] {
                let black = luma.line(place(0), isColumn).brightest
                guard luma.line(place(end), isColumn).showsPicture(beside: black) else { return 0 }
            }
            return bar
        }
        func inner(_ bar: Int, _ count: Int) -> Int { bar == 0 ? 0 : min(bar + BarParameters.edge, count / 2) }
        let left = bar(true, false), right = bar(true, true), top = bar(false, false), bottom = bar(false, true)
        withEdges = (left..<a.width - right, top..<a.height - bottom)
        columns = inner(left, a.width)..<a.width - inner(right, a.width)
        rows = inner(top, a.height)..<a.height - inner(bottom, a.height)
    }

    func contains(_ x: Int, _ y: Int) -> Bool { columns.contains(x) && rows.contains(y) }
}

/// The luma of a frame at eight bits.
struct EightBitLuma {
    let first: UnsafeRawPointer
    /// Bytes from one row to the next.
    let stride: Int
    let width: Int
    let height: Int
    /// The bits that samples of two bytes have more than eight; nil for samples of one byte.
    let shift: Int?

    func line(_ index: Int, _ isColumn: Bool) -> Line {
        let sample = shift == nil ? 1 : 2
        return isColumn
            ? Line(first: first + index * sample, step: stride, count: height, shift: shift)
            : Line(first: first + index * stride, step: sample, count: width, shift: shift)
    }

    /// A row or a column.
    struct Line {
        let first: UnsafeRawPointer
        let step: Int
        let count: Int
        let shift: Int?

        @inline(__always)
        private subscript(index: Int) -> UInt8 {
            guard let shift else { return first.load(fromByteOffset: index * step, as: UInt8.self) }
            return UInt8(truncatingIfNeeded: first.load(fromByteOffset: index * step, as: UInt16.self) >> UInt16(shift))
        }

        var brightest: UInt8 { (0..<count).reduce(0) { max($0, self[$1]) } }

        var isOfBar: Bool {
            var low = UInt8.max, high = UInt8.min
            for i in 0..<count {
                let sample = self[i]
                low = min(low, sample)
                high = max(high, sample)
                if high > BarParameters.brightest || high - low > BarParameters.range { return false }
            }
            return true
        }

        func showsPicture(beside black: UInt8) -> Bool {
            let limit = Int(black) + BarParameters.step
            let shown = (0..<count).reduce(0) { $0 + (Int(self[$1]) > limit ? 1 : 0) }
            return shown * 100 >= BarParameters.percent * count
        }

        /// Whether no sample differs from that of another line by more than coding does.
        func isUnchanged(in other: Line) -> Bool {
            (0..<count).allSatisfy { abs(Int(self[$0]) - Int(other[$0])) < BarParameters.step }
        }
    }
}
