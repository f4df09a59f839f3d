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

    /// Finds the part that neither frame covers with bars, less the edges of these.
    init(_ a: PaddedPlane, _ b: PaddedPlane) {
        let width = a.width, height = a.height
        func line(_ plane: PaddedPlane, _ index: Int, _ isColumn: Bool) -> Line {
            isColumn
                ? Line(first: UnsafePointer(plane.bytes) + index, step: plane.stride, count: height)
                : Line(first: UnsafePointer(plane.bytes) + index * plane.stride, step: 1, count: width)
        }
        /// The lines from one side to the picture.
        func bar(_ isColumn: Bool, _ isFromEnd: Bool) -> Int {
            let count = isColumn ? width : height, most = count / BarParameters.divisor
            func place(_ distance: Int) -> Int { isFromEnd ? count - 1 - distance : distance }
            func isOfBar(_ distance: Int) -> Bool {
                line(a, place(distance), isColumn).isOfBar && line(b, place(distance), isColumn).isOfBar
            }
            guard most > 0, isOfBar(0) else { return 0 }
            // A bar may have a caption in it.
            let bar = (0..<most).last(where: isOfBar).map { $0 + 1 } ?? 0
            guard bar < most else { return 0 }
            let end = min(bar + BarParameters.edge, count) - 1
            for plane in [a, b] {
                let black = line(plane, place(0), isColumn).brightest
                guard line(plane, place(end), isColumn).showsPicture(beside: black) else { return 0 }
            }
            return min(bar + BarParameters.edge, count / 2)
        }
        columns = bar(true, false)..<width - bar(true, true)
        rows = bar(false, false)..<height - bar(false, true)
    }

    func contains(_ x: Int, _ y: Int) -> Bool { columns.contains(x) && rows.contains(y) }

    private struct Line {
        let first: UnsafePointer<UInt8>
        let step: Int
        let count: Int

        var brightest: UInt8 { (0..<count).reduce(0) { max($0, first[$1 * step]) } }

        var isOfBar: Bool {
            var low = UInt8.max, high = UInt8.min
            for i in 0..<count {
                let sample = first[i * step]
                low = min(low, sample)
                high = max(high, sample)
                if high > BarParameters.brightest || high - low > BarParameters.range { return false }
            }
            return true
        }

        func showsPicture(beside black: UInt8) -> Bool {
            let limit = Int(black) + BarParameters.step
            let shown = (0..<count).reduce(0) { $0 + (Int(first[$1 * step]) > limit ? 1 : 0) }
            return shown * 100 >= BarParameters.percent * count
        }
    }
}
