/// A plane reduced to a grid of cell means.
package struct DownscaledPlane: Sendable {
    package let width: Int
    package let height: Int
    /// Cell means in 1/4 of an 8-bit level, 0…1020, row by row.
    package var values: [Int16]

    package init(width: Int, height: Int, values: [Int16]) {
        self.width = width
        self.height = height
        self.values = values
    }

    /// Creates a grid from cell means in 1/16 of an 8-bit level, as ``BoxDownscaler`` returns them.
    init(sixteenths cells: (width: Int, height: Int, values: [UInt16])) {
        self.init(
            width: cells.width, height: cells.height,
            values: cells.values.map { Int16(min(1020, (Int32($0) + 2) >> 2)) })
    }

    /// Returns the sum of absolute deviations from the mean in a rectangle of the grid.
    func deviation(x: Int, y: Int, width w: Int, height h: Int) -> Int32 {
        values.withUnsafeBufferPointer { cells in
            var sum: Int32 = 0
            for j in y..<y + h { for i in x..<x + w { sum &+= Int32(cells[j &* width &+ i]) } }
            let mean = (sum &+ Int32(w &* h / 2)) / Int32(w &* h)
            var deviation: Int32 = 0
            for j in y..<y + h { for i in x..<x + w { deviation &+= abs(Int32(cells[j &* width &+ i]) &- mean) } }
            return deviation
        }
    }

    /// Returns the means of `factor` × `factor` cells. Incomplete cells at the right and bottom are left out.
    func reduced(by factor: Int) -> DownscaledPlane {
        let (w, h) = (max(1, width / factor), max(1, height / factor))
        let (fx, fy) = (min(factor, width), min(factor, height))
        var out = [Int16](repeating: 0, count: w * h)
        values.withUnsafeBufferPointer { cells in
            for y in 0..<h {
                for x in 0..<w {
                    var sum = 0
                    for j in 0..<fy {
                        for i in 0..<fx { sum &+= Int(cells[(y &* factor &+ j) &* width &+ x &* factor &+ i]) }
                    }
                    out[y * w + x] = Int16(truncatingIfNeeded: (sum &+ fx &* fy / 2) / (fx &* fy))
                }
            }
        }
        return DownscaledPlane(width: w, height: h, values: out)
    }

    /// Returns the grid smoothed by a binomial 3×3 kernel with replicated borders.
    func smoothed() -> DownscaledPlane {
        var out = self
        values.withUnsafeBufferPointer { cells in
            for y in 0..<height {
                let rows = (max(0, y - 1) * width, y * width, min(height - 1, y + 1) * width)
                func column(_ x: Int) -> Int32 {
                    Int32(cells[rows.0 &+ x]) &+ 2 &* Int32(cells[rows.1 &+ x]) &+ Int32(cells[rows.2 &+ x])
                }
                for x in 0..<width {
                    let sum = column(max(0, x - 1)) &+ 2 &* column(x) &+ column(min(width - 1, x + 1))
                    out.values[y * width + x] = Int16(truncatingIfNeeded: (sum &+ 8) >> 4)
                }
            }
        }
        return out
    }

    /// Returns the means of `2 · radius + 1` cells along each row or column, with replicated borders.
    func boxBlurred(radius: Int, horizontally: Bool) -> DownscaledPlane {
        guard radius > 0 else { return self }
        var out = self
        let (length, lines) = horizontally ? (width, height) : (height, width)
        let (step, lineStep) = horizontally ? (1, width) : (width, 1)
        let taps = Int32(2 * radius + 1)
        values.withUnsafeBufferPointer { cells in
            for line in 0..<lines {
                func cell(_ i: Int) -> Int32 { Int32(cells[line &* lineStep &+ max(0, min(length &- 1, i)) &* step]) }
                var sum: Int32 = 0
                for i in -radius...radius { sum &+= cell(i) }
                for i in 0..<length {
                    out.values[line * lineStep + i * step] = Int16(truncatingIfNeeded: (sum &+ taps / 2) / taps)
                    sum = sum &+ cell(i &+ radius &+ 1) &- cell(i &- radius)
                }
            }
        }
        return out
    }

    /// Returns the distance of `b` from the mean of `a` and `c`, divided by the distance between `a` and `c`: 0 in a
    /// dissolve, 1/2 next to a cut, 1 for grids of different sizes.
    static func bend(_ a: DownscaledPlane, _ b: DownscaledPlane, _ c: DownscaledPlane) -> Float {
        guard a.values.count == b.values.count, b.values.count == c.values.count else { return 1 }
        var (apart, off) = (0, 0)
        for index in b.values.indices {
            let (p, q, r) = (Int(a.values[index]), Int(b.values[index]), Int(c.values[index]))
            apart &+= abs(r &- p)
            off &+= abs(2 &* q &- p &- r)
        }
        return Float(off) / Float(max(1, 2 &* apart))
    }

    /// Returns `(value − from) · gain / 256 + to` for every cell, limited to 0…1020.
    func adjusted(from: Int32, gain: Int32, to: Int32) -> DownscaledPlane {
        var out = self
        for index in out.values.indices {
            let value = ((Int32(values[index]) &- from) &* gain) >> 8 &+ to
            out.values[index] = Int16(truncatingIfNeeded: max(0, min(1020, value)))
        }
        return out
    }
}

/// Brightness, contrast and sharpness of a luma grid.
struct LumaStatistics: Sendable {
    /// Mean luma in 1/4 of an 8-bit level.
    let mean: Int32
    /// Contrast: the mean absolute deviation from ``mean``, in 1/4 of an 8-bit level.
    let spread: Int32
    /// Sharpness along rows: the mean absolute difference of neighbouring cells, in 1/64 of an 8-bit level.
    let gradientX: Int32
    /// Sharpness along columns, in 1/64 of an 8-bit level.
    let gradientY: Int32

    init(_ grid: DownscaledPlane) {
        let (w, h) = (grid.width, grid.height)
        let count = max(1, w * h)
        (mean, spread, gradientX, gradientY) = grid.values.withUnsafeBufferPointer { cells in
            var sum = 0
            for value in cells { sum &+= Int(value) }
            let mean = sum / count
            var (spread, gx, gy) = (0, 0, 0)
            for y in 0..<h {
                for x in 0..<w {
                    let value = Int(cells[y &* w &+ x])
                    spread &+= abs(value &- mean)
                    if x > 0 { gx &+= abs(value &- Int(cells[y &* w &+ x &- 1])) }
                    if y > 0 { gy &+= abs(value &- Int(cells[(y &- 1) &* w &+ x])) }
                }
            }
            return (Int32(mean), Int32(spread / count), Int32(gx * 16 / count), Int32(gy * 16 / count))
        }
    }

    /// Largest mean deviation of the luma of a blank frame, in 1/4 of an 8-bit level. Adjusted by hand on the joined
    /// scenes of `Tests/Measurements/SceneCuts`, 2026-11-21.
    static let blankSpread: Int32 = 7
    /// Minimum mean luma of a white frame, in 1/4 of an 8-bit level: level 180 of 255. Adjusted by hand on the joined
    /// scenes of `Tests/Measurements/SceneCuts`, 2026-11-21.
    private static let whiteMean: Int32 = 4 * 180
    /// Whether the frame is a single uniform area.
    var isBlank: Bool { spread <= Self.blankSpread }
    /// Whether the frame is blank and brighter than most scenes: blown out.
    var isWhite: Bool { isBlank && mean >= Self.whiteMean }
}
