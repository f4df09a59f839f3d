import FrameCore

/// Standard deviation of what is neither edge nor texture, in 8-bit levels as displayed.
///
/// Immerkær's second difference in small blocks spread over the picture at its own size; the quieter blocks tell the
/// noise, since texture can only add to it.
struct NoiseMeasure: Sendable {
    let sigma: Float

    private static let side = 16
    private static let blocksAcross = 20

    init(_ frame: Frame) {
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
                    let block =
                        format.bytesPerSample == 1
                        ? Self.measure(plane, x, y, UInt8.self) : Self.measure(plane, x, y, UInt16.self)
                    // Clipped blocks are quiet whatever the noise.
                    if block.mean > low, block.mean < high { values.append(block.difference) }
                }
            }
            return values
        }
        guard values.count >= 8 else {
            sigma = 0
            return
        }
        let quiet = values.sorted()[values.count / 5]
        sigma = 1.2533 / 6 * quiet / unit
    }

    private static func measure<Sample: FixedWidthInteger & UnsignedInteger>(
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
}
