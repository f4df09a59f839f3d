/// Evidence that a frame shows parts of two scenes, in three frames a few tenths of a second apart.
///
/// In a wipe, a slide, a push, a page turn or a move of one picture over another, the histogram of the middle frame is
/// a weighted mean of the histograms of the outer two, however the parts move: a histogram does not
/// depend on place. Next to a cut the middle frame is all of one of them, and within a scene the outer two hardly
/// differ.
package struct SceneMixture: Sendable, Hashable {
    /// Half the L1 distance of the outer frames' histograms, 0…1.
    package let apart: Float
    /// The share of the first frame in the mean that is nearest to the middle frame; 0…1 if there is such a mean.
    package let share: Float
    /// L1 distance of the middle frame from that mean, as a fraction of the distance of the outer frames.
    package let residual: Float

    /// Measures three frames.
    package init(before: FrameSignature, middle: FrameSignature, after: FrameSignature) {
        let isColorless = before.isColorless && middle.isColorless && after.isColorless
        self.init(before.histogram, middle.histogram, after.histogram, isColorless: isColorless)
    }

    init(_ before: [UInt16], _ middle: [UInt16], _ after: [UInt16], isColorless: Bool) {
        guard before.count == middle.count, middle.count == after.count else {
            (apart, share, residual) = (0, 0, 0)
            return
        }
        let bins = isColorless ? min(lumaBins, middle.count) : middle.count
        var (product, square, distance) = (0, 0, 0)
        for bin in 0..<bins {
            let step = Int(before[bin]) - Int(after[bin])
            product += (Int(middle[bin]) - Int(after[bin])) * step
            square += step * step
            distance += abs(step)
        }
        // In 1/256; within a scene the quotient of two small numbers means nothing.
        let part = square == 0 ? 0 : max(-256, min(512, product * 256 / square))
        var off = 0
        for bin in 0..<bins {
            let mean = 256 * Int(after[bin]) + part * (Int(before[bin]) - Int(after[bin]))
            off += abs(256 * Int(middle[bin]) - mean)
        }
        apart = Float(distance) / (isColorless ? 8192 : 16384)
        share = Float(part) / 256
        residual = Float(off) / Float(256 * max(1, distance))
    }

    /// How strongly the middle frame looks like a mixture, 0…1: 0.5 halfway between entirely different scenes is
    /// already much, since few scenes share no colors.
    package var strength: Float {
        apart * max(0, min(1, 2 * min(share, 1 - share))) * max(0, 1 - residual)
    }
}
