public import FrameCore
public import FrameEffects

/// One effect of a recipe, by its settings alone.
public enum EffectStep: Sendable, Hashable {
    /// Takes noise out with the help of neighbouring frames.
    case denoise(NoiseLevel)
    /// Makes pictures larger.
    case upscale(UpscaleTarget)
    /// Slows down: new frames at these shares of the way from each frame to the next.
    case slomo(phases: [Rational])
    /// Converts to another frame rate, in frames per second, at the same speed.
    case rate(Rational)
    /// Blurs what moves; the strength is the length of the exposure in units of 3.6 degrees, 1 to 100.
    case blur(strength: Int, isLinearLight: Bool)

    /// The effect.
    ///
    /// - Throws: `FrameError` for settings that are not allowed.
    public func effect(_ options: ConversionOptions) throws -> any ClipEffect {
        switch self {
        case .denoise(let noise): try TemporalNoiseFilterPass(noise: noise, options: options)
        case .upscale(let target): SuperResolutionScalerPass(target: target, options: options)
        case .slomo(let phases): FrameRateConversionPass(plan: try SlowMotionPlan(phases: phases), options: options)
        case .rate(let rate): FrameRateConversionPass(plan: try RateConversionPlan(rate: rate), options: options)
        case .blur(let strength, let isLinearLight):
            try MotionBlurPass(strength: strength, isLinearLight: isLinearLight, options: options)
        }
    }

    /// How many times longer the clip becomes.
    public var stretch: Int {
        if case .slomo(let phases) = self { phases.count + 1 } else { 1 }
    }
}
