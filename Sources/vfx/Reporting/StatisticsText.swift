internal import Foundation
internal import Pipeline

/// The lines of `--stats`, each `name: value`.
enum StatisticsText {
    /// The maximum number of cuts listed individually.
    private static let shownCuts = 50

    static func lines(_ report: ConversionReport, peakMemoryKiB: Int?) -> [String] {
        commonLines(report, peakMemoryKiB)
            + (report.latency.map { effectLines($0, report.measurements) } ?? interpolationLines(report))
    }

    private static func commonLines(_ report: ConversionReport, _ peakMemoryKiB: Int?) -> [String] {
        let times = report.cuts.prefix(shownCuts).map { "\($0.time)" }.joined(separator: " ")
        let memory = peakMemoryKiB.map { String(format: "%.1f MiB", Double($0) / 1024) } ?? "unknown"
        let rest = report.cuts.count - shownCuts
        let shown = (times.isEmpty ? "" : " at \(times) s") + (rest > 0 ? " and \(rest) more" : "")
        return [
            "frames in: \(report.framesRead)",
            "frames out: \(report.framesWritten)",
            "source frames shown: \(report.sourceFramesShown)",
            String(format: "seconds: %.3f", report.seconds),
            String(format: "output frames per second: %.2f", report.framesPerSecond),
            "peak memory: \(memory)",
            "cuts: \(report.cuts.count)\(shown)",
            "duplicate source frames: \(report.duplicates)",
        ]
    }

    /// The lines for a chain: the totals, the frames alive, and each effect.
    static func lines(_ report: ConversionReport, bound: MemoryBound, peakMemoryKiB: Int?) -> [String] {
        let alive = zip(bound.parts, report.framePeaks).map { part, peak in
            "frames of \(part.name) alive: \(peak) of at most \(part.frames), \(part.bytesPerFrame) bytes each"
        }
        let kept = bound.parts.dropFirst(report.framePeaks.count).map {
            "frames kept for \($0.name): at most \($0.frames), \($0.bytesPerFrame) bytes each"
        }
        let sum = String(format: "%.1f MiB", Double(bound.bytes) / 1_048_576)
        let effects = report.effects.flatMap { effect in
            let work = [effect.latency.work.median, effect.latency.work.p95, effect.latency.work.maximum]
                .map { String(format: "%.1f ms", 1000 * $0) }
            return [
                "\(effect.name): \(effect.framesIn) frames in, \(effect.framesOut) out, work per frame p50 \(work[0]), p95 \(work[1]), max \(work[2])"
            ] + effect.measurements.map { "\(effect.name) \($0.name): " + String(format: "%.2f", $0.value) }
        }
        return commonLines(report, peakMemoryKiB) + ["frames alive: at most \(bound.frames), \(sum)"] + alive + kept
            + effects
    }

    private static func effectLines(_ latency: FrameLatency, _ measurements: [EffectMeasurement]) -> [String] {
        func line(_ name: String, _ spread: FrameLatency.Spread) -> String {
            let numbers = [spread.median, spread.p95, spread.maximum].map { String(format: "%.1f ms", 1000 * $0) }
            return "\(name): p50 \(numbers[0]), p95 \(numbers[1]), max \(numbers[2])"
        }
        let lines = [line("latency per frame", latency.total), line("work per frame", latency.work)]
        return lines + measurements.map { "\($0.name): " + String(format: "%.2f", $0.value) }
    }

    private static func interpolationLines(_ report: ConversionReport) -> [String] {
        let cells = report.interpolationModes
        let total = max(1, cells.bothSides + cells.oneSide + cells.blended + cells.repeated)
        func share(_ count: Int) -> String { String(format: "%d (%.1f%%)", count, 100 * Double(count) / Double(total)) }
        return [
            "frames held at cuts: \(report.heldAtCut)",
            "frames blended over cuts: \(report.blendedOverCut)",
            "long holds: \(report.longHolds)",
            "repeats left out: \(report.repeatsLeftOut)",
            "cells from both sides: \(share(cells.bothSides))",
            "cells from one side: \(share(cells.oneSide))",
            "cells blended: \(share(cells.blended))",
            "cells repeated: \(share(cells.repeated))",
        ]
    }
}
