import FrameCore
import Kernels

/// Parameters of recognising texture that repeats. Displacements are in samples, differences are sums over the 8×8
/// samples of a block at 8 bits. The values were chosen by hand, November 2026.
private enum RepetitionParameters {
    /// Nodes along the longer and the shorter side of the frame.
    static let nodes = (long: 16, short: 9)
    /// Share of the nodes, as a divisor, from which the texture of the frame counts as repeating.
    static let share = 8
    /// Hits in a quarter of the nodes, in both directions together, below which the others are not examined.
    static let leastHits = 2
    /// Radius of the window around no motion, in samples of each level.
    static let radius = 4
    /// Mean difference in the window below which a block has no texture: four grey levels.
    static let leastTexture = 4 * 64
    /// Part, as a divisor, of the way from the difference of the found motion to the mean one within which a shorter
    /// motion matches as well.
    static let tolerance = 4
    /// Least ratio of the largest difference between the two motions to that of either of them, in halves.
    static let ridgeHalves = 5
    /// Distance between motions, in 1/32 sample, from which they are different ones.
    static let distinct: Int32 = 64
    /// Distance from the motion before up to which it continues.
    static let change = 2
    /// Distance between vectors beyond which it no longer grows in the vector median, in 1/32 sample.
    static let mostDistance: Int32 = 256
}

/// Texture that repeats: stripes, railings, tiles, waves. A block of it matches as well one period further, so that
/// differences cannot tell the motion.
///
/// At the nodes of a grid, motion that has been found is compared with shorter motion. Both match alike only if there
/// is a *ridge* of large differences between them, and if the block matches other places of its own frame at the same
/// distance, on either side. Of the motions that match alike, the one that continues the motion of the previous pair is
/// preferred; otherwise the shortest.
///
/// A window of ``RepetitionParameters/radius`` samples is searched on each level, from the finest to the first where
/// the motion found lies inside. A motion shorter than half a period is thus met first on a level where the period is
/// longer than `radius` samples: there the texture has not been lost by downsampling, nor does it appear to move in
/// another direction.
struct RepeatingTexture {
    /// What was found at a node in one direction.
    private struct Probe: BitwiseCopyable {
        /// The motion found by the search.
        var found: MotionVector
        /// The motion to prefer: that found, unless the texture repeats.
        var vector: MotionVector
        /// Mean difference of a block from those around it where the texture repeats and another motion than the
        /// preferred one was found; 0 elsewhere.
        var texture = 0
        /// Whether the preferred motion says something. It does not where the motion found is that of repeating texture
        /// elsewhere.
        var isCounted = true

        var isRepeated: Bool { texture > 0 }
    }

    /// The frames, in the order of both directions.
    private let pyramids: [LumaPyramid]
    /// The motion found, in both directions.
    private let fields: [MotionVectorField]
    /// That of the pair before; empty if there is none.
    private let previous: [MotionVectorField]
    private let finest: Int
    private let context: ExecutionContext
    private let columns: Int
    private let rows: Int
    /// A row for each direction.
    private let probes: Buffer2D<Probe>

    /// Examines motion that was found.
    ///
    /// - Returns: nil unless the texture of much of the frame repeats, and something else than the preferred motion was
    ///   found there.
    init?(_ a: LumaPyramid, _ b: LumaPyramid, found: MotionPair, previous: MotionPair?, context: ExecutionContext) {
        typealias P = RepetitionParameters
        pyramids = [a, b]
        fields = [found.forward, found.backward]
        self.previous = previous.map { [$0.forward, $0.backward] } ?? []
        finest = found.level
        self.context = context
        let plane = a.levels[finest], isWide = plane.width >= plane.height
        columns = min(isWide ? P.nodes.long : P.nodes.short, found.forward.columns)
        rows = min(isWide ? P.nodes.short : P.nodes.long, found.forward.rows)
        let count = columns * rows
        let probes = Buffer2D(columns: count, rows: 2, filledWith: Probe(found: .zero, vector: .zero))
        self.probes = probes
        let examined = self
        func hits() -> [Int] { (0..<2).map { direction in (0..<count).count { probes[$0, direction].isRepeated } } }
        // A quarter of the nodes first: that is all for most frames.
        for isSample in [true, false] {
            parallelFor(2 * rows, threads: context.threads) { index in
                let row = index >> 1, direction = index & 1
                for column in 0..<examined.columns where ((column + 2 * row) % 4 == 0) == isSample {
                    let node = row * examined.columns + column
                    probes[node, direction] = examined.probe(node, direction)
                }
            }
            if isSample, hits().reduce(0, +) < P.leastHits { return nil }
        }
        guard hits().contains(where: { $0 * P.share >= count }) else { return nil }
        ignoreFollowers()
        if !self.previous.isEmpty { continueMotion() }
    }

    /// Marks the nodes where the same motion was found as at nodes with repeating texture.
    private func ignoreFollowers() {
        let count = columns * rows
        for direction in 0..<2 {
            let repeated = (0..<count).map { probes[$0, direction] }.filter(\.isRepeated).map(\.found)
            for node in 0..<count where !probes[node, direction].isRepeated {
                let found = probes[node, direction].found
                probes[node, direction].isCounted = !repeated.contains {
                    $0.distance(to: found) <= PeriodChoice.continuous
                }
            }
        }
    }

    /// Prefers the motion that continues that of the pair before, wherever it matches as well as that found.
    private func continueMotion() {
        for direction in 0..<2 {
            for node in 0..<columns * rows {
                guard let v = matching(motionBefore(node, direction), node, direction) else { continue }
                probes[node, direction].vector = v
                probes[node, direction].isCounted = true
            }
        }
    }

    /// Returns the preferred motion, from the first frame to the second.
    ///
    /// - Parameter evidence: motion that is to be preferred wherever it matches; nil if none is known.
    func smoothMotion(evidence: MotionVector? = nil) -> MotionNodes {
        let count = columns * rows, used = Buffer2D(copying: probes)
        if let evidence {
            for direction in 0..<2 {
                for node in 0..<count {
                    let v = matching(direction == 0 ? evidence : .zero &- evidence, node, direction)
                    used[node, direction].isCounted = v != nil || !used[node, direction].isRepeated
                    used[node, direction].vector = v ?? used[node, direction].found
                }
            }
        }
        let nodes = MotionNodes(columns: columns, rows: rows)
        for node in 0..<count {
            nodes.vectors.base[node] = median(node) { node, direction in
                used[node, direction].isCounted ? used[node, direction].vector : nil
            }
            nodes.textures.base[node] = max(probes[node, 0].texture, probes[node, 1].texture)
        }
        return nodes
    }

    /// Returns the median of the vectors of both directions in the 3×3 nodes around a node, or in a larger square if
    /// there are none, as forward motion.
    ///
    /// - Parameter vector: returns the vector of a node in direction 0, forward, or 1, backward; nil if it says nothing.
    private func median(_ node: Int, _ vector: (Int, Int) -> MotionVector?) -> MotionVector {
        let column = node % columns, row = node / columns
        var around: [MotionVector] = [], radius = 1
        while around.isEmpty, radius < max(columns, rows) {
            for direction in 0..<2 {
                for y in max(row - radius, 0)...min(row + radius, rows - 1) {
                    for x in max(column - radius, 0)...min(column + radius, columns - 1) {
                        guard let v = vector(y * columns + x, direction) else { continue }
                        around.append(direction == 0 ? v : .zero &- v)
                    }
                }
            }
            radius += 1
        }
        var best = MotionVector.zero, least = Int32.max
        for v in around {
            let sum = around.reduce(Int32(0)) { $0 + min(v.distance(to: $1), RepetitionParameters.mostDistance) }
            if sum < least { (best, least) = (v, sum) }
        }
        return best
    }

    /// Returns the motion of the pair before around a node.
    private func motionBefore(_ node: Int, _ direction: Int) -> MotionVector {
        let forward = median(node) { node, direction in
            let cell = cell(node)
            return previous[direction].vectors[cell.x, cell.y]
        }
        return direction == 0 ? forward : .zero &- forward
    }

    /// The cell of the fields in which a node lies.
    private func cell(_ node: Int) -> (x: Int, y: Int) {
        (
            (2 * (node % columns) + 1) * fields[0].columns / (2 * columns),
            (2 * (node / columns) + 1) * fields[0].rows / (2 * rows)
        )
    }

    /// Returns `vector`, corrected by a few samples, if it matches at a node as well as the motion found, and stays
    /// inside the frame.
    private func matching(_ vector: MotionVector, _ node: Int, _ direction: Int) -> MotionVector? {
        let cell = cell(node), block = block(cell.x, cell.y, level: finest, direction)
        func least(_ v: MotionVector) -> (x: Int, y: Int, difference: Int) {
            block.least(
                around: (Int(v.x) + 16) >> 5, (Int(v.y) + 16) >> 5, radius: RepetitionParameters.change)
        }
        let place = least(vector), found = least(fields[direction].vectors[cell.x, cell.y])
        guard block.isInside(place.x, place.y, slack: 0),
            PeriodChoice.matchesAsWell(place.difference, as: found.difference)
        else { return nil }
        return MotionVector(clamping: SIMD2(Int32(32 * place.x), Int32(32 * place.y)))
    }

    /// Compares the motion found at a node with shorter motion.
    private func probe(_ node: Int, _ direction: Int) -> Probe {
        typealias P = RepetitionParameters
        let (x, y) = cell(node), vector = fields[direction].vectors[x, y]
        var result = Probe(found: vector, vector: vector)
        let longest = max(abs(Int(vector.x)), abs(Int(vector.y)))
        for level in finest..<pyramids[0].levels.count {
            let shift = level - finest
            // The window of the level before has held the motion.
            if longest <= (shift == 0 ? Int(P.distinct) : P.radius * 32 << (shift - 1)) { break }
            let block = block(x, y, level: level, direction), half = 16 << shift
            let far = (x: (Int(vector.x) + half) >> (5 + shift), y: (Int(vector.y) + half) >> (5 + shift))
            guard block.isInside(0, 0, slack: 0), block.isInside(far.x, far.y, slack: 4) else { break }
            guard let near = shorter(than: vector, far, block, x, y, level: level, direction),
                repeats(block, near: near.place, far, worst: near.worst)
            else { continue }
            result.vector = near.vector
            result.texture = near.texture
            if !previous.isEmpty, let v = matching(motionBefore(node, direction), node, direction) {
                let isFound = v.distance(to: vector) < P.distinct
                result.vector = isFound ? vector : v
                if isFound { result.texture = 0 }
            }
            break
        }
        return result
    }

    private func block(_ x: Int, _ y: Int, level: Int, _ direction: Int) -> BlockDifference {
        BlockDifference(
            source: pyramids[direction].levels[level], target: pyramids[1 - direction].levels[level],
            column: x >> (level - finest), row: y >> (level - finest), context: context)
    }

    /// Returns the shortest motion in the window that matches as well as `vector`, in samples of the level and refined
    /// on the finest one, the worse difference of the two, and the mean one; nil if there is none.
    private func shorter(
        than vector: MotionVector, _ far: (x: Int, y: Int), _ block: BlockDifference, _ x: Int, _ y: Int, level: Int,
        _ direction: Int
    ) -> (place: (x: Int, y: Int), vector: MotionVector, worst: Int, texture: Int)? {
        typealias P = RepetitionParameters
        let side = 2 * P.radius + 1
        let window = block.differences(radius: P.radius)
        let sum = window.reduce(0, +)
        let mean = sum / (side * side), own = block.least(around: far.x, far.y).difference
        guard mean >= P.leastTexture, mean > own else { return nil }
        let most = own + (mean - own) / P.tolerance
        func isLeast(_ mx: Int, _ my: Int) -> Bool {
            for ny in max(my - 1, 0)...min(my + 1, side - 1) {
                for nx in max(mx - 1, 0)...min(mx + 1, side - 1)
                where window[ny * side + nx] < window[my * side + mx] {
                    return false
                }
            }
            return true
        }
        var best: (place: (x: Int, y: Int), vector: MotionVector, worst: Int, texture: Int)?, bestDifference = 0
        for my in 0..<side {
            for mx in 0..<side where window[my * side + mx] <= most && isLeast(mx, my) {
                let place = (x: mx - P.radius, y: my - P.radius)
                if level > finest, abs(place.x - far.x) <= 2, abs(place.y - far.y) <= 2 { continue }
                let refined = refined(place, x, y, from: level, direction, difference: window[my * side + mx])
                let v = refined.vector, length = v.distance(to: .zero)
                guard length + 32 < vector.distance(to: .zero), v.distance(to: vector) >= P.distinct else {
                    continue
                }
                if let best {
                    let least = best.vector.distance(to: .zero)
                    guard length < least || length == least && refined.difference < bestDifference else { continue }
                }
                best = (place, v, max(window[my * side + mx], own), mean)
                bestDifference = refined.difference
            }
        }
        return best
    }

    /// Follows a place of `level` down to the finest one.
    private func refined(
        _ place: (x: Int, y: Int), _ x: Int, _ y: Int, from level: Int, _ direction: Int, difference: Int
    ) -> (vector: MotionVector, difference: Int) {
        var place = place, difference = difference
        for finer in stride(from: level - 1, through: finest, by: -1) {
            let least = block(x, y, level: finer, direction).least(around: 2 * place.x, 2 * place.y)
            (place, difference) = ((least.x, least.y), least.difference)
        }
        return (MotionVector(clamping: SIMD2(Int32(32 * place.x), Int32(32 * place.y))), difference)
    }

    /// Whether two places match because the texture repeats: others between them do not match, and the frame matches
    /// itself at the same distance.
    private func repeats(
        _ block: BlockDifference, near: (x: Int, y: Int), _ far: (x: Int, y: Int), worst: Int
    ) -> Bool {
        let step = (x: far.x - near.x, y: far.y - near.y), count = max(abs(step.x), abs(step.y))
        func part(_ length: Int, _ k: Int) -> Int { (length * k + (length < 0 ? -count / 2 : count / 2)) / count }
        var ridge = 0
        for k in 1..<max(count, 1) {
            ridge = max(ridge, block.difference(near.x + part(step.x, k), near.y + part(step.y, k)))
        }
        guard ridge * 2 >= worst * RepetitionParameters.ridgeHalves else { return false }
        let own = block.withinSource
        var most: Int?
        for sign in [1, -1] where own.isInside(sign * step.x, sign * step.y, slack: 4) {
            most = max(most ?? 0, own.least(around: sign * step.x, sign * step.y).difference)
        }
        return most.map { ($0 - worst) * 2 <= ridge - worst } ?? false
    }
}

/// Motion on a coarse grid of nodes, in 1/32 sample of the finest level that is searched.
struct MotionNodes: Sendable {
    /// From the first frame to the second.
    let vectors: Buffer2D<MotionVector>
    /// Mean difference of a block from those around it where texture repeats, 0 elsewhere.
    let textures: Buffer2D<Int>

    init(columns: Int, rows: Int) {
        vectors = Buffer2D(columns: columns, rows: rows, filledWith: .zero)
        textures = Buffer2D(columns: columns, rows: rows, filledWith: 0)
    }

    /// The motion at a cell of a field of `columns` × `rows` cells that covers the frame, and the texture there.
    func at(x: Int, y: Int, columns: Int, rows: Int) -> (vector: MotionVector, texture: Int) {
        let column = x * vectors.columns / columns, row = y * vectors.rows / rows
        return (vectors[column, row], textures[column, row])
    }

    /// Returns the motion of one direction on the cells of a level of `width` × `height` samples, `shift` levels above
    /// the finest one.
    func field(width: Int, height: Int, shift: Int, isBackward: Bool) -> MotionVectorField {
        let field = MotionVectorField(width: width, height: height)
        for y in 0..<field.rows {
            for x in 0..<field.columns {
                let v = at(x: x, y: y, columns: field.columns, rows: field.rows).vector
                let wide = SIMD2<Int32>(truncatingIfNeeded: isBackward ? .zero &- v : v)
                field.vectors[x, y] = MotionVector(clamping: (wide &+ (1 << Int32(shift)) / 2) &>> Int32(shift))
            }
        }
        return field
    }
}

/// Compares the 8×8 block that is centred on a cell with displaced blocks.
private struct BlockDifference {
    let context: ExecutionContext
    let source: PaddedPlane
    let target: PaddedPlane
    private let left: Int
    private let top: Int

    init(source: PaddedPlane, target: PaddedPlane, column: Int, row: Int, context: ExecutionContext) {
        self.context = context
        self.source = source
        self.target = target
        left = 4 * column - 2
        top = 4 * row - 2
    }

    /// The same block compared with its own frame.
    var withinSource: BlockDifference {
        BlockDifference(
            source: source, target: source, column: (left + 2) / 4, row: (top + 2) / 4, context: context)
    }

    /// Whether a displaced block lies inside the frame, or outside by up to `slack` samples.
    func isInside(_ dx: Int, _ dy: Int, slack: Int) -> Bool {
        left + dx >= -slack && top + dy >= -slack && left + dx + 8 <= target.width + slack
            && top + dy + 8 <= target.height + slack
    }

    private var origin: UnsafeMutablePointer<UInt8> { source.bytes + top * source.stride + left }

    /// The place of a displaced block in the target, limited to what can be read.
    private func offset(_ dx: Int, _ dy: Int) -> Int {
        let reach = LumaPyramid.blockReach
        let x = min(max(left + dx, -reach), target.width + reach - 8)
        let y = min(max(top + dy, -reach), target.height + reach - 8)
        return y * target.stride + x
    }

    /// Returns the sum of absolute differences for a displacement.
    func difference(_ dx: Int, _ dy: Int) -> Int {
        Int(context.kernels.pointee.sad_8x8(origin, source.stride, target.bytes + offset(dx, dy), target.stride))
    }

    /// Returns the differences in a square around no displacement, row by row.
    func differences(radius: Int) -> [Int] {
        let side = 2 * radius + 1, offsets = Scratch<Int>(4), sums = Scratch<UInt32>(4)
        var window = [Int](repeating: 0, count: side * side)
        for first in stride(from: 0, to: side * side, by: 4) {
            for i in 0..<4 {
                let at = min(first + i, side * side - 1)
                offsets[i] = offset(at % side - radius, at / side - radius)
            }
            context.kernels.pointee.sad_8x8_x4(
                origin, source.stride, target.bytes, target.stride, offsets.base, sums.base)
            for i in 0..<min(4, side * side - first) { window[first + i] = Int(sums[i]) }
        }
        return window
    }

    /// Returns the best displacement in a square; of equal ones, that nearest to the centre.
    func least(around x: Int, _ y: Int, radius: Int = 1) -> (x: Int, y: Int, difference: Int) {
        var best = (x: x, y: y, difference: Int.max), distance = 0
        for dy in -radius...radius {
            for dx in -radius...radius {
                let d = difference(x + dx, y + dy), far = abs(dx) + abs(dy)
                if d < best.difference || d == best.difference && far < distance {
                    best = (x + dx, y + dy, d)
                    distance = far
                }
            }
        }
        return best
    }
}
