internal import ArgumentParser
internal import CommandLineCore
internal import FrameCore
internal import Foundation
internal import Jobs
internal import MediaIO
internal import Pipeline

/// One conversion as described by the command line.
struct ConversionJob {
    private let makeWork: (ConversionOptions) throws -> ConversionWork
    let input: InputOptions
    private(set) var output: OutputOptions
    private let quality: QualityName
    /// The option as given; nil selects one thread per core.
    var threads: String?
    let report: ReportOptions
    /// The folder for the plan of a job that is divided; nil for a job done at once.
    private(set) var planFolder: String?
    /// The file of effects that the command reads; nil for none.
    private(set) var recipe: String?
    /// The file of measured noise that the command reads; nil for none.
    private(set) var noiseModel: String?
    /// Whether this process makes a part of a divided job, and leaves the output to the one that joins the parts.
    private let isDivided: Bool
    /// Which part of the input is used.
    private let partOptions: PartOptions
    private var previewOptions: PreviewOptions?
    /// The part that a sample processes, instead of the one that the options choose.
    private var samplePart: ClipPart?
    /// How strongly the input was compressed, if that has been measured.
    var knownCompression: SourceCompression?
    /// Where cuts are taken from.
    let cutListOptions: CutListOptions
    /// The first frames of new scenes, if a plan lists them.
    var knownCuts: Set<Int>?
    /// Whether a plan is made by decoding, whatever the input is.
    private(set) var plansByDecoding = false

    /// - Parameters:
    ///   - options: the options common to all commands.
    ///   - makeWork: returns what to do with the frames, from the options common to all effects.
    ///   - recipe: the file of effects that the command reads; nil for none.
    ///   - noiseModel: the file of measured noise that the command reads; nil for none.
    init(
        _ options: CommonOptions, _ makeWork: @escaping (ConversionOptions) throws -> ConversionWork,
        recipe: String? = nil, noiseModel: String? = nil, isDivided: Bool = false
    ) {
        self.init(
            input: options.input, output: options.output, quality: options.effect.quality,
            threads: options.effect.threads, report: options.report, part: options.part,
            cutList: options.cutList, isDivided: isDivided, makeWork)
        planFolder = options.division.plan
        plansByDecoding = options.division.planByDecoding
        self.recipe = recipe
        self.noiseModel = noiseModel
        previewOptions = options.preview
    }

    init(
        input: InputOptions, output: OutputOptions, quality: QualityName, threads: String?, report: ReportOptions,
        part: PartOptions, cutList: CutListOptions, isDivided: Bool = false,
        _ makeWork: @escaping (ConversionOptions) throws -> ConversionWork
    ) {
        partOptions = part
        cutListOptions = cutList
        self.isDivided = isDivided
        self.makeWork = makeWork
        self.input = input
        self.output = output
        self.quality = quality
        self.threads = threads
        self.report = report
    }

    /// - Throws: ``VfxFailure``, or `ExitCode` if the input is damaged.
    func run() throws {
        guard planFolder != nil || !plansByDecoding else {
            throw VfxFailure("--plan-by-decoding applies to --plan; name its folder", .usage)
        }
        if previewOptions?.estimate == true {
            guard planFolder == nil else {
                throw VfxFailure("--estimate and --plan are mutually exclusive; give only one of them", .usage)
            }
            return try estimate()
        }
        if let planFolder { return try plan(into: planFolder) }
        let prepared = try prepare()
        let page = previewOptions?.previewReport.map {
            PreviewReport(page: $0, input: input.input, output: output.output, overwrites: output.overwrite)
        }
        try during(.openingOutput) { try page?.check(OutputKind(output)) }
        guard page == nil || prepared.work.retiming.factor.denominator == 1 else {
            throw VfxFailure("--preview-report compares with slow motion by a whole factor only", .usage)
        }
        let damaged = try convert(prepared, Reporter(options: report))
        if let page, let part = prepared.part {
            try page.write(
                part.located.part, prepared.readerOptions, stretch: Int(prepared.work.retiming.factor.numerator),
                threads: prepared.threads)
        }
        if damaged { throw ExitCode(VfxExitCode.doneWithDamage.rawValue) }
    }

    /// Returns the job of processing `part` only, into `file`.
    ///
    /// - Parameter compression: how strongly the input was compressed, if that has been measured.
    func sampling(_ part: ClipPart, to file: String, compression: SourceCompression?) -> ConversionJob {
        var job = self
        job.knownCompression = compression
        job.samplePart = part
        job.output.output = file
        job.output.overwrite = true
        job.output.resume = false
        return job
    }

    /// Checks the options and opens the input.
    func prepare() throws -> PreparedConversion {
        let threads = try during(.options) { try OptionValue.threads(self.threads) }
        let wanted = try during(.options) {
            try samplePart ?? previewOptions?.part(or: partOptions) ?? partOptions.part()
        }
        var work = try during(.options) {
            var work = try makeWork(ConversionOptions(quality: quality.prioritization, threads: threads))
            work.cuts = try cutListOptions.search(work.cuts)
            try checkOptions(work)
            return work
        }
        var readerOptions = try during(.options) {
            MediaReaderOptions(
                inputFrameRate: try input.inputFps.map { try OptionValue.frameRate($0, option: "--input-fps") },
                startNumber: input.startNumber,
                allowsInterlaced: input.allowInterlaced, isStrict: input.strict,
                // Effects take far longer than decoding, and each thread of a decoder holds more frames.
                decoderThreads: max(1, threads / 2), allowsNetwork: !input.noNetwork,
                ignoresDolbyVision: input.dolbyVision.ignoreDolbyVision)
        }
        readerOptions.lowLatency = work.isImmediate
        let memory = MemoryBudget()
        var writerOptions = try during(.options) {
            MediaWriterOptions(
                format: output.format, codec: output.codec, crf: try output.parsedCRF(), preset: output.preset,
                pixelFormat: output.pixelFormat, overwrites: output.overwrite,
                encoderThreads: try output.parsedEncoderThreads(), audio: work.audio, memoryLimit: memory.forEncoders,
                keepsStart: output.keepStart)
        }
        writerOptions.failsOnLoss = output.failOnLoss
        if let grain = work.grain {
            if grain.isKept { writerOptions.codec = writerOptions.codec ?? .av1 }
            try during(.options) { try grain.check(output, writerOptions) }
            if !isDivided { try during(.openingOutput) { try grain.checkFiles(output, input: input.input) } }
        }
        try during(.findingInput) { try InputAddress.requireReadable(input.input) }
        let reader = try during(.openingInput) {
            let reader = try MediaReader(input.input, options: readerOptions)
            try work.check(reader)
            return reader
        }
        writerOptions.lowLatency = work.isImmediate && !reader.isReopenable
        if output.failOnLoss, let loss = (reader.notes + work.notes(reader)).first(where: \.isLoss) {
            throw JobStep.openingOutput.failure(loss.refusal(of: output.output))
        }
        if let advice = work.adviceOnStills, reader.holdsStillPicture() {
            throw JobStep.openingInput.failure(FrameError(.input, advice, at: .init(file: input.input)))
        }
        let cutList = try during(.openingInput) {
            guard cutListOptions.cuts == nil || work.cuts.looksAhead else {
                throw FrameError(
                    .invalidArgument, "--cuts applies to effects that look ahead; this one finds its own cuts")
            }
            return try knownCuts ?? cutListOptions.frames(of: reader)
        }
        let part = try during(.openingInput) {
            try wanted.map { wanted in
                let located = try reader.restrict(to: wanted)
                work.chain = work.chain.sampled(from: located.start, frame: located.firstFrame)
                return try PreparedPart(located, of: reader, work, isSample: samplePart != nil)
            }
        }
        let stream = try during(.options) { try work.chain.outputStream(for: reader.stream) }
        writerOptions.pixelFormat = writerOptions.pixelFormat ?? work.pixelFormat(reader.stream)
        try during(.openingInput) {
            try memory.check(
                frames: work.frameBytes?(reader.stream) ?? memoryBound(work, reader.stream, stream).bytes,
                source: reader.stream, result: stream, file: input.input)
        }
        try during(.openingOutput) { try work.extras.check(output: OutputKind(output)) }
        if part == nil, work.extras.storyboard != nil, OutputKind(output).isVideo {
            try during(.openingOutput) { try timeStoryboard(of: &work, reader, writerOptions) }
        }
        var compression = knownCompression
        if work.chain.adaptsToCompression {
            let found = try during(.openingInput) {
                try compression ?? self.compression(of: reader, readerOptions, threads: threads)
            }
            work.chain = work.chain.adapted(to: found)
            compression = found
        }
        return PreparedConversion(
            work: work, reader: reader, readerOptions: readerOptions, writerOptions: writerOptions, stream: stream,
            threads: threads, part: part, cutList: cutList, compression: compression)
    }

    /// Tells the storyboard when the first frame is shown in the output, and how long the output lasts.
    private func timeStoryboard(
        of work: inout ConversionWork, _ reader: MediaReader, _ options: MediaWriterOptions
    ) throws {
        var options = options
        options.keepsStart = false
        let shift = try expectedShift(
            output.output, source: reader.sourceDescription, retiming: work.retiming, options: options)
        let factor = work.retiming.factor
        let delay = reader.start.multiplied(by: factor) + shift
        work.extras.pictureDelay = delay
        guard work.audio != .drop else { return }
        work.extras.length = { [reader] in
            reader.playingTime.map { ($0 - reader.pictureDelay).multiplied(by: factor) + delay }
        }
    }

    /// Returns how strongly the input was compressed; none where only reading it through would tell. The keyframes are
    /// those of the whole clip, so that all its parts are treated alike.
    private func compression(
        of reader: MediaReader, _ options: MediaReaderOptions, threads: Int
    ) throws -> SourceCompression {
        guard reader.isReopenable, reader.isSeekable else { return .none }
        var options = options
        options.decoderThreads = 1
        // A part may be progressive where other keyframes are not.
        options.allowsInterlaced = true
        let keyFrames = try KeyFrameReader(input.input, options: options)
        return try SourceCompression(of: keyFrames, from: reader.start, threads: threads)
    }

    private func convert(_ prepared: PreparedConversion, _ reporter: Reporter) throws -> Bool {
        let (reader, stream, threads) = (prepared.reader, prepared.stream, prepared.threads)
        var (work, writerOptions) = (prepared.work, prepared.writerOptions)
        let record = try during(.openingInput) { try self.record(of: prepared) }
        if let isDamaged = completed(record, prepared) {
            reporter.wasFinished(output: output.output, isDamaged: isDamaged)
            return isDamaged
        }
        let grainTable = try during(.openingInput) {
            try work.grain?.table(input.input, prepared, reporter)
        }
        if let grainTable, let grain = work.grain { grain.apply(grainTable, to: &writerOptions, &work) }
        let grain = work.grain
        func writeGrainTable() throws {
            guard let grainTable else { return }
            try during(.writing) { try grain?.write(grainTable, output, input: input.input) }
        }

        Signals.shared.willOpenOutput()
        let kept = try during(.openingOutput) {
            try JobCheckpoint(output, input, reader: reader, settings: settings(of: prepared))
        }
        if kept.folder?.isPublished == true {
            try writeGrainTable()
            try finish(kept, work, stream, threads, reporter)
            record?.write(isDamaged: false)
            return false
        }
        writerOptions.segments = kept.segments
        do {
            let open = { () throws(FrameError) in try prepared.reopened(input.input) }
            let start = try during(.openingInput) {
                try SourceStart(reader, kept, work.chain, prepared.part, reopening: open)
            }
            reporter.resumes(kept.folder, at: start)
            let isDamaged: Bool
            do {
                isDamaged = try convert(work, start, prepared, stream, writerOptions, kept, threads, reporter)
            } catch is SourceMismatch {
                let beginning = SourceStart(reader: try during(.openingInput, open), isFallback: true)
                reporter.resumes(kept.folder, at: beginning)
                isDamaged = try convert(work, beginning, prepared, stream, writerOptions, kept, threads, reporter)
            }
            try writeGrainTable()
            record?.write(isDamaged: isDamaged)
            return isDamaged
        } catch let failure as VfxFailure {
            throw kept.leaving(failure)
        }
    }

    /// Handles a run that was interrupted when its output was already complete. The extra outputs are made again,
    /// because it is unknown whether they are complete.
    private func finish(
        _ kept: JobCheckpoint, _ work: ConversionWork, _ stream: VideoStreamDescription, _ threads: Int,
        _ reporter: Reporter
    ) throws {
        // Overwriting is safe: the interrupted run has already checked these folders.
        let branches = try during(.openingOutput) {
            try work.extras.open(
                output: OutputKind(output), name: output.output, stream: stream, overwrites: true, threads: threads)
        }
        if !branches.isEmpty {
            let sink = TeeSink(NullSink(), stream: stream, branches: branches)
            Signals.shared.watch { sink.stop() }
            do {
                try during(.writing) {
                    let reader = try MediaReader(output.output)
                    while let frame = try reader.nextFrame() { try sink.write(frame) }
                    try sink.finish()
                }
            } catch {
                sink.cancel()
                throw Signals.shared.received != nil ? Signals.shared.failure : error
            }
        }
        kept.folder?.remove()
        Signals.shared.didCloseOutput()
        reporter.wasFinished(output: output.output)
    }

    /// All settings and surroundings on which the encoded frames depend.
    func allSettings(_ prepared: PreparedConversion) -> [CheckpointSetting] {
        settings(of: prepared) + JobCheckpoint.shared(output, input, prepared.reader.stream)
    }

    private func settings(of prepared: PreparedConversion) -> [CheckpointSetting] {
        let cuts = prepared.cutList.map { $0.sorted().map(String.init).joined(separator: " ") }
        return [
            CheckpointSetting("the part of the input", prepared.part.map { "\($0.located.part)" }),
            CheckpointSetting("the cuts of --cuts", cuts),
        ] + effectSettings(of: prepared.work)
    }

    private func effectSettings(of work: ConversionWork) -> [CheckpointSetting] {
        work.settings ?? [
            CheckpointSetting("the effect", work.chain.summary),
            CheckpointSetting("--grain", work.grain.map { $0.isKept ? "keep" : "not kept" }),
            CheckpointSetting("the audio", work.audio.rawValue),
            CheckpointSetting("the search for cuts", "\(work.cuts)"),
        ]
    }

    private func convert(
        _ work: ConversionWork, _ start: SourceStart, _ prepared: PreparedConversion, _ stream: VideoStreamDescription,
        _ writerOptions: MediaWriterOptions, _ kept: JobCheckpoint, _ threads: Int, _ reporter: Reporter
    ) throws -> Bool {
        let reader = start.reader
        let branches = try during(.openingOutput) {
            try work.extras.open(
                output: OutputKind(output), name: output.output, stream: stream, overwrites: output.overwrite,
                threads: threads)
        }
        let sink: any MediaSink
        do {
            sink = try openSink(
                output.output, stream: stream, source: reader.sourceDescription, retiming: work.retiming,
                options: writerOptions)
        } catch {
            branches.forEach { $0.discard() }
            throw JobStep.openingOutput.failure(error)
        }
        let target: any FrameSink = branches.isEmpty ? sink : TeeSink(sink, stream: stream, branches: branches)
        let pipeline =
            if let part = prepared.part {
                ConversionPipeline(
                    source: reader, sink: target, chain: work.chain, part: part.output(work),
                    cuts: work.cuts, cutList: prepared.cutList, start: start.checkpoint, checkpoints: kept.folder
                ) { reporter.handle($0) }
            } else {
                ConversionPipeline(
                    source: reader, sink: target, chain: work.chain, cuts: work.cuts, cutList: prepared.cutList,
                    start: start.checkpoint, checkpoints: kept.folder
                ) { reporter.handle($0) }
            }
        Signals.shared.watch { pipeline.cancel() }
        reporter.started(input: input.input, output: output.output, reader: reader, sink: sink, stream: stream)

        var result: ConversionReport
        do {
            result = try pipeline.run()
            if prepared.part != nil { result.framesRead -= start.checkpoint?.frame ?? 0 }
        } catch is CancellationError {
            throw Signals.shared.failure
        } catch let mismatch as SourceMismatch {
            throw mismatch
        } catch {
            throw JobStep(pipeline.failedStage).failure(error, at: input.input)
        }
        kept.folder?.remove()
        Signals.shared.didCloseOutput()
        var notes = reader.notes + work.notes(reader) + sink.notes
        notes += branches.flatMap(\.notes.asNotes)
        notes += Self.notes(of: result).asNotes
        if let tell = work.tell {
            tell(reporter, result, notes)
        } else {
            reporter.finished(
                result, output: output.output, notes: notes,
                bound: work.isChain ? try? memoryBound(work, reader.stream, stream) : nil)
        }
        return !result.damage.isEmpty
    }

    /// Returns what was done that the user may not expect.
    private static func notes(of report: ConversionReport) -> [String] {
        guard report.longHolds > 0 else { return [] }
        let held = counted(report.longHolds, "frame stands", "frames stand")
        return [
            "\(held) still for much longer than those round it and no frames were made in that time (--long-holds interpolate makes them)"
        ]
    }

    /// Returns the maximum number of frames alive at once, including those kept for extra outputs.
    private func memoryBound(
        _ work: ConversionWork, _ source: VideoStreamDescription, _ result: VideoStreamDescription
    ) throws -> MemoryBound {
        var bound = try work.chain.memoryBound(for: source)
        bound.parts += work.extras.kept(result)
        return bound
    }

    private func checkOptions(_ work: ConversionWork) throws(FrameError) {
        try report.check(output: output.output)
        if !work.hasEvenTimes, OutputKind(output).lacksTimes {
            throw FrameError(
                .invalidArgument,
                "y4m has no timestamps, so it cannot hold the uneven times of these phases; use evenly spaced ones (\(work.isChain ? "slomo=x3" : "--factor")) or a container such as .mkv"
            )
        }
    }
}
