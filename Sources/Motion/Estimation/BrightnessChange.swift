package import FrameCore

/// Parameters of a brightness change. The values were chosen by hand, November 2026.
private enum BrightnessParameters {
    /// Samples of the pyramid level that is measured, at most.
    static let samples = 1 << 16
    /// Percentiles of luma at which the frames are compared. The darkest and brightest samples are left out: they clip.
    static var percentiles: StrideThrough<Int> { stride(from: 5, through: 95, by: 5) }
    /// Mean difference of the quantiles below which brightness is taken as unchanged, in 8-bit levels. Blocks still
    /// match across smaller changes.
    static let leastChange: Float = 4
    /// Largest mean difference of the quantiles that may remain, as a share of that before compensation. What moves into
    /// the frame also changes the quantiles, but not all of them alike.
    static let maximumResidual: Float = 0.25
    /// Rows and columns of blocks whose means must change alike. The blocks are large, so that motion hardly changes them.
    static let blocks = 8
    /// Growth of the difference of two blocks' means by which compensation harms the block, in 8-bit levels.
    static let harm: Float = 2
    /// Largest share of the blocks that may be harmed: more, and only a part of the frame has changed.
    static let harmedShare: Float = 0.2
    /// Variance of the quantiles below which only the offset is fitted, in 8-bit levels squared.
    static let flatVariance: Float = 4
}

/// A change of brightness from one frame to the next, as in a fade, by automatic exposure or when a lamp is switched on:
/// luma of the second frame = ``gain`` · luma of the first + ``offset``, apart from motion.
///
/// Found by comparing quantiles of luma, which motion hardly changes, and confirmed by the means of blocks.
package struct BrightnessChange: Sendable, Hashable {
    /// 1/2…2, unless another limit is given.
    package let gain: Float
    /// In 8-bit levels.
    package let offset: Float

    /// Compares two frames of one size; nil if their brightness differs little, or not in the same way everywhere.
    ///
    /// - Parameter largestGain: the largest gain; its reciprocal is the smallest.
    package init?(from a: LumaPyramid, to b: LumaPyramid, largestGain: Float = 2) {
        typealias P = BrightnessParameters
        let level = a.levels.firstIndex { $0.width * $0.height <= P.samples } ?? a.levels.count - 1
        let p = Self.quantiles(a.levels[level]), q = Self.quantiles(b.levels[level]), count = Float(p.count)
        func mean(_ values: [Float]) -> Float { values.reduce(0, +) / count }
        let before = mean(zip(p, q).map { abs($1 - $0) })
        guard before >= P.leastChange else { return nil }
        let meanP = mean(p), meanQ = mean(q)
        let variance = mean(p.map { ($0 - meanP) * ($0 - meanP) })
        let covariance = mean(zip(p, q).map { ($0 - meanP) * ($1 - meanQ) })
        let gain = variance < P.flatVariance ? 1 : min(max(covariance / variance, 1 / largestGain), largestGain)
        let offset = meanQ - gain * meanP
        guard mean(zip(p, q).map { abs($1 - gain * $0 - offset) }) <= before * P.maximumResidual else { return nil }
        (self.gain, self.offset) = (gain, offset)
        guard harmedShare(a.levels[level], b.levels[level]) <= P.harmedShare else { return nil }
    }

    /// Returns the share of the blocks at whose places the frames differ more after compensation than before.
    private func harmedShare(_ a: PaddedPlane, _ b: PaddedPlane) -> Float {
        typealias P = BrightnessParameters
        let columns = min(P.blocks, a.width), rows = min(P.blocks, a.height)
        var harmed = 0
        for row in 0..<rows {
            for column in 0..<columns {
                var sumA = 0, sumB = 0, count = 0
                for y in row * a.height / rows..<(row + 1) * a.height / rows {
                    for x in column * a.width / columns..<(column + 1) * a.width / columns {
                        sumA += Int(a.bytes[y * a.stride + x])
                        sumB += Int(b.bytes[y * b.stride + x])
                        count += 1
                    }
                }
                let first = Float(sumA) / Float(count), second = Float(sumB) / Float(count)
                if abs(second - gain * first - offset) > abs(second - first) + P.harm { harmed += 1 }
            }
        }
        return Float(harmed) / Float(columns * rows)
    }

    /// Quantiles of luma in 8-bit levels. The samples of a level are taken as evenly spread over the unit around it.
    private static func quantiles(_ plane: PaddedPlane) -> [Float] {
        var histogram = [Int](repeating: 0, count: 256)
        for y in 0..<plane.height {
            let row = plane.bytes + y * plane.stride
            for x in 0..<plane.width { histogram[Int(row[x])] += 1 }
        }
        var level = 0, below = 0
        return BrightnessParameters.percentiles.map { percent in
            let rank = Float(plane.width * plane.height * percent) / 100
            while Float(below + histogram[level]) < rank {
                below += histogram[level]
                level += 1
            }
            return Float(level) - 0.5 + (rank - Float(below)) / Float(histogram[level])
        }
    }

    /// Returns the value that each luma value of the first frame has at a phase, 0…1, between the two.
    package func fromFirst(to phase: Float, bitDepth: Int) -> [UInt16] {
        table(bitDepth, share: phase, gain: gain, offset: offset)
    }

    /// Returns the value that each luma value of the second frame has at a phase, 0…1, between the two.
    package func fromSecond(to phase: Float, bitDepth: Int) -> [UInt16] {
        table(bitDepth, share: 1 - phase, gain: 1 / gain, offset: -offset / gain)
    }

    private func table(_ bitDepth: Int, share: Float, gain: Float, offset: Float) -> [UInt16] {
        let most = (1 << bitDepth) - 1, scaled = offset * Float(1 << (bitDepth - 8))
        return (0...most).map { value in
            let v = Float(value), changed = v + share * (gain * v + scaled - v)
            return UInt16(min(max(changed.rounded(), 0), Float(most)))
        }
    }

    /// As ``fromFirst(to:bitDepth:)``, for chroma: differences from grey grow with the contrast of luma.
    package func chromaFromFirst(to phase: Float, bitDepth: Int) -> [UInt16] {
        chromaTable(bitDepth, share: phase, gain: gain)
    }

    /// As ``fromSecond(to:bitDepth:)``, for chroma.
    package func chromaFromSecond(to phase: Float, bitDepth: Int) -> [UInt16] {
        chromaTable(bitDepth, share: 1 - phase, gain: 1 / gain)
    }

    private func chromaTable(_ bitDepth: Int, share: Float, gain: Float) -> [UInt16] {
        let most = (1 << bitDepth) - 1, grey = Float(1 << (bitDepth - 1)), scale = 1 + share * (gain - 1)
        return (0...most).map { value in
            UInt16(min(max((grey + (Float(value) - grey) * scale).rounded(), 0), Float(most)))
        }
    }

    /// Returns the pyramid of the second frame with the brightness of the first, so that blocks of both can be compared.
    /// - Throws: `FrameError` if memory cannot be allocated.
    package func undone(in second: LumaPyramid, context: ExecutionContext) throws(FrameError) -> LumaPyramid {
        try second.mapped(by: fromSecond(to: 0, bitDepth: 8), context: context)
    }
}
