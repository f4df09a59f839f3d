package import FrameCore

/// The random numbers of film grain: a linear-feedback shift register of 16 bits (AV1 specification, 7.18.3.2).
struct GrainRandom {
    private var register: UInt16

    init(seed: UInt16) { register = seed }

    /// Returns the next number of `bits` bits.
    mutating func next(_ bits: Int) -> Int {
        let bit = (register ^ (register >> 1) ^ (register >> 3) ^ (register >> 12)) & 1
        register = (register >> 1) | (bit << 15)
        return Int(register >> (16 - bits))
    }
}

/// A pattern of grain from which the blocks of one plane are taken (AV1 specification, 7.18.3.3).
package struct GrainTemplate: Sendable {
    /// Samples at the left, right and upper edges that have not passed through the auto-regressive filter.
    static let border = 3
    private static let lumaWidth = 82
    private static let lumaHeight = 73

    package let width: Int
    package let height: Int
    /// The samples row by row, in code values of the bit depth.
    package private(set) var values: [Int32]

    /// Makes luma's template.
    ///
    /// - Parameter bitDepth: 8…12.
    package init(lumaOf grain: FilmGrain, bitDepth: Int) {
        self.init(
            width: Self.lumaWidth, height: Self.lumaHeight, seed: grain.seed, isZero: grain.lumaPoints.isEmpty,
            shift: 12 - bitDepth + grain.grainScaleShift)
        filter(grain.lumaCoefficients, grain, bitDepth, luma: nil)
    }

    /// Makes the template of a chroma plane, 0 for Cb or 1 for Cr.
    package init(
        chroma plane: Int, of grain: FilmGrain, luma: GrainTemplate, subsampling: ChromaSubsampling, bitDepth: Int
    ) {
        let chroma = grain.chroma[plane]
        let (shiftX, shiftY) = (subsampling.horizontalShift, subsampling.verticalShift)
        self.init(
            width: shiftX == 1 ? 44 : Self.lumaWidth, height: shiftY == 1 ? 38 : Self.lumaHeight,
            seed: grain.seed ^ (plane == 0 ? 0xB524 : 0x49D8),
            isZero: chroma.points.isEmpty && !grain.isChromaScaledFromLuma, shift: 12 - bitDepth + grain.grainScaleShift
        )
        filter(
            chroma.coefficients, grain, bitDepth,
            luma: grain.lumaPoints.isEmpty ? nil : (template: luma, shiftX: shiftX, shiftY: shiftY))
    }

    private init(width: Int, height: Int, seed: UInt16, isZero: Bool, shift: Int) {
        self.width = width
        self.height = height
        guard !isZero else {
            values = [Int32](repeating: 0, count: width * height)
            return
        }
        var random = GrainRandom(seed: seed)
        values = (0..<width * height).map { _ in Int32(round2(Int(gaussianSequence[random.next(11)]), shift)) }
    }

    private mutating func filter(
        _ coefficients: [Int], _ grain: FilmGrain, _ bitDepth: Int,
        luma: (template: GrainTemplate, shiftX: Int, shiftY: Int)?
    ) {
        let lag = grain.lag, half = 128 << (bitDepth - 8)
        var taps: [(offset: Int, weight: Int)] = []
        for dy in -lag...0 {
            for dx in -lag...lag where dy < 0 || dx < 0 { taps.append((dy * width + dx, coefficients[taps.count])) }
        }
        for y in Self.border..<height {
            for x in Self.border..<width - Self.border {
                let at = y * width + x
                var sum = 0
                for tap in taps { sum += tap.weight * Int(values[at + tap.offset]) }
                if let luma, let weight = coefficients.last {
                    sum += weight * luma.template.mean(x, y, luma.shiftX, luma.shiftY)
                }
                let value = Int(values[at]) + round2(sum, grain.coefficientShift)
                values[at] = Int32(max(-half, min(value, half - 1)))
            }
        }
    }

    /// Returns the mean of the luma samples at a chroma sample.
    private func mean(_ x: Int, _ y: Int, _ shiftX: Int, _ shiftY: Int) -> Int {
        let left = (x - Self.border) << shiftX + Self.border, top = (y - Self.border) << shiftY + Self.border
        var sum = 0
        for j in 0...shiftY {
            for i in 0...shiftX { sum += Int(values[(top + j) * width + left + i]) }
        }
        return round2(sum, shiftX + shiftY)
    }
}

/// Returns `value` divided by 2 to the power of `bits`, rounded to nearest with halves upwards.
@inline(__always)
func round2(_ value: Int, _ bits: Int) -> Int { (value + (1 << bits) >> 1) >> bits }
