/// Signs of a gradual transition, a dissolve or a fade, round the middle one of three frames some tenths of a second apart.
///
/// In a dissolve the middle frame lies halfway between the outer two, which no motion explains by one another. In a fade
/// the picture stays and its contrast goes.
package struct GradualTransition: Sendable, Hashable {
    /// How far the middle lies from halfway between the others, over how far those lie apart: 0 halfway, 1/2 for plain
    /// motion and beside a cut.
    package let bend: Float
    /// Mean difference of the outer frames, in 8-bit levels.
    package let apart: Float
    /// Contrast of the outer frame with less over that of the one with more, 0…1.
    package let contrastRatio: Float
    /// Whether contrast goes one way through all three.
    package let isMonotone: Bool
    /// Mean step between neighbours in the middle frame over that of the outer two.
    package let detailRatio: Float
    /// Share of the outer frames' structure that motion does not explain, 0…1; 0 where they hardly differ.
    package let mismatch: Float

    package init(before: FrameSignature, middle: FrameSignature, after: FrameSignature) {
        bend = Grid.bend(before.luma, middle.luma, after.luma)
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
        mismatch = apart > 1.5 ? PairMatch(before, after).mean : 0
    }
}

extension GradualTransition {
    /// Whether the middle frame shows two scenes at once; fast motion that cannot be told from it counts too.
    package var isDissolve: Bool { mismatch > 0.55 && bend < 0.58 && apart > 6 }
    /// Whether contrast comes or goes while the picture stays.
    package var isFade: Bool { isMonotone && contrastRatio < 0.84 && bend < 0.5 && apart > 3 }
}
