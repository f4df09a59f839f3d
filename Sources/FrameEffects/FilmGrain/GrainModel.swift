package import FrameCore

/// Turns statistics of removed noise into film grain.
///
/// The auto-regressive filters follow from the covariances by the Yule–Walker equations. The scaling functions are set
/// by making the pattern that a decoder makes from the rounded filter, and choosing the factors that give it, rounded to
/// code values, the measured variance.
package struct GrainModel {
    /// The least standard deviation that counts as grain, in 8-bit code values.
    private static let leastDeviation = 0.25
    /// The standard deviation of a decoder's Gaussian noise at 8 bits, before any division.
    private static let gaussianDeviation = 32.0
    /// The largest standard deviation of the filtered pattern at 8 bits; it is clipped at 128.
    private static let mostPatternDeviation = 30.0

    private let statistics: GrainStatistics
    private let format: PixelFormat
    private let amount: Double

    /// - Parameters:
    ///   - statistics: the sums over a scene.
    ///   - format: the format of its frames.
    ///   - amount: the factor by which the standard deviation is multiplied.
    package init(_ statistics: GrainStatistics, format: PixelFormat, amount: Double = 1) {
        self.statistics = statistics
        self.format = format
        self.amount = amount
    }

    /// Returns the grain; nil if there is none.
    ///
    /// - Parameter seed: the seed of the first frame.
    package func grain(seed: UInt16) -> FilmGrain? {
        guard let luma = statistics.planes.first,
            luma.blocks > 0 || statistics.planes.contains(where: { $0.blocks > 0 })
        else { return nil }
        let isGrey = statistics.planes.count == 1
        let lumaFilter = GrainFilter(luma, lumaGain: nil)
        let filters = [lumaFilter] + statistics.planes.dropFirst().map { GrainFilter($0, lumaGain: lumaFilter.gain) }
        let curves = statistics.planes.enumerated().map { plane, sums in
            GrainCurve(
                sums, pointCount: plane == 0 ? FilmGrain.maximumLumaPoints : FilmGrain.maximumChromaPoints,
                amount: amount)
        }
        guard curves.contains(where: isGrain) else { return nil }
        var grain = FilmGrain(
            seed: seed, lumaPoints: [], lumaCoefficients: [],
            chroma: .init(repeating: .init(coefficients: GrainFilter.none(isChroma: true)), count: 2))
        // Points mark which planes have a pattern; their factors follow below.
        func marks(_ curve: GrainCurve) -> [FilmGrain.ScalingPoint] {
            isGrain(curve) ? curve.points.map { .init(value: $0.value, scaling: 1) } : []
        }
        grain.lumaPoints = marks(curves[0])
        if !isGrey { for plane in 0..<2 { grain.chroma[plane].points = marks(curves[plane + 1]) } }
        grain = grain.conforming(to: format.subsampling)
        quantise(filters, into: &grain)
        scale(&grain, curves)
        return grain.isNothing ? nil : grain
    }

    private func isGrain(_ curve: GrainCurve) -> Bool { curve.most >= Self.leastDeviation * Self.leastDeviation }

    /// The square of the number of code values per 8-bit code value.
    private var unit: Double { Double(1 << (2 * (depth - 8))) }
    private var depth: Int { min(format.bitDepth, 12) }

    /// Rounds the filters' coefficients, and damps filters that would ring.
    private func quantise(_ filters: [GrainFilter], into grain: inout FilmGrain) {
        var filters = filters
        let most = filters.flatMap(\.coefficients).map(abs).max() ?? 0
        grain.coefficientShift = (6...8).last { most * Double(1 << $0) <= 120 } ?? 6
        for plane in filters.indices { filters[plane].round(shift: grain.coefficientShift) }
        let gain = filters.map(\.gain).max() ?? 1
        grain.grainScaleShift =
            (0...3).first { Self.gaussianDeviation * gain / Double(1 << $0) <= Self.mostPatternDeviation } ?? 3
        for _ in 0..<Self.dampings {
            grain.lumaCoefficients = filters[0].numbers
            for plane in filters.indices.dropFirst() { grain.chroma[plane - 1].coefficients = filters[plane].numbers }
            if patterns(of: grain).allSatisfy(\.isStable) { return }
            for plane in filters.indices { filters[plane].damp() }
        }
    }

    /// The number of attempts at a filter that does not ring; with so much damping, hardly a filter is left.
    private static let dampings = 64

    private func patterns(of grain: FilmGrain) -> [GrainPattern] {
        GrainPattern.patterns(of: grain, format: format, depth: depth)
    }

    /// Sets the factors of the scaling functions.
    private func scale(_ grain: inout FilmGrain, _ curves: [GrainCurve]) {
        let patterns = patterns(of: grain)
        var ratio = 0.0
        for (pattern, curve) in zip(patterns, curves) where pattern.variance > 0 {
            ratio = max(ratio, (curve.most * unit / pattern.variance).squareRoot())
        }
        grain.scalingShift = (8...11).last { ratio * Double(1 << $0) <= 255 } ?? 8
        for (plane, (pattern, curve)) in zip(patterns, curves).enumerated() {
            guard isGrain(curve) else { continue }
            let variances = pattern.roundedVariances(shift: grain.scalingShift)
            let points = curve.points.map { point in
                FilmGrain.ScalingPoint(
                    value: point.value, scaling: Self.nearest(to: point.variance * unit, in: variances))
            }
            if plane == 0 { grain.lumaPoints = points } else { grain.chroma[plane - 1].points = points }
        }
    }

    private static func nearest(to variance: Double, in variances: [Double]) -> Int {
        variances.indices.min { abs(variances[$0] - variance) < abs(variances[$1] - variance) } ?? 0
    }
}
