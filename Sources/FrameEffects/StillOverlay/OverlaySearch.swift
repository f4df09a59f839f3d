import Motion

/// Parameters of the search for still overlays. Differences and contrasts are in 8-bit grey levels. The values were chosen
/// by hand, November 2026.
private enum SearchParameters {
    /// Blocks round one with still edges in which an overlay is looked for, too.
    static let margin = 2
    /// Minimum sum of the differences of a 3×3 square along the motion of the ground.
    static let moving: Int32 = 160
    /// Minimum ratio of the sum along the motion of the ground to that without motion.
    static let ratio: Int32 = 4
    /// Proven samples in 3×3 blocks from which they are an overlay, and other still edges there belong to it.
    static let support = 24
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
    /// The edges that are the same in both frames.
    let edges: StillEdges
    let ground: GroundMotion
    /// The motion from the first frame to the second.
    let field: FlowField
    /// The part of the frames in which an overlay is looked for.
    let area: PictureArea

    private typealias P = SearchParameters
    private var level: Int { ground.blockLog2 - 4 }
    private var size: (width: Int, height: Int) { (edges.a.width, edges.a.height) }

    /// Returns the ``OverlayPart`` of each sample; nil if there is no overlay.
    func parts() -> Buffer2D<UInt8>? {
        let blocks = blocks()
        guard !blocks.isEmpty else { return nil }
        let seeds = Buffer2D<Int>(columns: ground.columns, rows: ground.rows, filledWith: 0)
        // Blocks with proof enough for all beside them come first, so that most others need no look.
        let isFirst = { (block: (x: Int, y: Int)) in block.x % 3 == 1 && block.y % 3 == 1 }
        for block in blocks where isFirst(block) { seeds[block.x, block.y] = provenSamples(block) }
        for block in blocks where !isFirst(block) && !isSettled(block, seeds) {
            seeds[block.x, block.y] = provenSamples(block)
        }
        let overlay = blocks.filter { support($0, seeds) >= P.support }
        guard !overlay.isEmpty else { return nil }
        let parts = Buffer2D<UInt8>(columns: size.width, rows: size.height, filledWith: OverlayPart.none)
        let covered = Buffer2D<UInt8>(columns: field.columns, rows: field.rows, filledWith: 0)
        for block in overlay { mark(block, parts, covered) }
        let free = FreeCells(edges.a, field, covered: covered, area: area)
        var front: [Int] = []
        for block in overlay {
            if free.isMoving(round: block) { hold(block, parts, &front) } else { forget(block, parts) }
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
            block.x << log2..<min(size.width, (block.x + 1) << log2),
            block.y << log2..<min(size.height, (block.y + 1) << log2)
        )
    }

    /// Calls `body` with each group of samples in every `step`th row of a block in which there are still edges, and the
    /// number of samples that are inside the frame, until it returns false.
    @inline(__always)
    private func forEachGroup(
        _ block: (x: Int, y: Int), step: Int, _ body: (_ x: Int, _ y: Int, _ count: Int, SIMD16<UInt8>) -> Bool
    ) {
        let (columns, rows) = samples(block)
        for y in stride(from: rows.lowerBound, to: rows.upperBound, by: step) where area.rows.contains(y) {
            for x in stride(from: columns.lowerBound, to: columns.upperBound, by: StillEdges.group) {
                guard var sums = edges.sums(x, y) else { continue }
                let count = min(StillEdges.group, columns.upperBound - x)
                if x < area.columns.lowerBound || x + count > area.columns.upperBound {
                    for lane in 0..<count where !area.columns.contains(x + lane) { sums[lane] = StillEdges.none }
                }
                if !body(x, y, count, sums) { return }
            }
        }
    }

    /// Whether one of the samples of a block, of which one in four is tried, is at a still edge.
    private func hasStillEdge(_ x: Int, _ y: Int) -> Bool {
        var isAny = false
        forEachGroup((x, y), step: 2) { _, _, count, sums in
            for lane in stride(from: 0, to: count, by: 2) where sums[lane] != StillEdges.none { isAny = true }
            return !isAny
        }
        return isAny
    }

    /// Returns the number of samples at still edges in a block that the motion of the ground would change, at most
    /// ``SearchParameters/support``, since more prove no more.
    private func provenSamples(_ block: (x: Int, y: Int)) -> Int {
        var count = 0
        forEachGroup(block, step: 1) { x, y, samples, sums in
            guard let motion = ground.motion(block.x, block.y) else { return false }
            let step = (motion &+ 16) &>> 5
            for lane in 0..<samples where sums[lane] != StillEdges.none {
                let limit = max(P.moving, P.ratio &* Int32(sums[lane]))
                if isChanged(x + lane, y, by: step, limit: limit) { count += 1 }
                if count == P.support { return false }
            }
            return true
        }
        return count
    }

    /// Whether what both frames show at a sample differs from what is there after moving by about `step`.
    private func isChanged(_ x: Int, _ y: Int, by step: SIMD2<Int32>, limit: Int32) -> Bool {
        let dx = Int(step.x), dy = Int(step.y)
        func isInside(_ x: Int, _ y: Int) -> Bool { x >= 0 && y >= 0 && x < size.width && y < size.height }
        let isThere = isInside(x + dx, y + dy), isBack = isInside(x - dx, y - dy)
        guard isThere || isBack else { return false }
        func isLike(_ i: Int, _ j: Int) -> Bool {
            isThere && edges.difference(x, y, x + dx + i, y + dy + j) < limit
                || isBack && edges.difference(x - dx + i, y - dy + j, x, y) < limit
        }
        // What moves is most often exactly there.
        if isLike(0, 0) { return false }
        for j in -1...1 { for i in -1...1 where isLike(i, j) { return false } }
        return true
    }

    /// Marks the still edges of a block, and the cells they are in.
    private func mark(_ block: (x: Int, y: Int), _ parts: Buffer2D<UInt8>, _ covered: Buffer2D<UInt8>) {
        let side = field.level + 2
        forEachGroup(block, step: 1) { x, y, samples, sums in
            for lane in 0..<samples where sums[lane] != StillEdges.none {
                parts[x + lane, y] = OverlayPart.rim
                covered[min((x + lane) >> side, covered.columns - 1), min(y >> side, covered.rows - 1)] = 1
            }
            return true
        }
    }

    /// Whether a block and all beside it have enough proven samples, so that more change nothing.
    private func isSettled(_ block: (x: Int, y: Int), _ seeds: Buffer2D<Int>) -> Bool {
        for j in max(0, block.y - 1)...min(ground.rows - 1, block.y + 1) {
            for i in max(0, block.x - 1)...min(ground.columns - 1, block.x + 1)
            where support((i, j), seeds) < P.support { return false }
        }
        return true
    }

    private func support(_ block: (x: Int, y: Int), _ seeds: Buffer2D<Int>) -> Int {
        var sum = 0
        for j in max(0, block.y - 1)...min(ground.rows - 1, block.y + 1) {
            for i in max(0, block.x - 1)...min(ground.columns - 1, block.x + 1) { sum += seeds[i, j] }
        }
        return sum
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
        let x = index % size.width, y = index / size.width, level = edges.inA(x, y)[0]
        guard area.contains(x, y) else { return false }
        let difference = abs(Int32(level) &- Int32(edges.inB(x, y)[0])), contrast = edges.contrast(x, y)
        guard difference <= P.grown &+ contrast &* P.grownPerContrast / 8 else { return false }
        if contrast < P.edge {
            let beside = edges.inA(neighbour % size.width, neighbour / size.width)[0]
            guard abs(Int32(level) &- Int32(beside)) <= P.surface else { return false }
        }
        return contrast >= P.faint || !movesWithGround(x, y, parts)
    }

    /// Whether a sample is better explained by the motion of the ground, from or to where there is no overlay.
    private func movesWithGround(_ x: Int, _ y: Int, _ parts: Buffer2D<UInt8>) -> Bool {
        guard let motion = ground.motion(x >> ground.blockLog2, y >> ground.blockLog2) else { return false }
        let dx = Int((motion.x &+ 16) &>> 5), dy = Int((motion.y &+ 16) &>> 5)
        let still = edges.difference(x, y, x, y)
        func isBetter(_ u: Int, _ v: Int, _ difference: (Int, Int) -> Int32) -> Bool {
            u >= 0 && v >= 0 && u < size.width && v < size.height && parts[u, v] != OverlayPart.held
                && 2 * difference(u, v) < still
        }
        return isBetter(x + dx, y + dy) { edges.difference(x, y, $0, $1) }
            || isBetter(x - dx, y - dy) { edges.difference($0, $1, x, y) }
    }
}
