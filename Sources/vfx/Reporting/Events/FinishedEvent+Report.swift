internal import CommandLineCore
internal import FrameEffects
internal import Jobs
internal import Pipeline

extension FinishedEvent {
    /// - Parameter bound: the frames in memory of a chain, whose effects are then reported individually.
    init(_ report: ConversionReport, bound: MemoryBound?) {
        let code: JobExitCode = report.damage.isEmpty ? .success : .doneWithDamage
        self.init(
            framesRead: report.framesRead, framesWritten: report.framesWritten,
            sourceFramesShown: report.sourceFramesShown, heldAtCut: report.heldAtCut,
            blendedOverCut: report.blendedOverCut, longHolds: report.longHolds, repeatsLeftOut: report.repeatsLeftOut,
            seconds: report.seconds,
            fps: report.framesPerSecond, peakMemoryKib: ProcessMemory.peakKiB, cuts: report.cuts.count,
            duplicates: report.duplicates, fallbacks: Fallbacks(report.interpolationModes),
            latency: report.latency.map(Latency.init),
            // In a chain each effect states its own findings, because the same name may occur twice.
            findings: NamedValues(bound == nil ? report.measurements : []),
            effects: bound.map { _ in report.effects.map(Effect.init) },
            framesAlive: bound.map { FramesAlive.list($0, peaks: report.framePeaks) }, exitCode: code.rawValue)
    }
}

extension FinishedEvent.Fallbacks {
    init(_ counts: InterpolationModeCounts) {
        self.init(
            bothSides: counts.bothSides, oneSide: counts.oneSide, blended: counts.blended, repeated: counts.repeated)
    }
}

extension FinishedEvent.Latency {
    init(_ latency: FrameLatency) {
        self.init(total: FinishedEvent.Spread(latency.total), work: FinishedEvent.Spread(latency.work))
    }
}

extension FinishedEvent.Spread {
    init(_ spread: FrameLatency.Spread) {
        self.init(p50: 1000 * spread.median, p95: 1000 * spread.p95, max: 1000 * spread.maximum)
    }
}

extension FinishedEvent.Effect {
    init(_ effect: EffectReport) {
        self.init(
            effect: effect.name, framesIn: effect.framesIn, framesOut: effect.framesOut,
            latency: FinishedEvent.Latency(effect.latency), findings: NamedValues(effect.measurements))
    }
}

extension FinishedEvent.FramesAlive {
    static func list(_ bound: MemoryBound, peaks: [Int]) -> [Self] {
        bound.parts.enumerated().map { index, part in
            Self(
                of: part.name, bound: part.frames, peak: index < peaks.count ? peaks[index] : nil,
                bytesPerFrame: part.bytesPerFrame)
        }
    }
}

extension NamedValues<Double> {
    init(_ measurements: [EffectMeasurement]) {
        self.init(measurements.map { (name: $0.name.replacing(" ", with: "_"), value: $0.value) })
    }
}
