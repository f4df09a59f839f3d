/// A function by which samples are weighted, by their distance from the place that is wanted.
enum ResamplingFilter {
    /// Keys' cubic through the samples, four taps: hardly any ringing.
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

    /// - Parameters:
    ///   - source: samples there are.
    ///   - target: samples wanted.
    ///   - step: source samples from one target sample to the next.
    ///   - origin: position of the first target sample among the source's, 0 being the centre of the first.
    init(source: Int, target: Int, step: Double, origin: Double, filter: ResamplingFilter) {
        self.source = source
        self.target = target
        let stretch = max(1, step), radius = filter.support * stretch
        let count = 2 * Int(radius.rounded(.up))
        taps = (count + 7) / 8 * 8
        usedTaps = count
        let padded = (target + 7) / 8 * 8
        var starts: [Int32] = [], weights: [Int16] = []
        starts.reserveCapacity(padded)
        weights.reserveCapacity(padded * taps)
        var farthest = 0
        for index in 0..<padded {
            let place = Double(min(index, target - 1)) * step + origin
            let first = Int(place.rounded(.down)) - count / 2 + 1
            let raw = (0..<count).map { filter.weight((Double(first + $0) - place) / stretch) }
            let sum = raw.reduce(0, +)
            var whole = raw.map { Int(($0 / sum * Double(Self.one)).rounded()) }
            // What rounding leaves over goes where it matters least.
            let largest = whole.indices.max { whole[$0] < whole[$1] } ?? 0
            whole[largest] += Self.one - whole.reduce(0, +)
            starts.append(Int32(first))
            weights += whole.map { Int16(clamping: $0) } + Array(repeating: 0, count: taps - count)
            farthest = max(farthest, -first, first + taps - source)
        }
        self.starts = starts
        self.weights = weights
        reach = farthest
    }

    /// The axis of a plane of a picture that is scaled so that both sizes cover the same area.
    ///
    /// - Parameters:
    ///   - source: luma samples there are.
    ///   - target: luma samples wanted.
    ///   - shift: power of two by which the plane is smaller than luma.
    ///   - siting: where a chroma sample sits between the luma samples it stands for, −0.5 at the first to 0.5 at the
    ///     second; it sits there in the result too.
    init(luma source: Int, to target: Int, shift: Int, siting: Double, filter: ResamplingFilter) {
        let step = Double(source) / Double(target)
        let round = (1 << shift) - 1
        // A sample's centre lies (1 + siting) / 2 of its width from where its area begins.
        let centre = shift == 0 ? 0.5 : (1 + siting) / 2
        self.init(
            source: (source + round) >> shift, target: (target + round) >> shift, step: step,
            origin: centre * (step - 1), filter: filter)
    }
}
