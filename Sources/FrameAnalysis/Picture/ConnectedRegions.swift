/// The regions of marked cells that touch by a side, by their first cells.
///
/// - Parameters:
///   - mask: which cells are marked, row by row.
///   - width: cells per row.
/// - Returns: the positions of each region's cells, in no order but always the same one.
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
