internal import CommandLineCore
internal import Foundation
internal import FrameCore
internal import Jobs
internal import MediaIO
internal import Pipeline

/// Reports on a job to the user: as JSON lines, as a progress line on a terminal, or as plain lines in a pipe or log.
final class Reporter: JobObserver {
    /// Seconds between plain progress lines.
    private static let plainInterval = 5.0

    let wantsStats: Bool
    let isJSON: Bool
    let isQuiet: Bool
    let isVerbose: Bool
    /// Whether each effect is reported on its own.
    private let reportsEffects: Bool
    private let lastPlainLine = Lock(0.0)

    init(options: ReportOptions, reportsEffects: Bool = false) {
        self.reportsEffects = reportsEffects
        wantsStats = options.stats
        isJSON = options.json
        isQuiet = options.quiet
        isVerbose = options.verbose
    }

    func started(
        input: String, output: String, reader: MediaReader, sink: any MediaSink, stream: VideoStreamDescription
    ) {
        if isJSON {
            JSONEvent.print(
                "start",
                [
                    ("input", .string(input)), ("output", .string(output)), ("container", .string(sink.containerName)),
                    ("encoder", .optional(sink.encoderName)), ("width", .int(stream.width)),
                    ("height", .int(stream.height)),
                    ("pixel_format", .string(stream.format.description)),
                    ("expected_frames", .optional(stream.frameCount)),
                ])
        }
        guard isVerbose else { return }
        let source = reader.stream
        let color = source.color
        let guess = color.resolved(height: source.height)
        Console.note(
            "input \(input): \(reader.info.container), \(source.width)x\(source.height) \(source.format), \(source.nominalFrameRate.map { "\($0) frames/s" } ?? "no stated rate"), time base \(source.timeBase) s"
        )
        Console.note(
            "color: matrix \(color.matrix), primaries \(color.primaries), transfer \(color.transfer), range \(color.range.rawValue), chroma \(color.chromaLocation.rawValue)"
                + (guess == color
                    ? ""
                    : "; unspecified values are interpreted as matrix \(guess.matrix), primaries \(guess.primaries), transfer \(guess.transfer), range \(guess.range.rawValue), chroma \(guess.chromaLocation.rawValue)")
        )
        Console.note(
            "output \(output): \(sink.containerName)\(sink.encoderName.map { ", \($0)" } ?? ""), \(stream.format), time base \(stream.timeBase) s"
        )
    }

    func resumes(_ segments: [FinishedSegment], in folder: String, firstFrameRead first: Int, isFallback: Bool) {
        let frames = segments.reduce(0) { $0 + $1.frames }
        if isJSON {
            JSONEvent.print(
                "resume",
                [
                    ("segments", .int(segments.count)), ("frames_written", .int(frames)),
                    ("first_frame_read", .int(first)),
                ])
        }
        guard !isQuiet else { return }
        Console.note(
            "\(counted(frames, "frame")) in \(counted(segments.count, "finished segment")) are reused from \(folder)")
        if isFallback {
            Console.note(
                "reading cannot safely begin just before the unfinished part, so the input is decoded from \(first == 0 ? "its first frame" : "frame \(first)")"
            )
        }
    }

    func measuresGrain(frames: Int?, expected: Int?) {
        guard let frames else { return Console.clearProgress() }
        guard Console.standardErrorIsTerminal, !isQuiet, !isJSON, frames.isMultiple(of: 16) else { return }
        Console.showProgress("measuring grain: frame \(frames)\(expected.map { " of about \($0)" } ?? "")")
    }

    /// Reports that the output was already complete and only cleaning up remained.
    func wasFinished(output: String, isDamaged: Bool) {
        let code: JobExitCode = isDamaged ? .doneWithDamage : .success
        if isJSON {
            JSONEvent.print("finished", [("frames_written", .int(0)), ("exit_code", .int(Int(code.rawValue)))])
        }
        if !isQuiet { Console.note("\(output): was already complete") }
    }

    func handle(_ event: PipelineEvent) {
        switch event {
        case .cut(let cut):
            if isJSON { JSONEvent.print("cut", [("frame", .int(cut.frame)), ("time", .time(cut.time))]) }
            if isVerbose { Console.note("cut before source frame \(cut.frame) at \(cut.time) s") }
        case .progress(let progress):
            if isJSON {
                JSONEvent.print(
                    "progress",
                    [
                        ("frames_read", .int(progress.framesRead)), ("frames_written", .int(progress.framesWritten)),
                        ("expected_frames", .optional(progress.expectedFrames)), ("seconds", .double(progress.seconds)),
                        ("fps", .double(progress.framesPerSecond)), ("eta_seconds", .optional(progress.secondsLeft)),
                    ])
            } else if !isQuiet {
                show(progress)
            }
        }
    }

    func finished(_ report: ConversionReport, output: String, notes: [Note], bound: MemoryBound?) {
        if report.effects.count == 1, let flow = report.effects[0].flow {
            return finishedFlow(report, output: output, maximum: flow.maximum, notes: notes)
        }
        let bound = reportsEffects ? bound : nil
        Console.clearProgress()
        tell(notes: notes, damage: report.damage)
        if isJSON { printJSON(report, notes: notes, bound: bound) }
        if wantsStats {
            let lines =
                bound.map { StatisticsText.lines(report, bound: $0, peakMemoryKiB: ProcessMemory.peakKiB) }
                ?? StatisticsText.lines(report, peakMemoryKiB: ProcessMemory.peakKiB)
            lines.forEach(Console.say)
        } else if !isQuiet, !isJSON {
            Console.say(
                "\(output == "-" ? "standard output" : output): \(counted(report.framesWritten, "frame")) from \(report.framesRead) in \(String(format: "%.1f", report.seconds)) s (\(String(format: "%.1f", report.framesPerSecond)) frames/s), \(counted(report.cuts.count, "cut"))"
            )
        }
    }

    /// Reports what a job will take.
    func estimated(_ estimate: JobEstimate, input: String, output: String) {
        if isJSON {
            JSONEvent.print(
                "estimate",
                [
                    ("input", .string(input)), ("output", .string(output)), ("frames", .int(estimate.frames)),
                    ("bytes", .optional(estimate.bytes)), ("seconds", .double(estimate.seconds)),
                    ("peak_memory_kib", .optional(estimate.peakMemoryKiB)),
                    ("sampled_frames", .int(estimate.sampledFrames)), ("exit_code", .int(0)),
                ])
        } else {
            let size = estimate.bytes.map { String(format: ", %.1f MB", Double($0) / 1e6) } ?? ""
            let memory = estimate.peakMemoryKiB.map { ", \($0 / 1024) MiB of memory" } ?? ""
            Console.say(
                "\(output == "-" ? "standard output" : output) (estimate): \(counted(estimate.frames, "frame"))\(size), \(String(format: "%.1f", estimate.seconds)) s\(memory); \(counted(estimate.sampledFrames, "frame")) of the input processed"
            )
        }
    }

    /// Prints notes on what could not be kept, and warnings about what was lost.
    func tell(notes: [Note], damage: DamageReport) {
        for note in notes where !isQuiet { Console.note(note) }
        for note in damage.notes { Console.warning(note) }
        guard !damage.isEmpty else { return }
        let units = damage.lostUnits
        let lost = units > 0 ? "; \(counted(units, "packet or frame is", "packets or frames are")) lost" : ""
        Console.warning("the input is damaged: what could be decoded was written\(lost)")
    }

    /// Prints notes and damage as JSON lines.
    func printJSON(notes: [Note], damage: DamageReport) {
        for note in notes { JSONEvent.print("note", note.fields) }
        for note in damage.notes {
            JSONEvent.print("damage", [("message", .string(note)), ("lost_units", .int(damage.lostUnits))])
        }
    }

    private func show(_ progress: PipelineProgress) {
        let line = ProgressLine.text(progress)
        if Console.standardErrorIsTerminal {
            Console.showProgress(line)
        } else {
            let isDue = lastPlainLine.withLock { last in
                guard progress.seconds - last >= Self.plainInterval else { return false }
                last = progress.seconds
                return true
            }
            if isDue { Console.say(line) }
        }
    }

    private func printJSON(_ report: ConversionReport, notes: [Note], bound: MemoryBound?) {
        printJSON(notes: notes, damage: report.damage)
        let fallbacks = report.interpolationModes
        let code: JobExitCode = report.damage.isEmpty ? .success : .doneWithDamage
        let chain: [(String, JSONValue)] =
            bound.map { [("effects", .array(report.effects.map(Self.json))), ("frames_alive", Self.json($0, report))] }
            ?? []
        JSONEvent.print(
            "finished",
            [
                ("frames_read", .int(report.framesRead)), ("frames_written", .int(report.framesWritten)),
                ("source_frames_shown", .int(report.sourceFramesShown)), ("held_at_cut", .int(report.heldAtCut)),
                ("blended_over_cut", .int(report.blendedOverCut)), ("long_holds", .int(report.longHolds)),
                ("seconds", .double(report.seconds)),
                ("fps", .double(report.framesPerSecond)), ("peak_memory_kib", .optional(ProcessMemory.peakKiB)),
                ("cuts", .int(report.cuts.count)), ("duplicates", .int(report.duplicates)),
                (
                    "fallbacks",
                    .object([
                        ("both_sides", .int(fallbacks.bothSides)), ("one_side", .int(fallbacks.oneSide)),
                        ("blended", .int(fallbacks.blended)), ("repeated", .int(fallbacks.repeated)),
                    ])
                ), ("latency", report.latency.map(Self.json) ?? .null),
                // In a chain each effect states its own findings below, because the same name may occur twice.
                ("findings", Self.json(bound == nil ? report.measurements : [])),
            ] + chain + [("exit_code", .int(Int(code.rawValue)))])
    }

    private static func json(_ measurements: [EffectMeasurement]) -> JSONValue {
        .object(measurements.map { ($0.name.replacing(" ", with: "_"), .double($0.value)) })
    }

    private static func json(_ effect: EffectReport) -> JSONValue {
        .object([
            ("effect", .string(effect.name)), ("frames_in", .int(effect.framesIn)),
            ("frames_out", .int(effect.framesOut)), ("latency", json(effect.latency)),
            ("findings", json(effect.measurements)),
        ])
    }

    private static func json(_ bound: MemoryBound, _ report: ConversionReport) -> JSONValue {
        .array(
            bound.parts.enumerated().map { index, part in
                let peaks = report.framePeaks
                return .object([
                    ("of", .string(part.name)), ("bound", .int(part.frames)),
                    ("peak", index < peaks.count ? .int(peaks[index]) : .null),
                    ("bytes_per_frame", .int(part.bytesPerFrame)),
                ])
            })
    }

    private static func json(_ latency: FrameLatency) -> JSONValue {
        func spread(_ spread: FrameLatency.Spread) -> JSONValue {
            .object([
                ("p50", .double(1000 * spread.median)), ("p95", .double(1000 * spread.p95)),
                ("max", .double(1000 * spread.maximum)),
            ])
        }
        return .object([("total", spread(latency.total)), ("work", spread(latency.work))])
    }
}

extension ProgressLine {
    static func text(_ progress: PipelineProgress) -> String {
        text(
            frames: progress.framesWritten, expected: progress.expectedFrames,
            framesPerSecond: progress.framesPerSecond, secondsLeft: progress.secondsLeft)
    }
}
