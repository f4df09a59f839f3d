import FrameCore

/// How far steps at the lines of an 8 × 8 grid exceed those beside them: 0 for none, about 1 where blocks stand out.
struct BlockMeasure: Sendable {
    let visibility: Float

    init(_ frame: Frame) {
        visibility = frame.buffer.withPlanes { planes in
            let plane = planes[0]
            let unit = Float(1 << (planes.format.bitDepth - 8))
            guard plane.width >= 64, plane.height >= 64 else { return 0 }
            let (across, down) =
                planes.format.bytesPerSample == 1
                ? (Self.steps(plane, UInt8.self, vertical: false), Self.steps(plane, UInt8.self, vertical: true))
                : (Self.steps(plane, UInt16.self, vertical: false), Self.steps(plane, UInt16.self, vertical: true))
            return 0.5 * (Self.excess(across, unit: unit) + Self.excess(down, unit: unit))
        }
    }

    /// Mean step between neighbours, by position in the grid.
    private static func steps<Sample: FixedWidthInteger & UnsignedInteger>(
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
