package import FrameCore

/// How much two pictures differ in each of many small blocks.
///
/// A mouth that moves changes a few blocks strongly, while noise and coding errors change all of them a little. So the
/// largest block shows what the mean of the frame would hide.
package struct BlockDifferences: Sendable {
    /// The mean absolute difference of each block, in 8-bit levels: of luma or of one of the chroma planes, whichever is
    /// largest.
    package let values: [Float]
    /// The largest of them.
    package let largest: Float
    /// Their mean.
    package let mean: Float
    /// The number of blocks in a row.
    package let columns: Int

    /// The difference between frames that cannot be compared.
    private static let incomparable: Float = 255
    /// The length of the longer side of the picture, in pixels, up to which the smallest blocks are used.
    private static let smallPicture = 1280
    /// The side of the smallest blocks, in pixels.
    private static let smallestSide = 8

    package init(values: [Float], columns: Int) {
        self.values = values
        self.columns = max(1, columns)
        largest = values.max() ?? 0
        mean = values.reduce(0, +) / Float(max(1, values.count))
    }

    /// Compares two pictures.
    package init(_ a: PixelBuffer, _ b: PixelBuffer) {
        guard a.format == b.format, a.width == b.width, a.height == b.height else {
            self.init(values: [Self.incomparable], columns: 1)
            return
        }
        let side = Self.smallestSide * max(1, (max(a.width, a.height) + Self.smallPicture - 1) / Self.smallPicture)
        let columns = max(1, a.width / side), rows = max(1, a.height / side)
        var values = [Float](repeating: 0, count: columns * rows)
        let format = a.format
        a.withPlanes { a in
            b.withPlanes { b in
                for plane in 0..<format.planeCount {
                    let shift = format.shift(plane)
                    let grid = BlockGrid(columns: columns, rows: rows, width: side >> shift.x, height: side >> shift.y)
                    grid.measure(format.sampleType, a[plane], b[plane], levels: 1 << (format.bitDepth - 8), &values)
                }
            }
        }
        self.init(values: values, columns: columns)
    }
}

/// The blocks of one plane. The last block of each row and column holds what is left.
private struct BlockGrid {
    var columns: Int
    var rows: Int
    var width: Int
    var height: Int

    /// Raises each value to the mean absolute difference of its block.
    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    func measure<Sample: PixelSample>(
        _: Sample.Type, _ a: Plane, _ b: Plane, levels: Int, _ values: inout [Float]
    ) {
        let sums = Scratch<UInt32>(a.width)
        for row in 0..<rows {
            let lines = row * height..<(row + 1 == rows ? a.height : min(a.height, (row + 1) * height))
            sums.base.update(repeating: 0, count: a.width)
            for line in lines {
                let p = a.row(line).assumingMemoryBound(to: Sample.self)
                let q = b.row(line).assumingMemoryBound(to: Sample.self)
                for x in 0..<a.width {
                    let (low, high) = (min(p[x], q[x]), max(p[x], q[x]))
                    sums.base[x] &+= UInt32(high &- low)
                }
            }
            for column in 0..<columns {
                let span = column * width..<(column + 1 == columns ? a.width : min(a.width, (column + 1) * width))
                guard !span.isEmpty, !lines.isEmpty else { continue }
                var sum: UInt64 = 0
                for x in span { sum &+= UInt64(sums.base[x]) }
                let mean = Float(sum) / Float(span.count * lines.count * levels)
                values[row * columns + column] = max(values[row * columns + column], mean)
            }
        }
    }
}
