/// Parameters of dissolves and fades as seen in three frames. The values were chosen by hand, November 2026.
private enum GradualParameters {
    /// Minimum difference of the outer frames, in 8-bit levels, at which their mismatch is measured.
    static let measuredDifference: Float = 1.5
    /// Minimum mismatch of the outer frames of a dissolve, 0…1.
    static let dissolveMismatch: Float = 0.55
    /// Largest bend of a dissolve; in plain motion it is greater. Set on the `tune` half of
    /// `Tests/Measurements/FrameAnalysis/transitions.py`, 2026-11-25.
    static let dissolveBend: Float = 0.5
    /// Minimum difference of the outer frames of a dissolve, in 8-bit levels.
    static let dissolveDifference: Float = 6
    /// Largest ratio of the outer frames' contrasts in a fade.
    static let fadeContrast: Float = 0.84
    /// Largest bend of a fade.
    static let fadeBend: Float = 0.5
    /// Minimum difference of the outer frames of a fade, in 8-bit levels.
    static let fadeDifference: Float = 3
}

/// Parameters of fades to and from blank frames. Values without a source were chosen by hand, November 2026.
private enum FadeParameters {
    /// Frames of contrast kept beyond ``FadeHistory/hold``, to find the fade before the blank frames.
    static let framesBeforeHold = 16
    /// The number of consecutive frames over which the contrast must fall.
    static let falls = 4
    /// Largest ratio of a frame's contrast to that of the next frame in a fade: no single step removes most of it.
    static let largestRatio: Int32 = 4
    /// Contrast allowed in addition to ``largestRatio``, in 1/4 of an 8-bit level.
    static let ratioOffset: Int32 = 32
    /// Minimum rise of contrast in the second step of a fade out of a blank frame, as a fraction. Adjusted by hand on
    /// the joined scenes of `Tests/Measurements/SceneCuts`, 2026-11-21.
    static let secondRise: (over: Int32, under: Int32) = (5, 4)
    /// Minimum rise of contrast in the third step of a fade out of a blank frame, as a fraction. Adjusted by hand on
    /// the joined scenes of `Tests/Measurements/SceneCuts`, 2026-11-21.
    static let thirdRise: (over: Int32, under: Int32) = (11, 10)
}

/// Evidence of a gradual transition, a dissolve or a fade, in three frames some tenths of a second apart.
///
/// In a dissolve the middle frame is about the mean of the outer two, and motion does not explain the outer two by each
/// other. In a fade the content stays and the contrast changes.
package struct GradualTransition: Sendable, Hashable {
    /// Distance of the middle frame from the mean of the outer two, divided by their distance: 0 in a dissolve, 1/2 in
    /// plain motion and next to a cut.
    package let bend: Float
    /// Mean absolute luma difference of the outer frames, in 8-bit levels.
    package let apart: Float
    /// The lower contrast of the outer frames divided by the higher one, 0…1.
    package let contrastRatio: Float
    /// Whether contrast only rises or only falls from frame to frame.
    package let isMonotone: Bool
    /// Sharpness of the middle frame divided by the mean sharpness of the outer two.
    package let detailRatio: Float
    /// Share of the outer frames' structure that motion does not explain, 0…1; 0 when they hardly differ.
    package let mismatch: Float

    /// Measures three frames.
    package init(before: FrameSignature, middle: FrameSignature, after: FrameSignature) {
        bend = DownscaledPlane.bend(before.luma, middle.luma, after.luma)
        let (a, b, c) = (before.statistics, middle.statistics, after.statistics)
        contrastRatio = Float(min(a.spread, c.spread)) / Float(max(1, a.spread, c.spread))
        isMonotone = (a.spread <= b.spread && b.spread <= c.spread) || (a.spread >= b.spread && b.spread >= c.spread)
        func detail(_ s: LumaStatistics) -> Float { Float(s.gradientX + s.gradientY) }
        detailRatio = detail(b) / max(1, 0.5 * (detail(a) + detail(c)))
        var sum = 0
        if before.luma.values.count == after.luma.values.count {
            for (p, q) in zip(before.luma.values, after.luma.values) { sum &+= abs(Int(p) &- Int(q)) }
        }
        apart = Float(sum) / Float(4 * max(1, after.luma.values.count))
        mismatch = apart > GradualParameters.measuredDifference ? PairMatch(before, after).mean : 0
    }
}

extension GradualTransition {
    /// Whether the middle frame seems to show two scenes at once. Fast motion that looks the same counts too.
    package var isDissolve: Bool {
        mismatch > GradualParameters.dissolveMismatch && bend < GradualParameters.dissolveBend
            && apart > GradualParameters.dissolveDifference
    }
    /// Whether contrast rises or falls while the content stays.
    package var isFade: Bool {
        isMonotone && contrastRatio < GradualParameters.fadeContrast && bend < GradualParameters.fadeBend
            && apart > GradualParameters.fadeDifference
    }
}

/// The contrast of recent frames, kept to recognise blank frames at the end of a fade.
struct FadeHistory: Sendable {
    /// Frames after a fade to a blank frame within which the next scene counts as the fade's other end. Chosen by hand,
    /// November 2026.
    static let hold = 24
    static let length = hold + FadeParameters.framesBeforeHold

    var spreads: [Int32] = []
    var count = 0
    var lastCut = 0

    /// Records the next frame.
    mutating func append(_ statistics: LumaStatistics) {
        spreads.append(statistics.spread)
        count += 1
        if spreads.count > Self.length { spreads.removeFirst() }
    }

    /// Records a cut: a fade does not extend back across it.
    mutating func cut(at index: Int) { lastCut = index }

    /// Whether the frame before `index` is blank because of a fade.
    func isEndOfFade(_ index: Int) -> Bool {
        let first = count - spreads.count
        func spread(_ frame: Int) -> Int32? {
            frame >= max(first, lastCut) && frame < count ? spreads[frame - first] : nil
        }
        guard let last = spread(index - 1), last <= Self.blank else { return false }
        var start = index - 1
        while index - start < Self.hold, let earlier = spread(start - 1), earlier <= Self.blank { start -= 1 }
        // In a fade, contrast falls for several frames, and no single step removes most of it.
        var falls = 0
        var frame = start
        while falls < FadeParameters.falls, let now = spread(frame), let earlier = spread(frame - 1), earlier > now,
            earlier <= FadeParameters.largestRatio * now + FadeParameters.ratioOffset
        {
            falls += 1
            frame -= 1
        }
        return falls >= FadeParameters.falls
    }

    /// Whether the pair that ends at `index` is the first step of a fade out of a blank frame or the last step of a
    /// fade into one: contrast keeps rising after it, or has been falling before it.
    func isStepOfFade(_ index: Int) -> Bool {
        func rises(_ blank: Int, _ step: Int) -> Bool {
            let frames = (0..<4).map { blank + $0 * step }
            let values = frames.compactMap { $0 >= firstKept && $0 < count ? spreads[$0 - firstKept] : nil }
            guard values.count == 4, values[0] <= Self.blank else { return false }
            let (second, third) = (FadeParameters.secondRise, FadeParameters.thirdRise)
            return values[1] > values[0] && second.under * values[2] > second.over * values[1]
                && third.under * values[3] > third.over * values[2]
        }
        return rises(index - 1, 1) || rises(index, -1)
    }

    private var firstKept: Int { count - spreads.count }
    private static let blank = LumaStatistics.blankSpread
}
