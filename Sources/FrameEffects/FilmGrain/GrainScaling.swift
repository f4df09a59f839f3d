package import FrameCore

/// A scaling function of film grain, tabulated for each code value (AV1 specification, 7.18.3.5).
package struct GrainScaling: Sendable {
    /// The factor for each code value.
    package let values: [UInt8]

    /// - Parameters:
    ///   - points: the function's points, in ascending order.
    ///   - bitDepth: 8…12.
    package init(_ points: [FilmGrain.ScalingPoint], bitDepth: Int) {
        let coarse = Self.table(points)
        let shift = bitDepth - 8
        values = (0..<1 << bitDepth).map { index in
            let at = index >> shift, rest = index & ((1 << shift) - 1)
            guard shift > 0, at < 255 else { return UInt8(coarse[at]) }
            return UInt8(coarse[at] + round2((coarse[at + 1] - coarse[at]) * rest, shift))
        }
    }

    /// Returns the function's values at 8-bit code values.
    private static func table(_ points: [FilmGrain.ScalingPoint]) -> [Int] {
        guard let first = points.first, let last = points.last else { return [Int](repeating: 0, count: 256) }
        var table = [Int](repeating: first.scaling, count: 256)
        for (a, b) in zip(points, points.dropFirst()) {
            let width = b.value - a.value
            let slope = (b.scaling - a.scaling) * ((65536 + width >> 1) / width)
            for x in 0..<width { table[a.value + x] = a.scaling + (x * slope + 32768) >> 16 }
        }
        for x in last.value..<256 { table[x] = last.scaling }
        return table
    }
}
