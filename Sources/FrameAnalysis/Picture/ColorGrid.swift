/// The mean colors of a frame on a coarse square grid stretched over the picture, for comparing frames of a clip.
package struct ColorGrid: Sendable {
    package static let side = 32

    /// Luma as displayed of each cell, then blue and red difference plus 128; each part in row order.
    let values: [UInt8]

    init(_ picture: AnalysisPicture) {
        let planes = [(picture.luma, Float(0)), (picture.chroma.blue, 128), (picture.chroma.red, 128)]
        values = planes.flatMap { plane, offset in
            plane.reduced(width: Self.side, height: Self.side).values.map {
                UInt8(max(0, min(255, ($0 + offset).rounded())))
            }
        }
    }

    /// Creates a grid from values in the order of ``values``.
    package init(values: [UInt8]) { self.values = values }

    /// The mean absolute difference of the values, in 8-bit levels.
    func difference(from other: ColorGrid) -> Float {
        var sum = 0
        for (a, b) in zip(values, other.values) { sum += abs(Int(a) - Int(b)) }
        return Float(sum) / Float(max(1, values.count))
    }
}
