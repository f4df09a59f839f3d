public import FrameCore

extension FilmGrain {
    /// The allowed strengths of ``preset(strength:)``.
    public static let presetStrengthRange: ClosedRange<Float> = 0...32

    /// Returns grain that looks like that of film: slightly coarser than a sample, strongest in the middle tones, and
    /// weaker in chroma.
    ///
    /// - Parameter strength: the standard deviation in the middle tones of luma, 0…32 in 8-bit code values.
    /// - Throws: `FrameError` if the strength is not allowed.
    public static func preset(strength: Float) throws(FrameError) -> FilmGrain {
        guard presetStrengthRange.contains(strength) else {
            throw FrameError(
                .invalidArgument, "the grain strength \(strength) is not allowed; it is a number from 0 to 32")
        }
        // Of a lag of 1: above left, above, above right, left; chosen by eye.
        let coefficients = [-6, 26, -6, 26]
        // The filtered pattern has a standard deviation of 34 at 8 bits.
        let full = Double(strength) * 7.5
        func points(_ part: Double) -> [ScalingPoint] {
            [(0, 0.4), (48, 0.85), (112, 1.0), (176, 0.8), (255, 0.35)].map { value, factor in
                ScalingPoint(value: value, scaling: Int((full * part * factor).rounded()))
            }
        }
        let chroma = Chroma(points: points(0.5), coefficients: coefficients + [0])
        return FilmGrain(
            seed: 7391, lumaPoints: points(1), lumaCoefficients: coefficients, chroma: [chroma, chroma], lag: 1,
            coefficientShift: 7, grainScaleShift: 0, scalingShift: 8)
    }
}
