package import FrameCore

/// How a still image lost its detail, as far as that is known; it chooses the weights of the network for still images.
package struct DegradationCondition: Sendable, Hashable {
    /// How the picture was reduced, in 1/16: from 0, the mean of areas, to 16, a cubic kernel (a = −0.5).
    package let kernel: Int
    /// What was done besides, in 1/256: from −256, blurred, to 256, sharpened.
    package let sharpness: Int
    /// How strongly the picture was compressed, in 1/512: from 0, not at all, to 512.
    package let coding: Int

    package init(kernel: Int, sharpness: Int = 0, coding: Int = 0) {
        self.kernel = min(max(kernel, 0), 16)
        self.sharpness = min(max(sharpness, -256), 256)
        self.coding = min(max(coding, 0), 512)
    }

    /// The condition of a picture about which nothing is known.
    package static let unknown = DegradationCondition(kernel: 8)

    /// The condition of a picture as far as its luma shows it; what is not shown is taken for unknown.
    ///
    /// - Parameters:
    ///   - luma: the picture.
    ///   - bitDepth: significant bits, 8…16.
    ///   - coding: how strongly it was compressed.
    package init(of luma: Plane, bitDepth: Int, coding: Int) {
        let certainty = DegradationEstimator.certainty(of: luma, bitDepth: bitDepth)
        self.init(kernel: certainty.map(DegradationEstimator.kernel) ?? Self.unknown.kernel, coding: coding)
    }

    /// The weights of the planes of weights, in 1/256.
    var planeWeights: [Int] {
        // One plane has its full weight at medium compression, and another at the strongest.
        let medium = min(coding, 512 - coding), strong = max(0, coding - 256)
        return [256, 16 * kernel, max(-sharpness, 0), max(sharpness, 0), medium, strong]
    }

    /// From this quantizer step on, compression is taken for the strongest.
    private static let strongest = 40.0

    /// The part of a step that counts where the codec filters block edges; this did best on Set14 as WebP.
    private static let filtered = 0.3

    /// Returns ``coding`` for the mean step with which the lowest frequencies of luma were quantized, in 8-bit code values of
    /// an orthonormal transform. Steps up to 1 do not show.
    ///
    /// - Parameter isLoopFiltered: whether the codec filters block edges.
    package static func coding(ofStep step: Double, isLoopFiltered: Bool = false) -> Int {
        let step = isLoopFiltered ? filtered * step : step
        guard step > 1 else { return 0 }
        let strength = binaryLogarithm(min(step, strongest)) / binaryLogarithm(strongest)
        return Int((512 * strength).rounded())
    }

    /// Returns the step to rely on: the one that a file states, or the one that its picture shows.
    ///
    /// What is shown is less exact, but what was compressed more than once may show a coarser step.
    package static func step(stated: Double?, shown: Double?) -> Double? {
        if let stated, (shown ?? 0) <= 3 * max(1, stated) { return stated }
        return shown
    }
}

/// Returns the base-2 logarithm of a positive number, from the basic operations only, so that it is the same on every
/// machine.
func binaryLogarithm(_ value: Double) -> Double {
    var (exponent, significand) = (Double(value.exponent), value.significand)
    // Between √½ and √2, ten terms of the series of the inverse hyperbolic tangent are exact to the last bits.
    if significand > 1.414_213_562_373_095 { (exponent, significand) = (exponent + 1, significand / 2) }
    let t = (significand - 1) / (significand + 1), square = t * t
    var sum = 0.0
    for k in stride(from: 19.0, through: 1, by: -2) { sum = sum * square + 1 / k }
    return exponent + 2.885_390_081_777_926_8 * t * sum
}
