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
    /// The variance of the mean times the number of frames, relative to the variance: 1 for noise, more for texture.
    private static let repetition: (noise: Float, texture: Float) = (1.4, 1.8)
    /// The upper quartile of the variance relative to the lower one: below 1.5 for white noise.
    private static let spread: (noise: Float, matches: Float) = (2.4, 3)
    /// The part of the blocks of all ranges with enough variance that lies in ranges with noise alone. Bad matches look
    /// like noise by chance in a few.
    private static let majority: (none: Float, all: Float) = (0.4, 0.7)

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
    static func byRange(_ blocks: [(range: Int, block: Block)], frameCount: Int) -> [Float] {
        var result = [Float](repeating: 0, count: PlaneNoise.rangeCount)
        guard frameCount >= fewestFrames else { return result }
        var noisy: Float = 0, all: Float = 0
        for range in result.indices {
            let mine = blocks.filter { $0.range == range }.map(\.block)
            guard mine.count >= flattest.fewest else { continue }
            let flat = mine.prefix(mine.count / flattest.part)
            let variances = flat.map(\.variance).sorted(), textures = flat.map(\.texture).sorted()
            let middle = flat.count / 2, quarter = flat.count / 4
            guard variances[quarter] > 0 else { continue }
            let repetition = Float(frameCount) * textures[middle] / variances[middle]
            let spread = variances[flat.count - 1 - quarter] / variances[quarter]
            result[range] =
                ramp(repetition, from: Self.repetition.texture, to: Self.repetition.noise)
                * ramp(spread, from: Self.spread.matches, to: Self.spread.noise)
            // Quiet ranges do not count for the others.
            guard variances[middle] >= leastVariance else { continue }
            noisy += result[range] * Float(mine.count)
            all += Float(mine.count)
        }
        guard all > 0 else { return result }
        let agreed = ramp(noisy / all, from: majority.none, to: majority.all)
        return result.map { $0 * agreed }
    }

    /// 0 at `none`, 1 at `full`, linear between them.
    private static func ramp(_ value: Float, from none: Float, to full: Float) -> Float {
        min(max((value - none) / (full - none), 0), 1)
    }
}
