/// Local contrast normalization: what a picture shows apart from its lighting, every cell against its surroundings.
///
/// A flash, a fade, flicker or a lamp that lights a part of the picture changes the local mean and the local contrast, and
/// both are taken out here; edges and texture stay where they are.
extension Grid {
    /// Cells that count as a cell's surroundings, each way.
    private static let surroundings = 5
    /// Contrast below which cells are noise rather than structure, in 1/4 of an 8-bit level.
    private static let noise: Int32 = 10

    /// Difference from the local mean over the local mean difference, 128 for one such, about 510.
    func locallyNormalized() -> Grid {
        let radius = Self.surroundings
        let mean = boxBlurred(radius: radius, horizontally: true).boxBlurred(radius: radius, horizontally: false)
        var off = self
        for i in values.indices {
            off.values[i] = Int16(truncatingIfNeeded: abs(Int32(values[i]) - Int32(mean.values[i])))
        }
        let scale = off.boxBlurred(radius: radius, horizontally: true).boxBlurred(radius: radius, horizontally: false)
        for i in values.indices {
            let normal = (Int32(values[i]) - Int32(mean.values[i])) * 128 / (Int32(scale.values[i]) + Self.noise)
            off.values[i] = Int16(truncatingIfNeeded: max(0, min(1020, 510 + normal)))
        }
        return off
    }
}
