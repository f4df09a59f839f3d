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
    let events: EventPrinter
    private let lastPlainLine = Lock(0.0)

    init(options: ReportOptions, reportsEffects: Bool = false) {
        self.reportsEffects = reportsEffects
        wantsStats = options.stats
        isJSON = options.json
        isQuiet = options.quiet
        isVerbose = options.verbose
        events = EventPrinter(file: options.file)
    }

    func started(
        input: String, output: String, reader: MediaReader, sink: any MediaSink, stream: VideoStreamDescription
    ) {
        if isJSON {
            events.print(
                StartEvent(
                    input: input, output: output, container: sink.containerName, encoder: sink.encoderName,
                    width: stream.width, height: stream.height, pixelFormat: stream.format.description,
                    expectedFrames: stream.frameCount))
        }
        guard isVerbose else { return }
        Console.note("instruction set \(ExecutionContext.serial.instructionSet)")
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
            events.print(
                ResumeEvent(segments: segments.count, framesWritten: frames, firstFrameRead: first))
        }
        guard !isQuiet else { return }
        Console.note(
            "\(counted(frames, "frame")) in \(counted(segments.count, "finished segment")) are reused from \(folder)")
        if isFallback {
            Console.note(
                "the unfinished part cannot be reached by seeking, so the input is decoded from \(first == 0 ? "its first frame" : "frame \(first)")"
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
        if isJSON { events.print(AlreadyCompleteEvent(exitCode: code.rawValue)) }
        if !isQuiet { Console.note("\(output): was already complete") }
    }

    func handle(_ event: PipelineEvent) {
        switch event {
        case .cut(let cut):
            if isJSON { events.print(CutEvent(frame: cut.frame, time: cut.time)) }
            if isVerbose { Console.note("cut before source frame \(cut.frame) at \(cut.time) s") }
        case .progress(let progress):
            if isJSON {
                events.print(ProgressEvent(progress))
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
        if isJSON {
            printJSON(notes: notes, damage: report.damage)
            events.print(FinishedEvent(report, bound: bound))
        }
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

    /// Reports the estimated cost of a job.
    func estimated(_ estimate: JobEstimate, input: String, output: String) {
        if isJSON {
            events.print(
                EstimateEvent(
                    input: input, output: output, frames: estimate.frames, bytes: estimate.bytes,
                    seconds: estimate.seconds, peakMemoryKib: estimate.peakMemoryKiB,
                    sampledFrames: estimate.sampledFrames, exitCode: JobExitCode.success.rawValue))
        } else {
            let size = estimate.bytes.map { String(format: ", %.1f MB", Double($0) / 1e6) } ?? ""
            let memory = estimate.peakMemoryKiB.map { ", \($0 / 1024) MiB of memory" } ?? ""
            Console.say(
                "\(output == "-" ? "standard output" : output) (estimate): \(counted(estimate.frames, "frame"))\(size), \(String(format: "%.1f", estimate.seconds)) s\(memory); \(counted(estimate.sampledFrames, "frame")) of the input processed"
            )
        }
    }

    /// Prints notes, and warnings about damage.
    func tell(notes: [Note], damage: DamageReport) {
        for note in notes where !isQuiet { Console.note(note) }
        for note in damage.notes { Console.warning(note) }
        guard !damage.isEmpty else { return }
        let units = damage.lostUnits
        let lost = units > 0 ? "; \(counted(units, "packet or frame is", "packets or frames are")) lost" : ""
        Console.warning("the input is damaged; everything that could be decoded was written\(lost)")
    }

    /// Prints notes and damage as JSON lines.
    func printJSON(notes: [Note], damage: DamageReport) {
        for note in notes { events.print(NoteEvent(note)) }
        for note in damage.notes { events.print(DamageEvent(message: note, lostUnits: damage.lostUnits)) }
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
}

extension ProgressLine {
    static func text(_ progress: PipelineProgress) -> String {
        text(
            frames: progress.framesWritten, expected: progress.expectedFrames,
            framesPerSecond: progress.framesPerSecond, secondsLeft: progress.secondsLeft)
    }
}
