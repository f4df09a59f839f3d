internal import FrameCore

/// A plane of floating-point samples in rows without padding.
struct FloatPlane: Sendable {
    let width: Int
    let height: Int
    var values: [Float]

    init(width: Int, height: Int, values: [Float]) {
        self.width = width
        self.height = height
        self.values = values
    }

    init(width: Int, height: Int, repeating value: Float = 0) {
        self.init(width: width, height: height, values: [Float](repeating: value, count: width * height))
    }

    subscript(x: Int, y: Int) -> Float {
        get { values[y * width + x] }
        set { values[y * width + x] = newValue }
    }

    var mean: Float { values.isEmpty ? 0 : values.reduce(0, +) / Float(values.count) }

    /// Returns the means of 2 × 2 samples; both sides must be even.
    func halved() -> FloatPlane {
        let (w, h) = (width / 2, height / 2)
        var out = FloatPlane(width: w, height: h)
        values.withUnsafeBufferPointer { source in
            out.values.withUnsafeMutableBufferPointer { result in
                for y in 0..<h {
                    let (upper, lower) = (2 * y * width, (2 * y + 1) * width)
                    for x in 0..<w {
                        let sum =
                            source[upper &+ 2 &* x] + source[upper &+ 2 &* x &+ 1] + source[lower &+ 2 &* x]
                            + source[lower &+ 2 &* x &+ 1]
                        result[y &* w &+ x] = 0.25 * sum
                    }
                }
            }
        }
        return out
    }

    /// The part of the plane between these fractions of its sides, reduced to `width` × `height` area means.
    func reduced(
        width w: Int, height h: Int, left: Double = 0, top: Double = 0, right: Double = 1, bottom: Double = 1
    ) -> FloatPlane {
        values.withUnsafeBufferPointer { source in
            areaMeans(
                width: w, height: h, x: left * Double(width)..<right * Double(width),
                y: top * Double(height)..<bottom * Double(height), sourceWidth: width, sourceHeight: height
            ) { y, weight, sums in
                let row = y * width
                for x in 0..<width { sums[x] += weight * source[row &+ x] }
            }
        }
    }

    /// Returns the mean around each sample over `2·rx + 1` by `2·ry + 1` samples, ignoring those outside the plane.
    func boxMeans(rx: Int, ry: Int) -> FloatPlane {
        var table = [Double](repeating: 0, count: (width + 1) * (height + 1))
        let stride = width + 1
        for y in 0..<height {
            var sum = 0.0
            for x in 0..<width {
                sum += Double(values[y * width + x])
                table[(y + 1) * stride + x + 1] = table[y * stride + x + 1] + sum
            }
        }
        var out = FloatPlane(width: width, height: height)
        for y in 0..<height {
            let (y0, y1) = (max(0, y - ry), min(height, y + ry + 1))
            for x in 0..<width {
                let (x0, x1) = (max(0, x - rx), min(width, x + rx + 1))
                let sum =
                    table[y1 * stride + x1] - table[y0 * stride + x1] - table[y1 * stride + x0]
                    + table[y0 * stride + x0]
                out.values[y * width + x] = Float(sum / Double((x1 - x0) * (y1 - y0)))
            }
        }
        return out
    }
}

/// Returns the means over `width` × `height` equal cells that together cover the ranges `x` and `y` of a source.
///
/// - Parameter addRow: adds a source row, multiplied by a weight, to the column sums.
func areaMeans(
    width: Int, height: Int, x: Range<Double>, y: Range<Double>, sourceWidth: Int, sourceHeight: Int,
    addRow: (_ y: Int, _ weight: Float, _ sums: UnsafeMutablePointer<Float>) -> Void
) -> FloatPlane {
    let xs = cellSpans(count: width, over: x, length: sourceWidth)
    let ys = cellSpans(count: height, over: y, length: sourceHeight)
    var out = FloatPlane(width: width, height: height)
    let sums = Scratch<Float>(sourceWidth)
    out.values.withUnsafeMutableBufferPointer { result in
        for row in 0..<height {
            sums.base.update(repeating: 0, count: sourceWidth)
            let span = ys[row]
            for line in span.first...span.last { addRow(line, span.weight(line), sums.base) }
            for column in 0..<width {
                let span = xs[column]
                var sum = span.firstWeight * sums[span.first]
                if span.last > span.first {
                    for i in span.first + 1..<span.last { sum += span.innerWeight * sums[i] }
                    sum += span.lastWeight * sums[span.last]
                }
                result[row * width + column] = sum
            }
        }
    }
    return out
}

/// The samples that a cell covers and their weights, which add up to 1.
private struct CellSpan {
    var first: Int
    var last: Int
    var firstWeight: Float
    var innerWeight: Float
    var lastWeight: Float

    func weight(_ index: Int) -> Float {
        index == first ? firstWeight : index == last ? lastWeight : innerWeight
    }
}

private func cellSpans(count: Int, over range: Range<Double>, length: Int) -> [CellSpan] {
    let cell = (range.upperBound - range.lowerBound) / Double(count)
    return (0..<count).map { index in
        let start = range.lowerBound + Double(index) * cell
        let end = start + cell
        let first = max(0, min(length - 1, Int(start)))
        let last = max(first, min(length - 1, Int(end.rounded(.up)) - 1))
        if first == last { return CellSpan(first: first, last: last, firstWeight: 1, innerWeight: 0, lastWeight: 0) }
        let (head, tail) = (Double(first + 1) - start, end - Double(last))
        return CellSpan(
            first: first, last: last, firstWeight: Float(head / cell), innerWeight: Float(1 / cell),
            lastWeight: Float(tail / cell))
    }
}
