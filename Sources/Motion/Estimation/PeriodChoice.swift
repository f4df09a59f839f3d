import FrameCore

/// Parameters of the choice between periods. Vectors are in 1/32 sample, differences are sums over the 8×8 samples of a
/// block at 8 bits. The values were chosen by hand, November 2026.
private enum ChoiceParameters {
    /// Distance between motions from which they are different ones.
    static let distinct: Int32 = 64
    /// Difference by which a match may be worse, beside half of that of the other.
    static let allowance = 128
    /// Cells inside unambiguous areas from which a region keeps its motion.
    static let leastCore = 32
    /// Share of the ambiguous cells of a region, as a divisor, that these must make up.
    static let coreShare = 64
    /// Share of the cells, as a divisor, that a decided region and the undecided ones must make up for its motion to be
    /// tried elsewhere.
    static let evidenceShare = 32
}

/// Chooses between the motion that was found and smoother motion, where texture repeats: for whole regions, and for both
/// directions at once, so that both choose the same period.
///
/// A cell is ambiguous where both motions match. A region consists of ambiguous and unambiguous cells with continuous
/// motion. If anything in it is unambiguous, an object or a place where the texture changes, then that decides, and the
/// region keeps the motion that was found. Otherwise it takes the smoother one.
struct PeriodChoice {
    /// Distance between adjacent cells' motion up to which they belong to one region, in 1/32 sample: one and a half
    /// samples. Chosen by hand, November 2026.
    static let continuous: Int32 = 48

    private enum Cell: UInt8 {
        /// Both motions are the same.
        case same
        /// Both match.
        case ambiguous
        /// Only the motion that was found matches.
        case unambiguous
        /// The smoother motion leaves the frame, so that there is nothing to compare.
        case outside
    }

    private let found: MotionPair
    private let smooth: MotionPair
    private let columns: Int
    private let rows: Int
    /// The cells of the forward field, then those of the backward one.
    private var cells: [Cell]

    /// - Parameters:
    ///   - found: the motion found by the search of the whole pyramid.
    ///   - smooth: the motion found near `nodes`.
    ///   - size: the size of the level of both.
    init(found: MotionPair, smooth: MotionPair, nodes: MotionNodes, size: (width: Int, height: Int)) {
        self.found = found
        self.smooth = smooth
        columns = found.forward.columns
        rows = found.forward.rows
        cells = []
        cells.reserveCapacity(2 * columns * rows)
        for (isBackward, mine, other) in [
            (false, found.forward, smooth.forward), (true, found.backward, smooth.backward),
        ] {
            for y in 0..<rows {
                for x in 0..<columns {
                    let node = nodes.at(x: x, y: y, columns: columns, rows: rows), v = other.vectors[x, y]
                    func leaves(_ v: MotionVector) -> Bool {
                        let left = 4 * x - 2 + Int(v.x) / 32, top = 4 * y - 2 + Int(v.y) / 32
                        return left < 0 || top < 0 || left + 8 > size.width || top + 8 > size.height
                    }
                    if leaves(v) || leaves(isBackward ? .zero &- node.vector : node.vector) {
                        cells.append(.outside)
                    } else if v.distance(to: mine.vectors[x, y]) <= ChoiceParameters.distinct {
                        cells.append(.same)
                    } else {
                        let cost = Int(other.costs[x, y]), least = Int(mine.costs[x, y])
                        // Waves only nearly repeat.
                        let isNear = 2 * (cost - least) <= node.texture - least
                        cells.append(Self.matchesAsWell(cost, as: least) || isNear ? .ambiguous : .unambiguous)
                    }
                }
            }
        }
    }

    /// Whether a difference is not much larger than another.
    static func matchesAsWell(_ difference: Int, as other: Int) -> Bool {
        2 * difference <= 3 * other + 2 * ChoiceParameters.allowance
    }

    /// Returns the motion with the choice made, and the motion of the region that is most surely decided, from the first
    /// frame to the second, if there are other regions that nothing decides: it may also be theirs.
    func chosen() -> (motion: MotionPair, evidence: MotionVector?) {
        let regions = regions()
        let isSmooth = cells.indices.map { takesSmooth($0, regions) }, count = columns * rows
        func merged(_ mine: [MotionVectorField], _ other: [MotionVectorField], from first: Int) -> [MotionVectorField] {
            zip(mine, other).enumerated().map { shift, pair in
                let (mine, other) = pair
                let result = MotionVectorField(copying: mine)
                for y in 0..<mine.rows {
                    let row = min((y << shift) + (1 << shift) / 2, rows - 1)
                    for x in 0..<mine.columns
                    where isSmooth[first + row * columns + min((x << shift) + (1 << shift) / 2, columns - 1)] {
                        result.vectors[x, y] = other.vectors[x, y]
                        result.costs[x, y] = other.costs[x, y]
                    }
                }
                return result
            }
        }
        let forward = merged(found.forwardLevels, smooth.forwardLevels, from: 0)
        let backward = merged(found.backwardLevels, smooth.backwardLevels, from: count)
        let motion = MotionPair(
            level: found.level, forward: forward[0], backward: backward[0], forwardLevels: forward,
            backwardLevels: backward)
        return (motion, evidence(regions))
    }

    private func takesSmooth(_ index: Int, _ regions: Regions) -> Bool {
        switch cells[index] {
        case .outside: return true
        case .same:
            let count = columns * rows
            return index < count
                ? smooth.forward.costs.base[index] <= found.forward.costs.base[index]
                : smooth.backward.costs.base[index - count] <= found.backward.costs.base[index - count]
        case .ambiguous, .unambiguous:
            let root = regions.roots[index]
            return !regions.isDecided(root) && regions.ambiguous[root] > regions.unambiguous[root]
        }
    }

    /// Cells by regions. Counts are those of the cell that stands for a region.
    private struct Regions {
        /// The cell that stands for the region of each cell.
        var roots: [Int]
        var ambiguous: [Int]
        var unambiguous: [Int]
        /// Unambiguous cells that such cells surround. Others are scattered where the smoother motion matches a little
        /// worse, and prove nothing.
        var core: [Int]

        func isDecided(_ root: Int) -> Bool {
            core[root] >= ChoiceParameters.leastCore && core[root] * ChoiceParameters.coreShare >= ambiguous[root]
        }
    }

    private func regions() -> Regions {
        var sets = connected()
        let none = [Int](repeating: 0, count: cells.count)
        var regions = Regions(
            roots: cells.indices.map { sets.root(of: $0) }, ambiguous: none, unambiguous: none, core: none)
        for (index, cell) in cells.enumerated() {
            let root = regions.roots[index]
            switch cell {
            case .ambiguous: regions.ambiguous[root] += 1
            case .unambiguous:
                regions.unambiguous[root] += 1
                if isCore(index) { regions.core[root] += 1 }
            case .same, .outside: break
            }
        }
        return regions
    }

    private func evidence(_ regions: Regions) -> MotionVector? {
        let share = ChoiceParameters.evidenceShare
        var surest: Int?, undecided = 0
        for index in cells.indices where regions.roots[index] == index {
            if !regions.isDecided(index) {
                undecided += regions.ambiguous[index]
            } else if regions.core[index] > surest.map({ regions.core[$0] }) ?? 0 {
                surest = index
            }
        }
        guard let surest, undecided * share >= cells.count, regions.ambiguous[surest] * share >= cells.count else {
            return nil
        }
        let vectors = cells.indices.filter { regions.roots[$0] == surest }.map { motionFound($0) }
        func median(_ values: [Int16]) -> Int16 { values.sorted()[values.count / 2] }
        return MotionVector(median(vectors.map(\.x)), median(vectors.map(\.y)))
    }

    private func isCore(_ index: Int) -> Bool {
        let count = columns * rows, first = index < count ? 0 : count
        let x = (index - first) % columns, y = (index - first) / columns
        for ny in max(y - 1, 0)...min(y + 1, rows - 1) {
            for nx in max(x - 1, 0)...min(x + 1, columns - 1) where cells[first + ny * columns + nx] != .unambiguous {
                return false
            }
        }
        return true
    }

    /// The motion found at a cell, from the first frame to the second.
    private func motionFound(_ index: Int) -> MotionVector {
        let count = columns * rows
        return index < count ? found.forward.vectors.base[index] : .zero &- found.backward.vectors.base[index - count]
    }

    /// Returns sets of ambiguous and unambiguous cells with continuous motion, across both directions.
    private func connected() -> DisjointSets {
        var sets = DisjointSets(count: cells.count)
        let count = columns * rows
        func isCounted(_ index: Int) -> Bool { cells[index] == .ambiguous || cells[index] == .unambiguous }
        for index in cells.indices where isCounted(index) {
            let at = index < count ? index : index - count, v = motionFound(index)
            func join(_ other: Int) {
                guard isCounted(other), v.distance(to: motionFound(other)) <= Self.continuous else { return }
                sets.join(index, other)
            }
            if at % columns + 1 < columns { join(index + 1) }
            if at + columns < count { join(index + columns) }
            if index < count { join(index + count) }
        }
        return sets
    }
}

/// Sets without common elements, which can be joined (union–find).
private struct DisjointSets {
    private var parents: [Int]

    init(count: Int) { parents = Array(0..<count) }

    mutating func root(of element: Int) -> Int {
        var element = element
        while parents[element] != element {
            parents[element] = parents[parents[element]]
            element = parents[element]
        }
        return element
    }

    mutating func join(_ a: Int, _ b: Int) {
        let first = root(of: a), second = root(of: b)
        // The lower index becomes the root, so that the result does not depend on the order.
        if first != second { parents[max(first, second)] = min(first, second) }
    }
}
