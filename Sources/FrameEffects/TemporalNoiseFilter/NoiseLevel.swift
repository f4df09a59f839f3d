/// How much noise is to be taken out.
package enum NoiseLevel: Sendable, Hashable {
    /// As much as is found.
    case automatic
    /// 0…1: that of noise with a standard deviation of ``strongest`` times this, in 8-bit code values.
    case strength(Float)
    /// That of noise with this standard deviation, in 8-bit code values.
    case sigma(Float)

    /// Standard deviation that strength 1 stands for.
    package static let strongest: Float = 25

    /// The standard deviation in 8-bit code values; nil when it is to be found.
    var fixedSigma: Float? {
        switch self {
        case .automatic: nil
        case .strength(let strength): strength * Self.strongest
        case .sigma(let sigma): sigma
        }
    }
}
