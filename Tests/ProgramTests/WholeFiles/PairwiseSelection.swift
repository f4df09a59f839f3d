/// Selects a few cells that cover every possible pair of values of two axes.
struct PairwiseSelection {
    let cells: [WholeFileCell]

    private struct Pair: Hashable {
        var axes: UInt8
        var values: [String]
    }

    /// - Parameter all: all possible cells.
    init(of all: [WholeFileCell]) {
        let pairs = all.map(Self.pairs)
        var holders: [Pair: [Int]] = [:]
        for (index, own) in pairs.enumerated() {
            for pair in own where holders[pair, default: []].count < 400 { holders[pair, default: []].append(index) }
        }
        // The rarest pair first, because it leaves the least choice.
        let order = holders.keys.sorted {
            (holders[$0]?.count ?? 0, $0.axes, $0.values.joined()) < (
                holders[$1]?.count ?? 0, $1.axes, $1.values.joined()
            )
        }
        var open = Set(order), chosen: [Int] = [], noise: UInt32 = 9_417
        for pair in order where open.contains(pair) {
            guard let candidates = holders[pair] else { continue }
            var best = candidates[0], bestGain = -1
            for _ in 0..<60 {
                noise = noise &* 1_664_525 &+ 1_013_904_223
                let candidate = candidates[Int(noise >> 8) % candidates.count]
                let gain = pairs[candidate].count { open.contains($0) }
                if gain > bestGain { (best, bestGain) = (candidate, gain) }
            }
            chosen.append(best)
            open.subtract(pairs[best])
        }
        cells = chosen.sorted().map { all[$0] }
    }

    private static func pairs(of cell: WholeFileCell) -> [Pair] {
        let values = cell.axisValues
        var found: [Pair] = []
        for first in values.indices {
            for second in values.indices.dropFirst(first + 1) {
                found.append(
                    Pair(axes: UInt8(first * values.count + second), values: [values[first], values[second]]))
            }
        }
        return found
    }
}

extension WholeFileCell {
    /// The cell's position on each axis.
    fileprivate var axisValues: [String] {
        [
            route.rawValue, codec.rawValue, String(depth), subsampling.rawValue, shape.rawValue, timing.rawValue,
            isOdd ? "odd" : "even", color.rawValue, command.rawValue,
        ]
    }

    /// All possible cells.
    static let all: [WholeFileCell] = {
        var found: [WholeFileCell] = []
        for route in Route.allCases {
            for codec in Codec.allCases where codec.isHeld(by: route.input) && codec.isHeld(by: route.output) {
                for depth in depths {
                    for subsampling in Subsampling.allCases {
                        for shape in Shape.allCases {
                            for timing in Timing.allCases {
                                for isOdd in [false, true] {
                                    for color in Color.allCases {
                                        for command in WholeFileCommand.allCases {
                                            let cell = WholeFileCell(
                                                route: route, codec: codec, depth: depth, subsampling: subsampling,
                                                shape: shape, timing: timing, isOdd: isOdd, color: color,
                                                command: command)
                                            if cell.isPossible { found.append(cell) }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        return found
    }()
}
