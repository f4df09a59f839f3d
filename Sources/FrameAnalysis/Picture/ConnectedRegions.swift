/// Finds the 4-connected regions of marked cells.
///
/// - Parameters:
///   - mask: which cells are marked, in row order.
///   - width: the number of cells per row.
/// - Returns: the positions of each region's cells. Regions are ordered by their first cell; the cells of a region are
///   in an unspecified but reproducible order.
func connectedRegions(in mask: [Bool], width: Int) -> [[Int]] {
    let height = mask.count / width
    var seen = [Bool](repeating: false, count: mask.count)
    var regions: [[Int]] = []
    for start in mask.indices where mask[start] && !seen[start] {
        var found: [Int] = [], stack = [start]
        seen[start] = true
        while let index = stack.popLast() {
            found.append(index)
            let (x, y) = (index % width, index / width)
            for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                let (nx, ny) = (x + dx, y + dy)
                guard nx >= 0, nx < width, ny >= 0, ny < height else { continue }
                let next = ny * width + nx
                guard mask[next], !seen[next] else { continue }
                seen[next] = true
                stack.append(next)
            }
        }
        regions.append(found)
    }
    return regions
}

/// A connected region of tiles on a square grid.
struct TileRegion {
    /// Positions in row order, ascending.
    let cells: [Int]
    private let side: Int

    /// Finds the largest 4-connected region of marked tiles; the first if several are equally large.
    init(largestIn mask: [Bool], side: Int) {
        self.side = side
        var best: [Int] = []
        for region in connectedRegions(in: mask, width: side) where region.count > best.count { best = region }
        cells = best.sorted()
    }

    /// The tiles up to two tiles away from the region, excluding the region itself.
    var ring: [Int] {
        var near: Set<Int> = []
        for index in cells {
            let (x, y) = (index % side, index / side)
            for j in max(0, y - 2)...min(side - 1, y + 2) {
                for i in max(0, x - 2)...min(side - 1, x + 2) { near.insert(j * side + i) }
            }
        }
        return near.subtracting(cells).sorted()
    }

    var outside: [Int] {
        let members = Set(cells)
        return (0..<side * side).filter { !members.contains($0) }
    }

    /// The fraction of its bounding box that the region fills, 0…1.
    var density: Float {
        let xs = cells.map { $0 % side }, ys = cells.map { $0 / side }
        guard let x0 = xs.min(), let x1 = xs.max(), let y0 = ys.min(), let y1 = ys.max() else { return 0 }
        return Float(cells.count) / Float((x1 - x0 + 1) * (y1 - y0 + 1))
    }
}
