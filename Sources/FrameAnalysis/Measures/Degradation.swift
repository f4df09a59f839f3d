internal import FrameCore

/// Image defects caused by cameras and encoders, measured on the frame at full size.
enum Degradation {
    /// Side of the blocks in which noise is measured, and the number of blocks in each direction.
    private static let side = 16, blocksAcross = 20

    /// Standard deviation of the noise, in 8-bit levels as displayed.
    ///
    /// Immerkær's second difference in small blocks spread over the picture. The estimate is the 20th percentile of the
    /// blocks, since texture can only increase the value of a block.
    static func noise(_ frame: Frame) -> Float {
        let format = frame.buffer.format
        let isFull = frame.color.resolved(height: frame.buffer.height).range == .full
        let unit = Float(1 << (format.bitDepth - 8)) * (isFull ? 1 : 219 / 255)
        let (low, high) = (18 * Float(1 << (format.bitDepth - 8)), 232 * Float(1 << (format.bitDepth - 8)))
        let values: [Float] = frame.buffer.withPlanes { planes in
            let plane = planes[0]
            let side = Self.side
            guard plane.width >= side + 2, plane.height >= side + 2 else { return [] }
            var values: [Float] = []
            for j in 0..<Self.blocksAcross {
                for i in 0..<Self.blocksAcross {
                    let x = 1 + (plane.width - side - 2) * i / (Self.blocksAcross - 1)
                    let y = 1 + (plane.height - side - 2) * j / (Self.blocksAcross - 1)
                    let block = Self.measure(plane, x, y, format.sampleType)
                    // Clipped blocks look quiet however noisy the picture is.
                    if block.mean > low, block.mean < high { values.append(block.difference) }
                }
            }
            return values
        }
        guard values.count >= 8 else { return 0 }
        let quiet = values.sorted()[values.count / 5]
        return 1.2533 / 6 * quiet / unit
    }

    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    private static func measure<Sample: PixelSample>(
        _ plane: Plane, _ x: Int, _ y: Int, _ type: Sample.Type
    ) -> (difference: Float, mean: Float) {
        var (total, level) = (0, 0)
        for line in y..<y + side {
            let above = plane.row(line - 1).assumingMemoryBound(to: Sample.self)
            let here = plane.row(line).assumingMemoryBound(to: Sample.self)
            let below = plane.row(line + 1).assumingMemoryBound(to: Sample.self)
            for c in x..<x + side {
                let corners = Int(above[c - 1]) &+ Int(above[c + 1]) &+ Int(below[c - 1]) &+ Int(below[c + 1])
                let sides = Int(above[c]) &+ Int(below[c]) &+ Int(here[c - 1]) &+ Int(here[c + 1])
                let middle = Int(here[c])
                total &+= abs(corners &- 2 &* sides &+ 4 &* middle)
                level &+= middle
            }
        }
        let count = Float(side * side)
        return (Float(total) / count, Float(level) / count)
    }

    /// Returns how much the steps between samples across the edges of 8 × 8 blocks exceed the steps elsewhere: 0 for no
    /// blocking, about 1 where blocks are clearly visible.
    static func blockiness(_ frame: Frame) -> Float {
        frame.buffer.withPlanes { planes in
            let plane = planes[0]
            let unit = Float(1 << (planes.format.bitDepth - 8))
            guard plane.width >= 64, plane.height >= 64 else { return 0 }
            let type = planes.format.sampleType
            let across = Self.steps(plane, type, vertical: false), down = Self.steps(plane, type, vertical: true)
            return 0.5 * (Self.excess(across, unit: unit) + Self.excess(down, unit: unit))
        }
    }

    /// Mean step between neighbouring samples, by position in the 8 × 8 grid.
    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    private static func steps<Sample: PixelSample>(
        _ plane: Plane, _ type: Sample.Type, vertical: Bool
    ) -> [Float] {
        var sums = [Int](repeating: 0, count: 8), counts = [Int](repeating: 0, count: 8)
        if vertical {
            let stepX = max(1, plane.width / 240)
            for y in 1..<plane.height {
                let above = plane.row(y - 1).assumingMemoryBound(to: Sample.self)
                let here = plane.row(y).assumingMemoryBound(to: Sample.self)
                var sum = 0
                for x in stride(from: 0, to: plane.width, by: stepX) { sum &+= abs(Int(here[x]) &- Int(above[x])) }
                sums[y & 7] &+= sum
                counts[y & 7] &+= (plane.width + stepX - 1) / stepX
            }
        } else {
            for y in stride(from: 0, to: plane.height, by: max(1, plane.height / 120)) {
                let row = plane.row(y).assumingMemoryBound(to: Sample.self)
                for x in 1..<plane.width {
                    sums[x & 7] &+= abs(Int(row[x]) &- Int(row[x &- 1]))
                    counts[x & 7] &+= 1
                }
            }
        }
        return zip(sums, counts).map { Float($0) / Float(max(1, $1)) }
    }

    private static func excess(_ steps: [Float], unit: Float) -> Float {
        let sorted = steps.sorted()
        let middle = 0.5 * (sorted[3] + sorted[4])
        return max(0, sorted[7] - sorted[6] * 1.02) / (middle + 0.4 * unit)
    }
}
