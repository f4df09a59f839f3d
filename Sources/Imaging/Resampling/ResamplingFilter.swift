/// A function by which samples are weighted, by their distance from the place that is wanted.
package enum ResamplingFilter: Sendable {
    /// Keys' cubic through the samples (Catmull-Rom), four taps: hardly any ringing.
    case cubic
    /// The cubic spline of 36 points, six taps: as sharp as Lanczos of three lobes, and exact in binary arithmetic order.
    case spline

    /// Distance, in samples of the coarser side, from which on the weight is 0.
    var support: Double { self == .cubic ? 2 : 3 }

    func weight(_ distance: Double) -> Double {
        let x = abs(distance)
        switch self {
        case .cubic:
            if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
            if x < 2 { return ((-0.5 * x + 2.5) * x - 4) * x + 2 }
            return 0
        case .spline:
            if x < 1 { return ((13.0 / 11 * x - 453.0 / 209) * x - 3.0 / 209) * x + 1 }
            let y = x < 2 ? x - 1 : x - 2
            if x < 2 { return ((-6.0 / 11 * y + 270.0 / 209) * y - 156.0 / 209) * y }
            if x < 3 { return ((1.0 / 11 * y - 45.0 / 209) * y + 26.0 / 209) * y }
            return 0
        }
    }
}
