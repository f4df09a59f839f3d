/// Recognizes drawn test patterns: color bars in one or several rows, color charts and ramps of single channels.
///
/// They consist of many saturated colors, none of which prevails, in areas without any texture and with edges along rows
/// and columns. Slides and screens have one prevailing ground, animation has other edges, and photos have texture.
enum TestPattern {
    /// Least distance of a saturated color from grey, in 8-bit levels of chroma.
    private static let saturation: Float = 45
    /// Least share of saturated cells.
    private static let saturatedShare: Float = 0.36
    /// Largest share of the most common color.
    private static let commonestShare: Float = 0.25
    /// Number of colors with a share of at least `colorShare`.
    private static let colors = 5
    private static let colorShare: Float = 0.02
    /// Least share of tiles without texture.
    private static let quietShare: Float = 0.55
    /// Largest range of luma in a tile without texture, in 8-bit levels.
    private static let quietRange: Float = 2.5
    /// Least share of edge samples at edges along rows or columns.
    private static let alignedShare: Float = 0.85

    static func isShown(in picture: AnalysisPicture) -> Bool {
        // Few frames have colors like these, so most need no further measures.
        hasColorsOfPattern(picture) && isQuiet(picture.detail) && isAligned(picture.detail)
    }

    private static func hasColorsOfPattern(_ picture: AnalysisPicture) -> Bool {
        let (blue, red) = picture.chroma
        let cells = Float(max(1, blue.values.count))
        var saturated = 0
        for (u, v) in zip(blue.values, red.values) where u * u + v * v > saturation * saturation { saturated += 1 }
        guard Float(saturated) > saturatedShare * cells else { return false }
        // 8 levels of each channel.
        var counts = [Int](repeating: 0, count: 512)
        let luma = picture.luma.halved()
        for y in 0..<min(blue.height, luma.height) {
            for x in 0..<min(blue.width, luma.width) {
                func level(_ value: Float) -> Int { max(0, min(7, Int(value / 32))) }
                counts[64 * level(luma[x, y]) + 8 * level(blue[x, y] + 128) + level(red[x, y] + 128)] += 1
            }
        }
        return Float(counts.max() ?? 0) < commonestShare * cells
            && counts.count { Float($0) > colorShare * cells } >= colors
    }

    /// Whether most tiles of 8 × 8 samples have no texture.
    private static func isQuiet(_ plane: FloatPlane) -> Bool {
        let side = 8
        var (quiet, tiles) = (0, 0)
        for ty in stride(from: 0, to: plane.height - side + 1, by: side) {
            for tx in stride(from: 0, to: plane.width - side + 1, by: side) {
                var (least, most): (Float, Float) = (255, 0)
                for y in ty..<ty + side {
                    for x in tx..<tx + side {
                        let value = plane[x, y]
                        (least, most) = (min(least, value), max(most, value))
                    }
                }
                tiles += 1
                if most - least < quietRange { quiet += 1 }
            }
        }
        return Float(quiet) > quietShare * Float(max(1, tiles))
    }

    /// Whether most edges lie along rows or columns.
    private static func isAligned(_ plane: FloatPlane) -> Bool {
        var (aligned, edges) = (0, 0)
        for y in 0..<plane.height - 1 {
            for x in 0..<plane.width - 1 {
                let value = plane[x, y]
                let (across, down) = (abs(plane[x + 1, y] - value), abs(plane[x, y + 1] - value))
                guard max(across, down) > 30 else { continue }
                edges += 1
                // At a slanted edge both change.
                if min(across, down) < 0.08 * max(across, down) + 3 { aligned += 1 }
            }
        }
        return edges > 0 && Float(aligned) > alignedShare * Float(edges)
    }
}
