import FrameCore
import Motion

/// Keeps what is too strong to be noise: drops of rain, sparks, snow, which are seen in one frame only.
///
/// Where the neighbours lack such a thing, its spectrum is spread over all frequencies, in space and over time, and most
/// of it is below the threshold. But in the samples it is strong. So a sample that has lost far more than those around
/// it, and more than noise would explain, gets it back, together with its neighbours that have lost in the same
/// direction. Noise that encoders have made smooth consists of peaks as well, so the smoother it is, the more it takes.
/// The numbers were chosen by hand in November 2026 on rain with noise and on noise alone, coded and not.
struct IsolatedDetail: Sendable {
    /// The side of the tiles in which the usual loss is measured, in samples.
    private static let tile = 32
    /// The quantile of the magnitudes that tells the usual loss, and that of Gaussian noise in standard deviations.
    private static let quantile: (fraction: Float, deviations: Float) = (0.9, 1.645)
    /// The least standard deviation of a loss, relative to that of the noise that is removed.
    private static let least: Float = 0.7
    /// A sample starts to get back what it has lost if its loss or that of one next to it exceeds `seed` standard
    /// deviations, `smooth` more in smooth noise. It gets all of it at `full` times as much, if its own loss is as much as
    /// `own`.
    private static let strength: (seed: Float, smooth: Float, full: Float, own: Ramp) = (4.4, 6, 1.18, (1.5, 2.5))
    /// The smoothness of noise that makes a difference.
    private static let smoothness: Ramp = (0.4, 0.6)

    private typealias Ramp = (first: Float, full: Float)

    let source: PaddedPlane
    private let seed: Ramp
    /// Returns the standard deviation of the noise that is removed at a sample, in code values.
    let sigma: @Sendable (_ x: Int, _ y: Int) -> Float

    /// - Parameters:
    ///   - source: the plane with noise.
    ///   - smoothness: how much of the high frequencies the noise lacks, 0…1.
    ///   - sigma: returns the standard deviation of the noise that is removed at a sample, in code values.
    init(source: PaddedPlane, smoothness: Float, sigma: @escaping @Sendable (_ x: Int, _ y: Int) -> Float) {
        self.source = source
        self.sigma = sigma
        let first = Self.strength.seed + Self.strength.smooth * Self.ramp(smoothness, Self.smoothness)
        seed = (first, first * Self.strength.full)
    }

    /// - Parameters:
    ///   - filtered: the plane without noise.
    ///   - losses: room for as many values as the plane has samples.
    ///   - context: the threads and kernels to use.
    func restore(in filtered: MutablePlane, losses: UnsafeMutablePointer<Float>, context: ExecutionContext) {
        restore(source.sampleType, in: filtered, losses, context)
    }

    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    private func restore<Sample: PixelSample>(
        _: Sample.Type, in filtered: MutablePlane, _ losses: UnsafeMutablePointer<Float>, _ context: ExecutionContext
    ) {
        nonisolated(unsafe) let filtered = filtered, losses = losses
        parallelBands(source.height, height: Self.tile, threads: context.threads) { rows in
            for x in stride(from: 0, to: source.width, by: Self.tile) {
                measure(Sample.self, x..<min(x + Self.tile, source.width), rows, filtered, losses)
            }
        }
        parallelBands(source.height, height: Self.tile, threads: context.threads) { rows in
            for y in rows { restore(Sample.self, y, in: filtered, losses) }
        }
    }

    /// Writes what the samples of a tile have lost, in standard deviations.
    private func measure<Sample: PixelSample>(
        _: Sample.Type, _ columns: Range<Int>, _ rows: Range<Int>, _ filtered: MutablePlane,
        _ losses: UnsafeMutablePointer<Float>
    ) {
        // The magnitudes of deeper samples are counted in coarser steps, which are at most a 32nd of the noise.
        let middle = sigma(columns.lowerBound + columns.count / 2, rows.lowerBound + rows.count / 2)
        var shift = 0
        while middle > Float(64 << shift) { shift += 1 }
        let histogram = Scratch<Int32>(256, filledWith: 0)
        for y in rows {
            let before = source.row(y).assumingMemoryBound(to: Sample.self)
            let after = filtered.row(y).assumingMemoryBound(to: Sample.self)
            for x in columns {
                histogram[min(Int((Int32(before[x]) &- Int32(after[x])).magnitude) >> shift, 255)] &+= 1
            }
        }
        let deviation = Self.usual(histogram) * Float(1 << shift)
        let unit = 1 / (max(deviation, Self.least * middle) + 1e-6)
        for y in rows {
            let before = source.row(y).assumingMemoryBound(to: Sample.self)
            let after = filtered.row(y).assumingMemoryBound(to: Sample.self)
            let losses = losses + y * source.width
            for x in columns { losses[x] = Float(Int32(before[x]) &- Int32(after[x])) * unit }
        }
    }

    /// The standard deviation that magnitudes suggest, which are counted in steps of 1; those of 0 are in half a step.
    private static func usual(_ histogram: borrowing Scratch<Int32>) -> Float {
        var total: Int32 = 0
        for value in 0..<histogram.count { total += histogram[value] }
        let wanted = quantile.fraction * Float(total)
        var below: Float = 0
        for value in 0..<histogram.count {
            let count = histogram[value]
            if count == 0 { continue }
            if below + Float(count) >= wanted {
                let part = (wanted - below) / Float(count)
                return (value == 0 ? part / 2 : Float(value) - 0.5 + part) / quantile.deviations
            }
            below += Float(count)
        }
        return 0
    }

    private func restore<Sample: PixelSample>(
        _: Sample.Type, _ y: Int, in filtered: MutablePlane, _ losses: UnsafeMutablePointer<Float>
    ) {
        let width = source.width, mine = losses + y * width
        let before = source.row(y).assumingMemoryBound(to: Sample.self)
        let after = filtered.row(y).assumingMemoryBound(to: Sample.self)
        for x in 0..<width where mine[x].magnitude > Self.strength.own.first {
            let sign: Float = mine[x] < 0 ? -1 : 1
            var most: Float = 0
            for near in max(y - 1, 0)...min(y + 1, source.height - 1) {
                for at in max(x - 1, 0)...min(x + 1, width - 1) { most = max(most, sign * losses[near * width + at]) }
            }
            guard most > seed.first else { continue }
            let part = Self.ramp(most, seed) * Self.ramp(sign * mine[x], Self.strength.own)
            let from = Float(after[x]), kept = from + part * (Float(before[x]) - from)
            after[x] = Sample(kept.rounded())
        }
    }

    private static func ramp(_ value: Float, _ ramp: Ramp) -> Float {
        min(max((value - ramp.first) / (ramp.full - ramp.first), 0), 1)
    }
}
