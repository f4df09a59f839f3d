import FrameCore

/// Parameters of the choice between periods. Vectors are in 1/32 sample, differences are sums over the 8×8 samples of a
/// block at 8 bits. The values were chosen by hand, November 2026.
private enum ChoiceParameters {
    /// Distance between motions from which they are different ones.
    static let distinct: Int32 = 64
    /// Distance between adjacent cells' motion up to which they belong to one region: one and a half samples.
    static let continuous: Int32 = 48
    /// Difference by which a match may be worse, beside half of that of the other.
    static let allowance = 128
    /// Cells inside unambiguous areas from which a region keeps its motion.
    static let leastCore = 32
    /// Share of the ambiguous cells of a region, as a divisor, that these must make up.
    static let coreShare = 64
}

/// Chooses between the motion that was found and smoother motion, where texture repeats: for whole regions, and for both
/// directions at once, so that both choose the same period.
///
/// A cell is ambiguous where both motions match. A region consists of ambiguous and unambiguous cells with continuous
/// motion. If anything in it is unambiguous, an object or a place where the texture changes, then that decides, and the
/// region keeps the motion that was found. Otherwise it takes the smoother one.
struct PeriodChoice {
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
                    let node = nodes.vector(x: x, y: y, columns: columns, rows: rows), v = other.vectors[x, y]
                    func leaves(_ v: MotionVector) -> Bool {
                        let left = 4 * x - 2 + Int(v.x) / 32, top = 4 * y - 2 + Int(v.y) / 32
                        return left < 0 || top < 0 || left + 8 > size.width || top + 8 > size.height
                    }
                    if leaves(v) || leaves(isBackward ? .zero &- node : node) {
                        cells.append(.outside)
                    } else if v.distance(to: mine.vectors[x, y]) <= ChoiceParameters.distinct {
                        cells.append(.same)
                    } else {
                        let matches = Self.matchesAsWell(Int(other.costs[x, y]), as: Int(mine.costs[x, y]))
                        cells.append(matches ? .ambiguous : .unambiguous)
                    }
                }
            }
        }
    }

    /// Whether a difference is not much larger than another.
    static func matchesAsWell(_ difference: Int, as other: Int) -> Bool {
        2 * difference <= 3 * other + 2 * ChoiceParameters.allowance
    }

    /// Returns the motion with the choice made.
    func chosen() -> MotionPair {
        let takesSmooth = choices(), count = columns * rows, level = found.level
        func merged(_ mine: [MotionVectorField], _ other: [MotionVectorField], from first: Int) -> [MotionVectorField] {
            zip(mine, other).enumerated().map { shift, pair in
                let (mine, other) = pair
                let result = MotionVectorField(copying: mine)
                for y in 0..<mine.rows {
                    let row = min((y << shift) + (1 << shift) / 2, rows - 1)
                    for x in 0..<mine.columns
                    where takesSmooth[first + row * columns + min((x << shift) + (1 << shift) / 2, columns - 1)] {
                        result.vectors[x, y] = other.vectors[x, y]
                        result.costs[x, y] = other.costs[x, y]
                    }
                }
                return result
            }
        }
        let forward = merged(found.forwardLevels, smooth.forwardLevels, from: 0)
        let backward = merged(found.backwardLevels, smooth.backwardLevels, from: count)
        return MotionPair(
            level: level, forward: forward[0], backward: backward[0], forwardLevels: forward, backwardLevels: backward)
    }

    /// Returns for each cell whether it takes the smooth motion.
    private func choices() -> [Bool] {
        typealias P = ChoiceParameters
        var regions = regions()
        let roots = cells.indices.map { regions.root(of: $0) }
        var ambiguous = [Int](repeating: 0, count: cells.count), unambiguous = ambiguous, core = ambiguous
        for index in cells.indices {
            switch cells[index] {
            case .ambiguous: ambiguous[roots[index]] += 1
            case .unambiguous:
                unambiguous[roots[index]] += 1
                if isCore(index) { core[roots[index]] += 1 }
            case .same, .outside: break
            }
        }
        let count = columns * rows
        return cells.indices.map { index in
            switch cells[index] {
            case .outside: return true
            case .same:
                return index < count
                    ? smooth.forward.costs.base[index] <= found.forward.costs.base[index]
                    : smooth.backward.costs.base[index - count] <= found.backward.costs.base[index - count]
            case .ambiguous, .unambiguous:
                let root = roots[index]
                let isDecided = core[root] >= P.leastCore && core[root] * P.coreShare >= ambiguous[root]
                return !isDecided && ambiguous[root] > unambiguous[root]
            }
        }
    }

    /// Whether an unambiguous cell is surrounded by such cells. Others are scattered where the smoother motion matches
    /// a little worse, and prove nothing.
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

    /// Returns the regions of continuous motion, across both directions.
    private func regions() -> DisjointSets {
        var sets = DisjointSets(count: cells.count)
        let count = columns * rows
        func vector(_ index: Int) -> MotionVector {
            index < count ? found.forward.vectors.base[index] : .zero &- found.backward.vectors.base[index - count]
        }
        func isCounted(_ index: Int) -> Bool { cells[index] == .ambiguous || cells[index] == .unambiguous }
        for index in cells.indices where isCounted(index) {
            let at = index < count ? index : index - count, v = vector(index)
            func join(_ other: Int) {
                guard isCounted(other), v.distance(to: vector(other)) <= ChoiceParameters.continuous else { return }
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
