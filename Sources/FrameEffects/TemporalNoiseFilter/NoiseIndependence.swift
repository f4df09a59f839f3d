/// Tells from the flattest blocks of each brightness range whether what changes along the motion is noise alone.
///
/// When the camera shakes or the exposure changes, the brightness of blocks changes far more than noise changes it, and
/// yet smooth or blurred areas still show the noise. Two properties tell it from bad matches: the mean of the frames has
/// the variance of the noise divided by their number, so nothing in it repeats; and the variance is about the same in
/// every block.
enum NoiseIndependence {
    /// The coefficients whose two frequencies add up to 2...6: gradients have lower ones, and encoders remove higher
    /// ones.
    private static let middle = (0..<PlaneNoise.coefficientCount).filter {
        (2...6).contains($0 / BlockGrid.side + $0 % BlockGrid.side)
    }
    /// The fraction of the blocks with the least texture that decides, and the number of blocks needed.
    private static let flattest = (part: 4, fewest: 32)
    /// The number of frames below which independence cannot be told.
    private static let fewestFrames = 4
    /// A smaller variance is what an encoder leaves of a clean picture, in squared 8-bit code values.
    private static let leastVariance: Float = 0.7
    /// The upper quartile of the variance relative to the lower one: below 1.5 for white noise.
    private static let spread: (noise: Float, matches: Float) = (2.4, 3)
    /// What must hold for a range to change by noise alone. Bad matches look like noise by chance in a few ranges.
    private static let independent = Rule(repetition: (1.4, 1.8), majority: (0.4, 0.7), strength: nil)
    /// The same for chroma as an alternative: encoders repeat a part of strong noise. Faint texture repeats as much, but
    /// chroma has little; clear texture has a repetition of 10 or more.
    private static let repeated = Rule(repetition: (3.5, 5), majority: (0.75, 0.95), strength: (2, 6))

    private struct Rule: Sendable {
        /// The variance of the mean times the number of frames, relative to the variance: 1 for independent noise, more
        /// for texture.
        let repetition: (noise: Float, texture: Float)
        /// The part of the blocks of all ranges with enough variance that lies in ranges with noise alone.
        let majority: (none: Float, all: Float)
        /// The variances between which the rule begins to apply, if not to all, in squared 8-bit code values.
        let strength: (none: Float, all: Float)?

        func certainty(_ range: Range) -> Float {
            ramp(range.repetition, from: repetition.texture, to: repetition.noise)
                * ramp(range.spread, from: spread.matches, to: spread.noise)
                * (strength.map { ramp(range.variance, from: $0.none, to: $0.all) } ?? 1)
        }
    }

    /// The mean texture and variance of a block in the middle frequencies, in squared 8-bit code values.
    struct Block: Sendable {
        var texture: Float = 0
        var variance: Float = 0

        /// - Parameters:
        ///   - texture: the squared coefficients of the mean of the frames.
        ///   - variance: the variances of the coefficients.
        ///   - unit: the squared number of code values per 8-bit code value.
        init(texture: UnsafePointer<Float>, variance: UnsafePointer<Float>, unit: Float) {
            for k in middle {
                self.texture += texture[k]
                self.variance += variance[k]
            }
            let part = 1 / (Float(middle.count) * unit)
            self.texture *= part
            self.variance *= part
        }
    }

    /// Returns how certain it is for each brightness range that its blocks change by noise alone, 0...1.
    ///
    /// - Parameter blocks: blocks in order of texture, each with its brightness range.
    static func byRange(_ blocks: [(range: Int, block: Block)], frameCount: Int, isLuma: Bool) -> [Float] {
        var result = [Float](repeating: 0, count: PlaneNoise.rangeCount)
        guard frameCount >= fewestFrames else { return result }
        let ranges = result.indices.compactMap { range in
            Range(range, blocks.filter { $0.range == range }.map(\.block), frameCount: frameCount)
        }
        for rule in isLuma ? [independent] : [independent, repeated] {
            let certainty = ranges.map { rule.certainty($0) }
            var noisy: Float = 0, all: Float = 0
            // Quiet ranges do not count for the others.
            for (range, certainty) in zip(ranges, certainty) where range.variance >= leastVariance {
                noisy += certainty * Float(range.count)
                all += Float(range.count)
            }
            guard all > 0 else { continue }
            let agreed = ramp(noisy / all, from: rule.majority.none, to: rule.majority.all)
            for (range, certainty) in zip(ranges, certainty) {
                result[range.index] = max(result[range.index], certainty * agreed)
            }
        }
        return result
    }

    /// What the flattest blocks of a brightness range have in common.
    private struct Range {
        let index: Int
        /// The number of blocks in the range.
        let count: Int
        let variance: Float
        let repetition: Float
        let spread: Float

        /// Returns nil if there are too few blocks, or if they do not change at all.
        ///
        /// - Parameter blocks: the blocks of the range in order of texture.
        init?(_ index: Int, _ blocks: [Block], frameCount: Int) {
            guard blocks.count >= flattest.fewest else { return nil }
            let flat = blocks.prefix(blocks.count / flattest.part)
            let variances = flat.map(\.variance).sorted(), textures = flat.map(\.texture).sorted()
            let middle = flat.count / 2, quarter = flat.count / 4
            guard variances[quarter] > 0 else { return nil }
            self.index = index
            count = blocks.count
            variance = variances[middle]
            repetition = Float(frameCount) * textures[middle] / variances[middle]
            spread = variances[flat.count - 1 - quarter] / variances[quarter]
        }
    }

    /// 0 at `none`, 1 at `full`, linear between them.
    private static func ramp(_ value: Float, from none: Float, to full: Float) -> Float {
        min(max((value - none) / (full - none), 0), 1)
    }
}
