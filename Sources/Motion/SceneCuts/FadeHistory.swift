/// Contrast of the last frames, to know a picture that a fade has emptied.
struct FadeHistory: Sendable {
    /// Frames after a fade to an even picture within which the next scene counts as the fade's other end.
    static let hold = 24
    private static let length = hold + 16

    private var spreads: [Int32] = []
    private var count = 0
    private var lastCut = 0

    mutating func append(_ statistics: LumaStatistics) {
        spreads.append(statistics.spread)
        count += 1
        if spreads.count > Self.length { spreads.removeFirst() }
    }

    mutating func cut(at index: Int) { lastCut = index }

    /// Whether the frame before `index` is even and was made so by a fade.
    func isEndOfFade(_ index: Int) -> Bool {
        let first = count - spreads.count
        func spread(_ frame: Int) -> Int32? {
            frame >= max(first, lastCut) && frame < count ? spreads[frame - first] : nil
        }
        guard let last = spread(index - 1), last <= Self.even else { return false }
        var start = index - 1
        while index - start < Self.hold, let earlier = spread(start - 1), earlier <= Self.even { start -= 1 }
        // Contrast falls for several frames, none of them taking most of it.
        var falls = 0
        var frame = start
        while falls < 4, let now = spread(frame), let earlier = spread(frame - 1), earlier > now,
            earlier <= 4 * now + 32
        {
            falls += 1
            frame -= 1
        }
        return falls >= 4
    }

    /// Whether the pair ending at `index` is the first step of a fade out of an even picture or the last step into one:
    /// the contrast goes on rising after it, or has fallen before it.
    func isStepOfFade(_ index: Int) -> Bool {
        func rises(_ blank: Int, _ step: Int) -> Bool {
            let frames = (0..<4).map { blank + $0 * step }
            let values = frames.compactMap { $0 >= firstKept && $0 < count ? spreads[$0 - firstKept] : nil }
            guard values.count == 4, values[0] <= Self.even else { return false }
            return values[1] > values[0] && 4 * values[2] > 5 * values[1] && 10 * values[3] > 11 * values[2]
        }
        return rises(index - 1, 1) || rises(index, -1)
    }

    private var firstKept: Int { count - spreads.count }
    private static let even = LumaStatistics.blankSpread
}

extension LumaStatistics {
    /// Largest mean deviation of luma of an even picture, in 1/4 of an 8-bit level.
    static let blankSpread: Int32 = 7
    var isBlank: Bool { spread <= Self.blankSpread }
    /// Even and brighter than most things are: burnt out.
    var isWhite: Bool { isBlank && mean >= 4 * 180 }
}
