internal import Foundation
internal import Pipeline

/// The figures of `--stats`, one `name: value` per line.
enum StatisticsText {
    /// Cuts named one by one at most.
    private static let shownCuts = 50

    static func lines(_ report: ConversionReport, peakMemoryKiB: Int?) -> [String] {
        let times = report.cuts.prefix(shownCuts).map { "\($0.time)" }.joined(separator: " ")
        let memory = peakMemoryKiB.map { String(format: "%.1f MiB", Double($0) / 1024) } ?? "unknown"
        let shown = (times.isEmpty ? "" : " at \(times) s") + (report.cuts.count > shownCuts ? " and so on" : "")
        let lines = [
            "frames in: \(report.framesRead)",
            "frames out: \(report.framesWritten)",
            "source frames shown: \(report.sourceFramesShown)",
            String(format: "seconds: %.3f", report.seconds),
            String(format: "output frames per second: %.2f", report.framesPerSecond),
            "peak memory: \(memory)",
            "cuts: \(report.cuts.count)\(shown)",
            "duplicate source frames: \(report.duplicates)",
        ]
        return lines + (report.latency.map { effectLines($0, report.findings) } ?? interpolationLines(report))
    }

    private static func effectLines(_ latency: FrameLatency, _ findings: [EffectFinding]) -> [String] {
        func line(_ name: String, _ spread: FrameLatency.Spread) -> String {
            let numbers = [spread.median, spread.p95, spread.maximum].map { String(format: "%.1f ms", 1000 * $0) }
            return "\(name): p50 \(numbers[0]), p95 \(numbers[1]), max \(numbers[2])"
        }
        let lines = [line("latency per frame", latency.total), line("work per frame", latency.work)]
        return lines + findings.map { "\($0.name): " + String(format: "%.2f", $0.value) }
    }

    private static func interpolationLines(_ report: ConversionReport) -> [String] {
        let cells = report.fallbacks
        let total = max(1, cells.bothSides + cells.oneSide + cells.blended + cells.repeated)
        func share(_ count: Int) -> String { String(format: "%d (%.1f%%)", count, 100 * Double(count) / Double(total)) }
        return [
            "frames held at cuts: \(report.heldAtCut)",
            "frames blended over cuts: \(report.blendedOverCut)",
            "cells from both sides: \(share(cells.bothSides))",
            "cells from one side: \(share(cells.oneSide))",
            "cells blended: \(share(cells.blended))",
            "cells repeated: \(share(cells.repeated))",
        ]
    }
}

/// Memory of this process.
enum ProcessMemory {
    /// The most resident memory so far, in KiB; nil where the system does not tell.
    static var peakKiB: Int? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { Int($0.split(whereSeparator: \.isWhitespace)[1]) }
    }
}
