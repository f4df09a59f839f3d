import FrameCore
import Kernels
import Motion

/// Estimates the noise of a frame's planes from what changes along the motion.
///
/// A block and the blocks to which it moves have the same content and different noise, so the variance of their
/// spectra over the frames is the spectrum of the noise, whatever has shaped it. It is also the spectrum of bad matches,
/// which occur where there is texture, edges and independent motion: a block counts the less, the more texture remains
/// in the mean of the frames, and the more its brightness changes, unless the changes look like noise alone.
///
/// The numbers below were chosen by hand in November 2026 on photographs and clips with synthetic noise (sensors with
/// 80 to 1500 electrons at white, film grain and smoothed noise; x264, x265, VP9, MPEG-2 and uncompressed), and on clean
/// clips.
struct NoiseEstimator: Sendable {
    /// The number of blocks to measure: luma, chroma.
    private static let blockCounts = (luma: 1500, chroma: 600)
    /// Blocks within this brightness are measured; beyond it, clipping reduces the noise.
    private static let brightness: ClosedRange<Float> = 18...238
    /// The fraction of the blocks with the least texture that are considered, overall and in each brightness range.
    private static let flattest = 0.4
    /// A block counts half if its texture equals the variance of its noise plus this, in squared 8-bit code values; the
    /// fourth power of the ratio decides.
    private static let texture: Float = 0.3
    /// A block counts half if the variance of its mean equals `ratio` times the variance of its noise plus `offset`, in
    /// squared 8-bit code values; the square of the ratio of the two decides.
    private static let drift: (ratio: Float, offset: Float) = (8, 0.5)
    /// How much of the texture of a block is in its variance, because motion is in whole samples.
    private static let leak: Float = 0.2
    /// Blocks with more than `reach` times the variance of this quantile are not noise alone. No block has less than its
    /// noise, so the weighted quantile is at most `excess` times the one of all blocks, and that of a brightness range
    /// at most `contrast` times the overall one.
    private static let quantile: (fraction: Float, reach: Float, excess: Float, contrast: Float) = (0.25, 1.7, 1.5, 5)
    /// The same as `contrast` where blocks change by noise alone.
    private static let independentContrast: Float = 40
    /// Where blocks change by noise alone, all of them are considered, with up to `reach` times the variance of the
    /// quantile: after an encoder, the blocks with the least texture are those from which it has removed the most noise.
    /// That begins at a variance of `from` and is complete at `to`, in squared 8-bit code values, because the little that
    /// changes in clean pictures looks like noise, too.
    private static let untrimmed: (reach: Float, from: Float, to: Float) = (4, 1, 3)
    /// When textured blocks show noise, too: the variance grows with texture by less than `growth`, less `tolerance`,
    /// and in high frequencies there is less than `detail` times as much texture as noise. They have at least this
    /// `weight`.
    private static let agreement: (growth: Float, tolerance: Float, detail: Float, weight: Float) = (1.6, 0.5, 0.2, 0.2)
    /// The fraction of blocks that is needed as evidence: less counts as no noise, and leaves a brightness range with
    /// the overall result.
    private static let evidence: Float = 0.01
    /// The number of measured blocks below which there is no estimate.
    private static let fewest = 8
    /// Variance that counts as none, in squared 8-bit code values: rounding, and what an encoder leaves of a clean
    /// picture.
    private static let negligible: Float = 0.3
    /// The least value in a spectrum, relative to its mean.
    private static let leastInSpectrum: Float = 0.02
    /// The part of a single picture's fine detail that counts as noise, as a variance.
    private static let partOfDetail: Float = 0.25

    /// The light counts as changing from one in this many blocks on.
    private static let fewestLit = 20
    /// Where the light changes: the most variance of a low frequency, relative to that of the frequency of 2 in both
    /// directions, and the variance of that of 3, relative to the mean, with which all counts as noise and none. Noise has
    /// up to 1.9, and 1 or more, even after encoders.
    private static let limits: (low: Float, all: Float, none: Float) = (2, 0.6, 0.3)
    /// The same for single blocks, whose frequencies that add up to 6 decide.
    private static let blockLimits: (all: Float, none: Float) = (0.8, 0.5)
    /// The most variance of a block's mean that counts as noise, relative to that of the next frequencies. Noise after
    /// encoders has up to 1.5.
    private static let mostOfMean: Float = 1.6

    /// One measured block, in squared 8-bit code values.
    private struct Block {
        let index: Int
        let range: Int
        /// The mean square of the coefficients of the mean of the frames, without the block's mean.
        let texture: Float
        /// The mean variance of these coefficients over the frames.
        let total: Float
        /// The variance of the block's mean.
        let drift: Float
        /// Texture and variance in the middle frequencies only.
        let middle: NoiseIndependence.Block
        /// The variance without what leaks from the texture.
        var variance: Float = 0
        var weight: Float = 0
    }

    let blocks: BlockGrid
    private let isLuma: Bool
    /// The squared number of code values per 8-bit code value.
    private let unit: Float
    private let frameCount: Int
    private let texture: Buffer2D<Float>
    private let variance: Buffer2D<Float>
    private let brightness: BlockBrightness
    /// How the light changes over the frames; nil if it does not.
    private let light: LightChange?

    /// The grid of the blocks that are measured in a plane.
    static func grid(width: Int, height: Int, isLuma: Bool) -> BlockGrid {
        let count = isLuma ? blockCounts.luma : blockCounts.chroma
        var step = 4
        while (width / step) * (height / step) > count { step += 4 }
        return BlockGrid(width: width, height: height, step: step)
    }

    /// Measures a plane over the frames of a window.
    ///
    /// - Parameters:
    ///   - planes: the plane in each frame.
    ///   - motion: the motion of the blocks to each frame, for the blocks of ``grid(width:height:isLuma:)``.
    ///   - scale: the number of code values per 8-bit code value.
    ///   - context: the threads and kernels to use.
    init(
        _ blocks: BlockGrid, isLuma: Bool, planes: [PaddedPlane], motion: [BlockMotion], brightness: BlockBrightness,
        scale: Float, context: ExecutionContext
    ) {
        self.blocks = blocks
        self.isLuma = isLuma
        self.brightness = brightness
        unit = scale * scale
        frameCount = planes.count
        let columns = blocks.columns, size = PlaneNoise.coefficientCount * columns
        texture = Buffer2D<Float>(columns: size, rows: blocks.rows)
        variance = Buffer2D<Float>(columns: size, rows: blocks.rows)
        var rows = Rows(
            blocks: blocks, planes: planes, motion: motion, texture: texture, variance: variance, context: context)
        rows.measure(withoutLight: false)
        let light = planes.count > 2 ? LightChange(variance) : nil
        let isLit = light.map { $0.blocks.count * Self.fewestLit >= blocks.columns * blocks.rows } ?? false
        self.light = isLit ? light : nil
        if let light, isLit {
            let measured = Buffer2D<Float>(columns: size, rows: blocks.rows)
            rows.variance = measured
            rows.measure(withoutLight: true)
            for block in light.blocks {
                let place = block * PlaneNoise.coefficientCount
                (variance.base + place).update(from: measured.base + place, count: PlaneNoise.coefficientCount)
            }
        }
        if planes.count == 1 { assumeNoise() }
    }

    /// The rows of blocks that are measured.
    private struct Rows: Sendable {
        let blocks: BlockGrid
        let planes: [PaddedPlane]
        let motion: [BlockMotion]
        let texture: Buffer2D<Float>
        var variance: Buffer2D<Float>
        let context: ExecutionContext

        /// - Parameter withoutLight: whether the gain of each block in each frame is removed.
        func measure(withoutLight: Bool) {
            let pair =
                withoutLight
                ? KernelPair(
                    context.kernels.pointee.collaborative_light_row_8,
                    context.kernels.pointee.collaborative_light_row_16)
                : KernelPair(
                    context.kernels.pointee.collaborative_noise_row_8,
                    context.kernels.pointee.collaborative_noise_row_16)
            let kernel = pair[bytesPerSample: planes[0].bytesPerSample]
            parallelFor(blocks.rows, threads: context.threads) { measure($0, kernel) }
        }

        private func measure(_ row: Int, _ kernel: vfx_collaborative_noise_row_fn) {
            let columns = blocks.columns, size = PlaneNoise.coefficientCount * columns
            let vectors = Scratch<Int16>(2 * columns * planes.count)
            let frames = Scratch<vfx_collaborative_frame>(planes.count)
            for (t, plane) in planes.enumerated() {
                let mine = vectors.base + 2 * columns * t
                motion[t].write(row, to: mine)
                frames[t] = vfx_collaborative_frame(
                    origin: plane.row(blocks.y(row)), pilot: nil, stride: plane.stride, vectors: mine)
            }
            withUnsafePointer(to: Float(0)) { none in
                var group = vfx_collaborative_group(
                    frames: Int32(planes.count), centre: 0, blocks: Int32(columns), step: Int32(blocks.step),
                    width: Int32(blocks.width), transform: none, spectrum: none, sigma: none, constant_scale: 1,
                    threshold: 0, sum_stride: 0, frame: frames.base)
                kernel(&group, texture.base + row * size, variance.base + row * size)
            }
        }
    }

    /// Where the light changes.
    private struct LightChange {
        /// The variance of a block's mean relative to that of the next frequencies: above `here` in the blocks that
        /// change, and above `everywhere` in all but `dark` of the blocks if the light of the whole picture changes.
        private static let ratio: (here: Float, everywhere: Float) = (6, 3)
        private static let dark: Float = 0.3

        let isEverywhere: Bool
        /// The blocks in which the mean changes more than noise can change it.
        let blocks: [Int]

        init(_ variance: Buffer2D<Float>) {
            let count = variance.count / PlaneNoise.coefficientCount, low = PlaneNoise.lowest
            let means = (0..<count).map { variance.base[PlaneNoise.coefficientCount * $0] }
            let next = (0..<count).map { block in
                let place = variance.base + PlaneNoise.coefficientCount * block
                return (place[low.0] + place[low.1]) / 2
            }
            let few = means.sorted()[Int(Self.dark * Float(count))]
            let isEverywhere = few > Self.ratio.everywhere * next.sorted()[count / 2]
            self.isEverywhere = isEverywhere
            blocks = (0..<count).filter { isEverywhere || means[$0] > Self.ratio.here * next[$0] }
        }
    }

    /// In a single frame, texture looks like noise: assume that part of the highest frequencies is white noise, and
    /// nothing else.
    private func assumeNoise() {
        let coefficients = PlaneNoise.coefficientCount, count = Float(PlaneNoise.highFrequencies.count)
        for block in 0..<blocks.columns * blocks.rows {
            let texture = texture.base + coefficients * block, variance = variance.base + coefficients * block
            let sum = PlaneNoise.highFrequencies.reduce(0) { $0 + texture[$1] }
            variance.update(repeating: Self.partOfDetail * sum / count, count: coefficients)
            // As much as noise leaves in the mean of one frame.
            texture.update(from: variance, count: coefficients)
        }
    }

    // MARK: - Result

    /// The noise of the plane, in code values.
    func noise() -> PlaneNoise {
        var measured = measuredBlocks()
        guard measured.count >= Self.fewest else { return PlaneNoise(sigma: 0) }
        let agreement = frameCount > 1 ? agreement(measured) : 1
        let independence = NoiseIndependence.byRange(
            measured.map { ($0.range, $0.middle) }, frameCount: frameCount, isLuma: isLuma)
        weigh(&measured, agreement: agreement, independence: independence)
        let needed = Self.evidence * Float(blocks.columns * blocks.rows)
        let untrimmed = untrimmed(measured, independence: independence)
        let flat = flattest(measured, untrimmed: untrimmed)
        let ranges = (0..<PlaneNoise.rangeCount).map { range in
            flattest(measured.filter { $0.range == range }, untrimmed: untrimmed)
        }
        // The level of each range, to tell noise from other changes; overall where a range has few blocks.
        let level = Self.level(flat)
        let limits = ranges.enumerated().map { range, blocks in
            let weight = blocks.reduce(0) { $0 + $1.weight }, part = weight / (weight + 5)
            let all = Self.level(blocks), usual = min(all, Self.quantile.contrast * level)
            let most = min(all, Self.independentContrast * level)
            let own = usual + (most - usual) * independence[range]
            let reach = Self.quantile.reach + (Self.untrimmed.reach - Self.quantile.reach) * untrimmed[range]
            return reach * (level + (own - level) * part)
        }
        let found = Self.mean(flat.filter { $0.variance <= limits[$0.range] })
        guard found.weight > 0 else { return PlaneNoise(sigma: 0) }
        let overall = found.variance * (found.weight / (found.weight + needed))
        var variances: [Float] = [], alone: [Block] = []
        for (range, blocks) in ranges.enumerated() {
            let kept = blocks.filter { $0.variance <= limits[range] }, own = Self.mean(kept)
            variances.append((own.variance * own.weight + overall * needed) / (own.weight + needed))
            alone += kept
        }
        func deviation(_ variance: Float) -> Float { (max(0, variance - Self.negligible) * unit).squareRoot() }
        let noise = PlaneNoise(
            deviations: variances.map(deviation), spectrum: spectrum(alone, leak: Self.leak * (1 - agreement)),
            overall: deviation(overall))
        return light == nil ? noise : Self.withoutLight(noise)
    }

    /// Returns the noise without what a change of the light may have added: the edges of a lamp, and texture where lit and
    /// unlit frames do not match. Both are in the lowest frequencies.
    private static func withoutLight(_ noise: PlaneNoise) -> PlaneNoise {
        let low = noise.spectrum[2 * BlockGrid.side + 2], middle = noise.spectrum[3 * BlockGrid.side + 3]
        let spectrum = low < limits.all ? noise.spectrum : noise.spectrum.map { min($0, limits.low * low) }
        let mean = spectrum[1...].reduce(0, +) / Float(PlaneNoise.coefficientCount - 1)
        let part = min(max((middle - limits.none) / (limits.all - limits.none), 0), 1)
        let rest = noise.scaled(by: part * mean.squareRoot())
        return PlaneNoise(
            deviations: rest.deviations, spectrum: spectrum.map { $0 / mean }, overall: rest.overall)
    }

    /// Texture and variance of the blocks that can be used, in order of texture.
    private func measuredBlocks() -> [Block] {
        let coefficients = PlaneNoise.coefficientCount, part = 1 / (Float(coefficients - 1) * unit)
        var result: [Block] = []
        result.reserveCapacity(blocks.columns * blocks.rows)
        for row in 0..<blocks.rows {
            for column in 0..<blocks.columns {
                let mean = Float(brightness.mean(column, row))
                guard Self.brightness.contains(mean) else { continue }
                let index = row * blocks.columns + column
                let still = texture.base + coefficients * index, moving = variance.base + coefficients * index
                var texture: Float = 0, variance: Float = 0
                for k in 1..<coefficients {
                    texture += still[k]
                    variance += moving[k]
                }
                let middle = NoiseIndependence.Block(texture: still, variance: moving, unit: unit)
                result.append(
                    Block(
                        index: index, range: Int(mean) * PlaneNoise.rangeCount / 256, texture: texture * part,
                        total: variance * part, drift: moving[0] / unit, middle: middle))
            }
        }
        return result.sorted { ($0.texture, $0.index) < ($1.texture, $1.index) }
    }

    /// How much textured blocks agree with flat ones, 0…1: bad matches make the variance grow with texture, and have
    /// high frequencies in proportion to it.
    private func agreement(_ measured: [Block]) -> Float {
        func quartile(_ blocks: ArraySlice<Block>) -> Float {
            blocks.isEmpty ? 0 : blocks.map(\.total).sorted()[blocks.count / 4]
        }
        let third = measured.count / 3, flat = measured[..<third]
        let growth = quartile(measured[third..<2 * third]) / (quartile(flat) + 0.05)
        var still: Float = 0, moving: Float = 0
        for block in flat {
            for k in PlaneNoise.highFrequencies {
                still += texture.base[PlaneNoise.coefficientCount * block.index + k]
                moving += variance.base[PlaneNoise.coefficientCount * block.index + k]
            }
        }
        guard moving > 0 else { return 0 }
        let detail = max(0, still / moving - 1 / Float(frameCount))
        func limited(_ value: Float) -> Float { min(max(value, 0), 1) }
        return limited((Self.agreement.growth - growth) / Self.agreement.tolerance)
            * limited(2 - detail / Self.agreement.detail)
    }

    /// Weights the blocks by how likely their variance is noise.
    private func weigh(_ measured: inout [Block], agreement: Float, independence: [Float]) {
        let flat = measured[..<(measured.count / 3)].map(\.total).sorted()
        let limit = Self.quantile.reach * (flat.isEmpty ? 0 : flat[flat.count / 4])
        for index in measured.indices {
            let block = measured[index]
            // The mean of the frames still has a part of the noise.
            let excess = max(0, block.texture - block.total / Float(frameCount))
            let ratio = excess / (block.total + Self.texture), drift = block.drift
            let change =
                drift / (Self.drift.ratio * block.total + Self.drift.offset) * (1 - independence[block.range])
            var weight = 1 / ((1 + ratio * ratio * (ratio * ratio)) * (1 + change * change))
            if light != nil { weight *= plausibility(block) }
            if block.total <= limit { weight = max(weight, Self.agreement.weight * agreement) }
            measured[index].weight = weight
            measured[index].variance = max(0, block.total - Self.leak * (1 - agreement) * excess)
        }
    }

    /// How far the spectrum of a block's variance is that of noise, 0…1, where the light changes.
    private func plausibility(_ block: Block) -> Float {
        let variance = variance.base + PlaneNoise.coefficientCount * block.index
        // Both frequencies add up to 6.
        let middle = (1...5).reduce(0) { $0 + variance[$1 * BlockGrid.side + 6 - $1] } / (5 * unit)
        guard block.total > 0 else { return 1 }
        return min(
            max((middle / block.total - Self.blockLimits.none) / (Self.blockLimits.all - Self.blockLimits.none), 0), 1)
    }

    /// How far all blocks of each brightness range are considered, 0…1.
    private func untrimmed(_ measured: [Block], independence: [Float]) -> [Float] {
        independence.enumerated().map { range, certainty in
            guard certainty > 0 else { return 0 }
            let level = Self.level(measured.filter { $0.range == range })
            let strength = (level - Self.untrimmed.from) / (Self.untrimmed.to - Self.untrimmed.from)
            return certainty * min(max(strength, 0), 1)
        }
    }

    /// The first of these blocks, which are in order of texture: ``flattest`` of them, or up to all if they are untrimmed;
    /// at least one if there are any.
    private func flattest(_ blocks: [Block], untrimmed: [Float]) -> [Block] {
        guard !blocks.isEmpty else { return [] }
        let part = Double(blocks.reduce(0) { $0 + untrimmed[$1.range] } / Float(blocks.count))
        let count = (Self.flattest + (1 - Self.flattest) * part) * Double(blocks.count)
        return Array(blocks.prefix(Int(count.rounded(.up))))
    }

    /// The weighted quantile of the variances, limited by the quantile of all; 0 without blocks.
    private static func level(_ blocks: [Block]) -> Float {
        let limit = quantile.fraction * blocks.reduce(0) { $0 + $1.weight }
        let all = blocks.map(\.total).sorted()
        guard !all.isEmpty else { return 0 }
        let most = quantile.excess * all[Int(quantile.fraction * Float(all.count - 1))]
        var weight: Float = 0
        for block in blocks.sorted(by: { ($0.variance, $0.index) < ($1.variance, $1.index) }) {
            weight += block.weight
            if weight >= limit { return min(block.variance, most) }
        }
        return most
    }

    /// The weighted mean of the variances, and the sum of the weights.
    private static func mean(_ blocks: [Block]) -> (variance: Float, weight: Float) {
        let weight = blocks.reduce(0) { $0 + $1.weight }
        guard weight > 0 else { return (0, 0) }
        return (blocks.reduce(0) { $0 + $1.weight * $1.variance } / weight, weight)
    }

    /// How the variance of these blocks is distributed over the coefficients.
    private func spectrum(_ measured: [Block], leak: Float) -> [Float] {
        let coefficients = PlaneNoise.coefficientCount
        var still = [Float](repeating: 0, count: coefficients), moving = still
        for block in measured {
            let place = coefficients * block.index
            let texture = texture.base + place, variance = variance.base + place
            for k in 0..<coefficients {
                still[k] += block.weight * texture[k]
                moving[k] += block.weight * variance[k]
            }
        }
        for k in 0..<coefficients {
            let excess = k == 0 ? 0 : max(0, still[k] - moving[k] / Float(frameCount))
            moving[k] = max(moving[k] - leak * excess, 0.1 * moving[k])
        }
        // Noise has no preference for the mean of a block: the rest is light.
        let low = PlaneNoise.lowest
        moving[0] = min(
            moving[0],
            light?.isEverywhere == true
                ? (moving[low.0] + moving[low.1]) / 2 : Self.mostOfMean * max(moving[low.0], moving[low.1]))
        let mean = moving[1...].reduce(0, +) / Float(coefficients - 1)
        guard mean > 0 else { return .init(repeating: 1, count: coefficients) }
        return moving.map { max($0 / mean, Self.leastInSpectrum) }
    }
}
