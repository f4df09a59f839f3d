package import FrameCore

/// How much noise is to be taken out.
public enum NoiseLevel: Sendable, Hashable {
    /// As much as is found.
    case automatic
    /// 0…1: noise with a standard deviation of ``strongest`` times this, in 8-bit code values; 0 leaves all as it is.
    case strength(Float)
    /// Noise with this standard deviation, 0…255 8-bit code values.
    case sigma(Float)

    /// Strengths that are allowed.
    public static let strengthRange: ClosedRange<Float> = 0...1
    /// Standard deviations that are allowed, in 8-bit code values.
    public static let sigmaRange: ClosedRange<Float> = 0...255
    /// The standard deviation that strength 1 stands for, in 8-bit code values.
    public static let strongest: Float = 25

    /// The standard deviation in 8-bit code values; nil when it is to be found.
    var fixedSigma: Float? {
        switch self {
        case .automatic: nil
        case .strength(let strength): strength * Self.strongest
        case .sigma(let sigma): sigma
        }
    }

    /// - Throws: `FrameError` with `invalidArgument` for a number out of range.
    package func check() throws(FrameError) {
        switch self {
        case .strength(let strength) where !Self.strengthRange.contains(strength):
            throw FrameError(.invalidArgument, "strength \(strength) is not allowed; it is a number from 0 to 1")
        case .sigma(let sigma) where !Self.sigmaRange.contains(sigma):
            throw FrameError(.invalidArgument, "sigma \(sigma) is not allowed; it is a number from 0 to 255")
        case .automatic, .strength, .sigma: break
        }
    }
}
