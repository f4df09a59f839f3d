package import FrameCore

/// How much noise there is.
package enum NoiseLevel: Sendable, Hashable {
    /// Found in the pictures.
    case automatic
    /// 0 (leaves all as it is) … 1.
    case strength(Float)
    /// Standard deviation in 8-bit code values, 0…255.
    case sigma(Float)
}

/// Takes noise out of a frame with the help of those round it. This one hands the frame back as it is.
package final class NoiseFilterEngine {
    /// Noise found so far, in 8-bit code values.
    package private(set) var estimatedSigma = 0.0

    package init(format: PixelFormat, width: Int, height: Int, quality: QualityPrioritization, threads: Int)
        throws(FrameError)
    {}

    /// References on each side at most.
    package static func maximumReferences(_ quality: QualityPrioritization) -> Int { quality == .quality ? 8 : 3 }

    /// - Parameters:
    ///   - previous: frames before `current` in presentation order.
    ///   - next: frames after it in presentation order.
    package func filter(
        _ current: PixelBuffer, previous: [PixelBuffer], next: [PixelBuffer], noise: NoiseLevel
    ) throws(FrameError) -> PixelBuffer {
        current
    }
}
