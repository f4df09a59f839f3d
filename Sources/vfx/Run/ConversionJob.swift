internal import ArgumentParser
internal import FrameCore
internal import Foundation
internal import MediaIO
internal import Pipeline

/// One conversion as the command line describes it: words in, a file out.
struct ConversionJob {
    private let makeWork: (ConversionOptions) throws -> ConversionWork
    private let input: InputOptions
    private let output: OutputOptions
    private let effect: EffectOptions
    private let report: ReportOptions

    /// - Parameter makeWork: says what is done with the frames, from the options that all effects take.
    init(_ options: CommonOptions, _ makeWork: @escaping (ConversionOptions) throws -> ConversionWork) {
        self.makeWork = makeWork
        input = options.input
        output = options.output
        effect = options.effect
        report = options.report
    }

    /// - Throws: ``VfxFailure``, or `ExitCode` for a job done with damage.
    func run() throws {
        let reporter = Reporter(options: report)
        do {
            let damaged = try convert(reporter)
            if damaged { throw ExitCode(VfxExitCode.doneWithDamage.rawValue) }
        } catch let failure as VfxFailure {
            reporter.failed(failure)
            throw failure
        }
    }

    private func convert(_ reporter: Reporter) throws -> Bool {
        let threads = try during(.options) { try threadCount() }
        let work = try during(.options) {
            let work = try makeWork(ConversionOptions(quality: effect.quality.prioritization, threads: threads))
            try checkOptions(work)
            return work
        }
        let readerOptions = try during(.options) {
            MediaReaderOptions(
                inputFrameRate: try input.inputFps.map { try FrameRateValue.parse($0, option: "--input-fps") },
                allowsInterlaced: input.allowInterlaced, isStrict: input.strict,
                decoderThreads: effect.threads == nil ? 0 : threads)
        }
        let writerOptions = try during(.options) {
            MediaWriterOptions(
                format: output.format, codec: output.codec, crf: try crf(), preset: output.preset,
                pixelFormat: output.pixelFormat, overwrites: output.overwrite,
                threads: effect.threads == nil ? 0 : threads,
                audio: work.audio)
        }
        try checkInputExists()
        let reader = try during(.openingInput) { try MediaReader(input.input, options: readerOptions) }
        if let advice = work.adviceOnStills, reader.holdsStillPicture() {
            throw JobStep.openingInput.failure(FrameError(.input, advice, at: .init(file: input.input)))
        }
        let stream = work.outputStream(reader.stream)

        Signals.shared.willOpenOutput()
        let sink = try during(.openingOutput) {
            try openSink(output.output, stream: stream, source: reader, retiming: work.retiming, options: writerOptions)
        }
        let pipeline = work.makePipeline(reader, sink) { reporter.handle($0) }
        Signals.shared.watch(pipeline)
        reporter.started(input: input.input, output: output.output, reader: reader, sink: sink, stream: stream)

        let result: ConversionReport
        do {
            result = try pipeline.run()
        } catch is CancellationError {
            throw stoppedBySignal()
        } catch {
            throw JobStep(pipeline.failedStage).failure(error)
        }
        Signals.shared.didCloseOutput()
        reporter.finished(result, output: output.output, notes: reader.notes + sink.notes)
        return !result.damage.isEmpty
    }

    private func checkOptions(_ work: ConversionWork) throws(FrameError) {
        if report.json, output.output == "-" {
            throw FrameError(
                .invalidArgument,
                "--json and -o - both need standard output; write the video to a file or leave --json out")
        }
        if report.quiet, report.verbose {
            throw FrameError(.invalidArgument, "--quiet and --verbose exclude each other; give one of them")
        }
        if !work.hasEvenTimes, OutputKind(output).lacksTimes {
            throw FrameError(
                .invalidArgument,
                "y4m has no timestamps, so it cannot hold the uneven times of these phases; use evenly spaced ones (--factor) or a container such as .mkv"
            )
        }
    }

    private func threadCount() throws(FrameError) -> Int {
        guard let text = effect.threads else { return max(1, ProcessInfo.processInfo.activeProcessorCount) }
        guard let count = Int(text), (1...256).contains(count) else {
            throw FrameError(.invalidArgument, "--threads '\(text)' is not a whole number from 1 to 256")
        }
        return count
    }

    private func crf() throws(FrameError) -> Double? {
        guard let text = output.crf else { return nil }
        guard let value = Double(text), value.isFinite, (0...100).contains(value) else {
            throw FrameError(.invalidArgument, "--crf '\(text)' is not a number from 0 to 100")
        }
        return value
    }

    /// Tells a missing input from one that is no video, since scripts want to know.
    private func checkInputExists() throws(VfxFailure) {
        let path = input.input
        guard path != "-", !path.contains("://"), !path.hasPrefix("pipe:"), !path.contains("%") else { return }
        let name = path.hasPrefix("file:") ? String(path.dropFirst(5)) : path
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: name, isDirectory: &isDirectory) else {
            throw VfxFailure("\(path): there is no such file", .noInput)
        }
        if isDirectory.boolValue { throw VfxFailure("\(path): this is a folder; name a video file", .noInput) }
        guard FileManager.default.isReadableFile(atPath: name) else {
            throw VfxFailure("\(path): the file cannot be read; its permissions forbid it", .noInput)
        }
    }

    private func stoppedBySignal() -> VfxFailure {
        let number = Signals.shared.received ?? SIGINT
        return VfxFailure(
            "stopped by \(Signals.name(of: number)); nothing was written",
            VfxExitCode(rawValue: 128 + number) ?? .interrupted)
    }

    private func during<R>(_ step: JobStep, _ body: () throws -> R) throws -> R {
        do { return try body() } catch { throw step.failure(error) }
    }
}

/// What kind of output a name and a format option mean, as far as the program must know before it is opened.
struct OutputKind {
    /// Whether frames are evenly spaced by definition.
    var lacksTimes: Bool

    init(_ options: OutputOptions) {
        lacksTimes =
            options.format.map { $0 == "yuv4mpegpipe" || $0 == "y4m" } ?? options.output.lowercased().hasSuffix(".y4m")
    }
}
