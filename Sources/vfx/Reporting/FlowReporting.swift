internal import CommandLineCore
internal import FrameCore
internal import Foundation
internal import Jobs
internal import Pipeline

/// The result for one pair.
struct FlowPairResult {
    var width: Int
    var height: Int
    var framesRead: Int
    /// The time to estimate the motion in both directions, in milliseconds.
    var milliseconds: Double
    /// The length of the longest vector in the requested direction, in pixels.
    var longest: Float
    /// The motion drawn at full scale, in pixels; nil if none is drawn.
    var maximum: Float?
    /// The times of the two frames if they come from a video.
    var times: (first: MediaTime, second: MediaTime)?
    var seconds = 0.0
    var notes: [Note] = []
    var damage = DamageReport()
}

extension Reporter {
    func finished(_ result: FlowPairResult, output: String, isWritten: Bool) {
        Console.clearProgress()
        tell(notes: result.notes, damage: result.damage)
        var report = ConversionReport()
        report.framesRead = result.framesRead
        report.framesWritten = isWritten ? 1 : 0
        var effect = EffectReport()
        effect.flow = FlowStatistics(
            pairs: 1, medianMilliseconds: result.milliseconds, slowMilliseconds: result.milliseconds)
        report.effects = [effect]
        report.seconds = result.seconds
        report.damage = result.damage
        if isJSON {
            printJSON(notes: result.notes, damage: result.damage)
            printJSON(report, maximum: result.maximum, longest: result.longest, times: result.times)
        }
        if wantsStats {
            lines(report).forEach(Console.say)
        } else if !isQuiet, !isJSON {
            let span = result.times.map { " from \($0.first) to \($0.second) s" } ?? ""
            let drawn = result.maximum.map { String(format: ", drawn up to %g px", Double($0)) } ?? ""
            let longest = String(format: "%.2f", Double(result.longest))
            let time = String(format: "%.1f", result.milliseconds)
            Console.say(
                "\(output): flow of \(result.width)x\(result.height)\(span), longest \(longest) px\(drawn), \(time) ms for both directions"
            )
        }
    }

    func finishedFlow(_ report: ConversionReport, output: String, maximum: Float?, notes: [Note]) {
        Console.clearProgress()
        tell(notes: notes, damage: report.damage)
        if isJSON {
            printJSON(notes: notes, damage: report.damage)
            printJSON(report, maximum: maximum, longest: nil, times: nil)
        }
        if wantsStats {
            lines(report).forEach(Console.say)
        } else if !isQuiet, !isJSON {
            let median =
                report.flow.medianMilliseconds.map { String(format: ", median %.1f ms for both directions", $0) } ?? ""
            let drawn = maximum.map { String(format: ", drawn up to %g px", Double($0)) } ?? ""
            Console.say(
                "\(output == "-" ? "standard output" : output): \(counted(report.flow.pairs, "pair")) of \(counted(report.framesRead, "frame")), \(counted(report.cuts.count, "cut"))\(drawn)\(median)"
            )
        }
    }

    /// The lines of `--stats`, each `name: value`.
    private func lines(_ report: ConversionReport) -> [String] {
        func figure(_ value: Double?) -> String { value.map { String(format: "%.3f", $0) } ?? "none" }
        return [
            "frames in: \(report.framesRead)", "frames out: \(report.framesWritten)", "pairs: \(report.flow.pairs)",
            "pairs across cuts: \(report.cuts.count)",
            "median milliseconds (both directions): \(figure(report.flow.medianMilliseconds))",
            "95th percentile milliseconds (both directions): \(figure(report.flow.slowMilliseconds))",
            "seconds: \(figure(report.seconds))",
            "peak memory: "
                + (ProcessMemory.peakKiB.map { String(format: "%.1f MiB", Double($0) / 1024) } ?? "unknown"),
        ]
    }

    private func printJSON(
        _ report: ConversionReport, maximum: Float?, longest: Float?, times: (first: MediaTime, second: MediaTime)?
    ) {
        let code: JobExitCode = report.damage.isEmpty ? .success : .doneWithDamage
        events.print(
            FlowFinishedEvent(
                framesRead: report.framesRead, framesWritten: report.framesWritten, pairs: report.flow.pairs,
                pairsAcrossCuts: report.cuts.count, medianMs: report.flow.medianMilliseconds,
                p95Ms: report.flow.slowMilliseconds, maxMotion: maximum.map(Double.init),
                longestMotion: longest.map(Double.init), time: times?.first, nextTime: times?.second,
                seconds: report.seconds, peakMemoryKib: ProcessMemory.peakKiB, cuts: report.cuts.count,
                exitCode: code.rawValue))
    }
}

extension ConversionReport {
    /// The statistics of the chain's only effect, which estimates motion.
    fileprivate var flow: FlowStatistics { effects.first?.flow ?? FlowStatistics() }
}
