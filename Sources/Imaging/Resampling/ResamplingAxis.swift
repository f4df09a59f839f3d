/// A resampling kernel: the weight of a sample as a function of its distance from the output position.
package enum ResamplingFilter: Sendable {
    /// Keys' interpolating cubic (Catmull-Rom), four taps: hardly any ringing.
    case cubic
    /// Spline36, six taps: as sharp as three-lobe Lanczos, but a rational polynomial, so its weights are the same on
    /// every machine.
    case spline

    /// The distance at which the weight becomes 0, in samples of the coarser grid.
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

/// The filter taps of each target sample along one axis: first source position and weights.
struct ResamplingAxis: Sendable {
    /// The sum of the weights of one target sample.
    static let one = 16384

    let source: Int
    let target: Int
    /// The number of weights stored per target sample: a multiple of 8.
    let taps: Int
    /// The number of leading ``taps`` that may be nonzero; even.
    let usedTaps: Int
    /// The source position of each target sample's first tap, possibly outside the source. The count is ``target``
    /// rounded up to a multiple of 8.
    let starts: [Int32]
    /// The weights: ``taps`` for each of ``starts``.
    let weights: [Int16]
    /// The maximum distance outside the source at which a tap reads, on either side, in samples.
    let reach: Int
    /// Whether each target sample equals the source sample at the same position.
    let isIdentity: Bool

    /// - Parameters:
    ///   - source: the number of source samples.
    ///   - target: the number of target samples.
    ///   - step: the distance between target samples, in source samples.
    ///   - origin: the position of the first target sample; 0 is the centre of the first source sample.
    init(source: Int, target: Int, step: Double, origin: Double, filter: ResamplingFilter) {
        self.source = source
        self.target = target
        isIdentity = source == target && step == 1 && origin == 0
        let stretch = max(1, step), radius = filter.support * stretch
        let count = 2 * Int(radius.rounded(.up))
        taps = (count + 7) / 8 * 8
        usedTaps = count
        let padded = (target + 7) / 8 * 8
        var starts: [Int32] = [], weights = [Int16](repeating: 0, count: padded * taps)
        starts.reserveCapacity(padded)
        var raw = [Double](repeating: 0, count: count), whole = [Int](repeating: 0, count: count)
        var farthest = 0
        for index in 0..<padded {
            let place = Double(min(index, target - 1)) * step + origin
            let first = Int(place.rounded(.down)) - count / 2 + 1
            for tap in 0..<count { raw[tap] = filter.weight((Double(first + tap) - place) / stretch) }
            let sum = raw.reduce(0, +)
            for tap in 0..<count { whole[tap] = Int((raw[tap] / sum * Double(Self.one)).rounded()) }
            // The largest weight absorbs the rounding error, because it changes least in proportion.
            let largest = whole.indices.max { whole[$0] < whole[$1] } ?? 0
            whole[largest] += Self.one - whole.reduce(0, +)
            starts.append(Int32(first))
            for tap in 0..<count { weights[index * taps + tap] = Int16(clamping: whole[tap]) }
            farthest = max(farthest, -first, first + taps - source)
        }
        self.starts = starts
        self.weights = weights
        reach = farthest
    }
}

extension ResamplingAxis {
    /// The positions of a plane's samples along one axis of the image.
    struct SampleGrid {
        /// Base-2 logarithm of the luma-to-plane size ratio.
        var shift = 0
        /// The position of a chroma sample among the luma samples it covers; see `ChromaLocation.siting`.
        var siting = 0.0

        /// The position of a sample's centre relative to the start of its area, in samples of the plane.
        var centre: Double { shift == 0 ? 0.5 : (1 + siting) / 2 }

        /// Returns the number of samples in the plane; odd sizes round up.
        func count(luma: Int) -> Int { (luma + (1 << shift) - 1) >> shift }
    }

    /// Creates the axis of a plane so that the given part of the source fills the whole target.
    ///
    /// - Parameters:
    ///   - luma: the number of luma samples in the source.
    ///   - from: the sample positions of the plane in the source.
    ///   - part: the range of source luma samples to use; nil for all of them.
    ///   - target: the number of luma samples in the result.
    ///   - to: the sample positions of the plane in the result.
    init(
        luma: Int, _ from: SampleGrid, part: (start: Double, length: Double)? = nil, to target: Int, _ to: SampleGrid,
        filter: ResamplingFilter
    ) {
        let part = part ?? (0, Double(luma))
        let scale = Double(1 << from.shift)
        let step = part.length / Double(target) * Double(1 << to.shift) / scale
        self.init(
            source: from.count(luma: luma), target: to.count(luma: target), step: step,
            origin: part.start / scale + to.centre * (step - 1) + (to.centre - from.centre), filter: filter)
    }
}
