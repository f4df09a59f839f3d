import Motion

/// Parameters of the search for still overlays. Differences and contrasts are in 8-bit grey levels. The values were chosen
/// by hand, November 2026.
private enum SearchParameters {
    /// Blocks round one with still edges in which an overlay is looked for, too.
    static let margin = 2
    /// Minimum contrast of a 3×3 square at the edge of an overlay, in both frames.
    static let contrast: Int32 = 30
    /// Sum of the differences of a 3×3 square up to which it is still, at the minimum contrast.
    static let still: Int32 = 45
    /// What each further level of contrast adds, in eighths: an edge is coded less exactly than a plain.
    static let stillPerContrast: Int32 = 5
    /// Minimum sum of the differences of a 3×3 square along the motion of the ground.
    static let moving: Int32 = 160
    /// Minimum ratio of the sum along the motion of the ground to that without motion.
    static let ratio: Int32 = 4
    /// Proven samples in 3×3 blocks from which they are an overlay, and other still edges there belong to it.
    static let support = 24
    /// Distance in cells from an overlay at which the ground is on its own.
    static let clearance = 3
    /// Contrast within a cell from which its stillness says something.
    static let texture: UInt8 = 10
    /// Still cells of the ground round a block that do not matter, and the percentage of all of them that may be still.
    static let stillCells = 8
    static let stillPercent = 20
    /// Steps by which an overlay grows over still samples, at full size.
    static let growth = 4
    /// Contrast of a 3×3 square from which an overlay grows over an edge, and difference from the sample before up to which
    /// it grows over a plain.
    static let edge: Int32 = 30
    static let surface: Int32 = 16
    /// Contrast below which an overlay does not grow over what moves with the ground.
    static let faint: Int32 = 48
    /// Difference up to which a sample is still when an overlay grows, and what each level of contrast adds, in eighths.
    static let grown: Int32 = 12
    static let grownPerContrast: Int32 = 1
}

/// Which part a luma sample has in a still overlay.
enum OverlayPart {
    static let none: UInt8 = 0
    /// Beside the overlay: partly covered, or no longer the ground alone.
    static let rim: UInt8 = 1
    static let held: UInt8 = 2
}

/// Looks for still overlays: edges that stand still in both frames while the ground round them moves, and would differ if
/// they moved with it.
struct OverlaySearch {
    /// Luma of both frames at 8 bits, of the same size.
    let a: PaddedPlane
    let b: PaddedPlane
    let ground: GroundMotion
    /// The motion from `a` to `b`.
    let field: FlowField

    private typealias P = SearchParameters
    private var level: Int { ground.blockLog2 - 4 }

    /// Returns the ``OverlayPart`` of each sample; nil if there is no overlay.
    func parts() -> Buffer2D<UInt8>? {
        let blocks = blocks()
        guard !blocks.isEmpty else { return nil }
        let parts = Buffer2D<UInt8>(columns: a.width, rows: a.height, filledWith: OverlayPart.none)
        let seeds = Buffer2D<Int>(columns: ground.columns, rows: ground.rows, filledWith: 0)
        for block in blocks { seeds[block.x, block.y] = mark(block, ground.motion(block.x, block.y), parts) }
        let overlay = blocks.filter { support($0, seeds) >= P.support }
        for block in blocks where support(block, seeds) < P.support { forget(block, parts) }
        guard !overlay.isEmpty else { return nil }
        let free = freeCells(parts, overlay)
        var front: [Int] = []
        for block in overlay {
            if isSurrounded(block, free) { hold(block, parts, &front) } else { forget(block, parts) }
        }
        guard !front.isEmpty else { return nil }
        var held = front
        for _ in 0..<P.growth << level {
            front = grow(front, to: OverlayPart.held, parts) { belongs($1, besides: $0, parts) }
            held += front
        }
        front = held
        for _ in 0...level { front = grow(front, to: OverlayPart.rim, parts) { _, _ in true } }
        return parts
    }

    /// Returns the blocks in which there may be an overlay: those with still cells that show edges, and those beside them.
    private func blocks() -> [(x: Int, y: Int)] {
        var marked = [Bool](repeating: false, count: ground.columns * ground.rows), isAny = false
        for y in 0..<ground.rows {
            for x in 0..<ground.columns where ground.isStillAmidMotion(x, y) && hasStillEdge(x, y) {
                isAny = true
                for j in max(0, y - P.margin)...min(ground.rows - 1, y + P.margin) {
                    for i in max(0, x - P.margin)...min(ground.columns - 1, x + P.margin) {
                        marked[j * ground.columns + i] = true
                    }
                }
            }
        }
        guard isAny else { return [] }
        return marked.indices.filter { marked[$0] }.map { ($0 % ground.columns, $0 / ground.columns) }
    }

    private func samples(_ block: (x: Int, y: Int)) -> (columns: Range<Int>, rows: Range<Int>) {
        let log2 = ground.blockLog2
        return (
            block.x << log2..<min(a.width, (block.x + 1) << log2),
            block.y << log2..<min(a.height, (block.y + 1) << log2)
        )
    }

    /// Whether one of the samples of a block, of which one in four is tried, is a still edge.
    private func hasStillEdge(_ x: Int, _ y: Int) -> Bool {
        let (columns, rows) = samples((x, y))
        for y in stride(from: rows.lowerBound, to: rows.upperBound, by: 2) {
            for x in stride(from: columns.lowerBound, to: columns.upperBound, by: 2) where stillness(x, y) != nil {
                return true
            }
        }
        return false
    }

    /// Returns the sum of the differences round a sample if it is a still edge, otherwise nil.
    @inline(__always)
    private func stillness(_ x: Int, _ y: Int) -> Int32? {
        let p = a.bytes + y &* a.stride + x, q = b.bytes + y &* b.stride + x
        guard abs(Int32(p[0]) &- Int32(q[0])) <= P.still else { return nil }
        let contrast = min(contrast(of: p, a.stride), contrast(of: q, b.stride))
        guard contrast >= P.contrast else { return nil }
        let sum = difference(p, q)
        return sum <= P.still &+ (contrast &- P.contrast) &* P.stillPerContrast / 8 ? sum : nil
    }

    /// Marks the still edges of a block as rims, and those that the motion of the ground would change as held. Returns the
    /// number of the latter.
    private func mark(_ block: (x: Int, y: Int), _ motion: SIMD2<Int32>?, _ parts: Buffer2D<UInt8>) -> Int {
        let (columns, rows) = samples(block), step = motion.map { ($0 &+ 16) &>> 5 }
        var count = 0
        for y in rows {
            for x in columns {
                guard let sum = stillness(x, y) else { continue }
                let isProven = step.map { isChanged(x, y, by: $0, limit: max(P.moving, P.ratio &* sum)) } ?? false
                parts[x, y] = isProven ? OverlayPart.held : OverlayPart.rim
                if isProven { count += 1 }
            }
        }
        return count
    }

    /// Whether what both frames show at a sample differs from what is there after moving by about `step`.
    private func isChanged(_ x: Int, _ y: Int, by step: SIMD2<Int32>, limit: Int32) -> Bool {
        let dx = Int(step.x), dy = Int(step.y), p = a.bytes + y * a.stride + x, q = b.bytes + y * b.stride + x
        var isTested = false
        for (plane, fixed, sign) in [(b, p, 1), (a, q, -1)] {
            let u = x + sign * dx, v = y + sign * dy
            guard u >= 0, v >= 0, u < a.width, v < a.height else { continue }
            isTested = true
            for j in -1...1 {
                for i in -1...1
                where difference(fixed, plane.bytes + (v + j) * plane.stride + u + i) < limit { return false }
            }
        }
        return isTested
    }

    private func support(_ block: (x: Int, y: Int), _ seeds: Buffer2D<Int>) -> Int {
        var sum = 0
        for j in max(0, block.y - 1)...min(ground.rows - 1, block.y + 1) {
            for i in max(0, block.x - 1)...min(ground.columns - 1, block.x + 1) { sum += seeds[i, j] }
        }
        return sum
    }

    /// Tells the cells apart of which the ground shows something: 1 where it moves, 2 where it is still, otherwise 0.
    private func freeCells(_ parts: Buffer2D<UInt8>, _ blocks: [(x: Int, y: Int)]) -> Buffer2D<UInt8> {
        let cells = Buffer2D<UInt8>(columns: field.columns, rows: field.rows, filledWith: 0), side = field.level + 2
        for block in blocks {
            let (columns, rows) = samples(block)
            for y in rows {
                for x in columns where parts[x, y] != OverlayPart.none {
                    cells[min(x >> side, cells.columns - 1), min(y >> side, cells.rows - 1)] = 1
                }
            }
        }
        let near = cells.dilated(by: P.clearance)
        for y in 0..<cells.rows {
            for x in 0..<cells.columns {
                guard near[x, y] == 0, hasTexture(x << side, y << side, 1 << side) else {
                    cells[x, y] = 0
                    continue
                }
                let v = SIMD2<Int32>(truncatingIfNeeded: field.cells.vectors[x, y]) &<< Int32(field.level)
                cells[x, y] = GroundMotion.length(v) > GroundParameters.still ? 1 : 2
            }
        }
        return cells
    }

    private func hasTexture(_ x: Int, _ y: Int, _ side: Int) -> Bool {
        var low = UInt8.max, high = UInt8.min
        for j in y..<min(y + side, a.height) {
            let row = a.bytes + j &* a.stride
            for i in x..<min(x + side, a.width) {
                low = min(low, row[i])
                high = max(high, row[i])
            }
        }
        return high >= low && high - low >= P.texture
    }

    /// Whether the ground round a block moves. Where much of it is still, the edges belong to a still ground, before which
    /// something else moves.
    private func isSurrounded(_ block: (x: Int, y: Int), _ free: Buffer2D<UInt8>) -> Bool {
        let side = GroundMotion.side, radius = GroundParameters.radius
        var still = 0, all = 0
        for y in max(0, (block.y - radius) * side)..<min(free.rows, (block.y + radius + 1) * side) {
            for x in max(0, (block.x - radius) * side)..<min(free.columns, (block.x + radius + 1) * side) {
                if free[x, y] != 0 { all += 1 }
                if free[x, y] == 2 { still += 1 }
            }
        }
        return still <= P.stillCells || still * 100 <= P.stillPercent * all
    }

    /// Holds all marked samples of a block and appends their indices.
    private func hold(_ block: (x: Int, y: Int), _ parts: Buffer2D<UInt8>, _ indices: inout [Int]) {
        let (columns, rows) = samples(block)
        for y in rows {
            for x in columns where parts[x, y] != OverlayPart.none {
                parts[x, y] = OverlayPart.held
                indices.append(y * parts.columns + x)
            }
        }
    }

    private func forget(_ block: (x: Int, y: Int), _ parts: Buffer2D<UInt8>) {
        let (columns, rows) = samples(block)
        for y in rows { for x in columns { parts[x, y] = OverlayPart.none } }
    }

    /// Gives the neighbours of samples that have no part yet a part, and returns the indices of those.
    ///
    /// - Parameter isWanted: whether a sample gets the part, from the index of its neighbour and its own.
    private func grow(
        _ front: [Int], to part: UInt8, _ parts: Buffer2D<UInt8>, where isWanted: (Int, Int) -> Bool
    ) -> [Int] {
        var next: [Int] = []
        for index in front {
            let x = index % parts.columns, y = index / parts.columns
            for j in max(0, y - 1)...min(parts.rows - 1, y + 1) {
                for i in max(0, x - 1)...min(parts.columns - 1, x + 1)
                where parts[i, j] == OverlayPart.none && isWanted(index, j * parts.columns + i) {
                    parts[i, j] = part
                    next.append(j * parts.columns + i)
                }
            }
        }
        return next
    }

    /// Whether a sample belongs to the overlay as its neighbour does: it is still, and either at an edge or as bright as the
    /// neighbour; and if it is faint, it does not move with the ground.
    private func belongs(_ index: Int, besides neighbour: Int, _ parts: Buffer2D<UInt8>) -> Bool {
        let x = index % a.width, y = index / a.width
        let p = a.bytes + y &* a.stride + x, q = b.bytes + y &* b.stride + x
        let difference = abs(Int32(p[0]) &- Int32(q[0])),
            contrast = min(contrast(of: p, a.stride), contrast(of: q, b.stride))
        guard difference <= P.grown &+ contrast &* P.grownPerContrast / 8 else { return false }
        if contrast < P.edge {
            let beside = a.bytes[neighbour / a.width &* a.stride &+ neighbour % a.width]
            guard abs(Int32(p[0]) &- Int32(beside)) <= P.surface else { return false }
        }
        return contrast >= P.faint || !movesWithGround(x, y, parts)
    }

    /// Whether a sample is better explained by the motion of the ground, from or to where there is no overlay.
    private func movesWithGround(_ x: Int, _ y: Int, _ parts: Buffer2D<UInt8>) -> Bool {
        guard let motion = ground.motion(x >> ground.blockLog2, y >> ground.blockLog2) else { return false }
        let dx = Int((motion.x &+ 16) &>> 5), dy = Int((motion.y &+ 16) &>> 5)
        let p = a.bytes + y &* a.stride + x, q = b.bytes + y &* b.stride + x, still = difference(p, q)
        for (plane, fixed, sign) in [(b, p, 1), (a, q, -1)] {
            let u = x + sign * dx, v = y + sign * dy
            guard u >= 0, v >= 0, u < a.width, v < a.height, parts[u, v] != OverlayPart.held else { continue }
            if 2 * difference(fixed, plane.bytes + v * plane.stride + u) < still { return true }
        }
        return false
    }

    /// Returns the sum of the differences of the 3×3 samples round `p` and `q`.
    @inline(__always)
    private func difference(_ p: UnsafePointer<UInt8>, _ q: UnsafePointer<UInt8>) -> Int32 {
        var sum: Int32 = 0
        for j in -1...1 {
            for i in -1...1 { sum &+= abs(Int32(p[j &* a.stride &+ i]) &- Int32(q[j &* b.stride &+ i])) }
        }
        return sum
    }

    /// Returns the difference of the largest and the smallest of the 3×3 samples round `p`.
    @inline(__always)
    private func contrast(of p: UnsafePointer<UInt8>, _ stride: Int) -> Int32 {
        var low = p[0], high = p[0]
        for j in -1...1 {
            for i in -1...1 {
                low = min(low, p[j &* stride &+ i])
                high = max(high, p[j &* stride &+ i])
            }
        }
        return Int32(high) &- Int32(low)
    }
}
