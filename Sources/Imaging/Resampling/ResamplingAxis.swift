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

/// How each sample along one axis is made of those of another size: where they begin, and their weights.
struct ResamplingAxis: Sendable {
    /// Weights of one sample add to this.
    static let one = 16384

    let source: Int
    let target: Int
    /// Weights per sample: a multiple of 8.
    let taps: Int
    /// How many of ``taps``, from the first on, may differ from 0; even.
    let usedTaps: Int
    /// Position of the first sample that counts, which may lie outside; as many as ``target`` rounded up to a multiple of 8.
    let starts: [Int32]
    /// ``taps`` for each of ``starts``.
    let weights: [Int16]
    /// The farthest that a sample outside is asked for, on either side.
    let reach: Int
    /// Whether each sample is the source's at the same position.
    let isIdentity: Bool

    /// - Parameters:
    ///   - source: samples there are.
    ///   - target: samples wanted.
    ///   - step: source samples from one target sample to the next.
    ///   - origin: position of the first target sample among the source's, 0 being the centre of the first.
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
            // What rounding leaves over goes where it matters least.
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
    /// Where the samples of a plane lie along an axis of the picture.
    struct SampleGrid {
        /// Power of two by which the plane is smaller than luma.
        var shift = 0
        /// Where a chroma sample sits between the luma samples it stands for; see `ChromaLocation.siting`.
        var siting = 0.0

        /// Where a sample's centre lies from where its area begins, in samples.
        var centre: Double { shift == 0 ? 0.5 : (1 + siting) / 2 }

        /// Samples of the plane; odd sizes round up.
        func count(luma: Int) -> Int { (luma + (1 << shift) - 1) >> shift }
    }

    /// The axis of a plane of a picture that is scaled so that the part of the source covers all of the target.
    ///
    /// - Parameters:
    ///   - luma: luma samples there are.
    ///   - from: where the plane's samples lie in the source.
    ///   - part: the luma samples that are shown; nil shows all.
    ///   - target: luma samples wanted.
    ///   - to: where the plane's samples shall lie in the result.
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
