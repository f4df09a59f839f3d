internal import ArgumentParser
internal import FrameCore
internal import Jobs
internal import Pipeline

/// A command that makes a video from a video. It defines its own options and returns a job; everything else is shared.
protocol ConversionCommand: BatchCommand {
    var common: CommonOptions { get set }
    /// Returns the job that the options describe.
    ///
    /// - Throws: an error if a value is not allowed.
    func conversion() throws -> Conversion
    /// The error message for a single image, with advice; nil accepts single images.
    var adviceOnStills: String? { get }
    /// Whether each effect is reported on its own.
    var reportsEffects: Bool { get }
    /// The files that the command writes in addition to the video.
    var extraFiles: [WritableKeyPath<Self, String?>] { get }
}

extension ConversionCommand {
    var adviceOnStills: String? { nil }
    var reportsEffects: Bool { false }
    var extraFiles: [WritableKeyPath<Self, String?>] { [] }

    func convert() throws { try runConversion() }

    /// Runs the job that the options describe.
    func runConversion() throws {
        var options = common.runOptions
        options.adviceOnStills = adviceOnStills
        options.reportsEffects = reportsEffects
        try ConversionJob(options).run(conversion)
    }

    mutating func run() throws { try runBatch() }
}

extension CommonOptions {
    /// How the job is run.
    var runOptions: RunOptions {
        RunOptions(
            overwrites: output.overwrite, resumes: output.resume, threads: effect.threads, preview: preview,
            division: division, report: report)
    }

    /// Returns the job that the options and some effects describe.
    ///
    /// - Parameters:
    ///   - effects: the effects.
    ///   - audio: what becomes of the audio.
    ///   - cuts: what is shown across cuts and in long holds.
    ///   - repeats: what becomes of frames that repeat the picture before them.
    ///   - loop: whether the last frame leads to the first.
    func conversion(
        _ effects: [EffectStep], audio: ConversionOutput.Audio, cuts: CutOptions? = nil,
        repeats: RepeatOptions? = nil, loop: LoopOptions? = nil
    ) throws -> Conversion {
        var job = Conversion(
            input: try input.description(part: part), effects: effects, quality: effect.quality.prioritization,
            output: try output.description(audio: audio))
        (job.input.fieldRate, job.input.cadence) = (fieldRate.fieldRate, fieldRate.cadence)
        job.input.repeats = repeats?.repeats ?? job.input.repeats
        job.input.loops = loop?.loop ?? false
        job.cuts = try cutList.description()
        job.atCut = cuts?.atCut ?? job.atCut
        job.longHolds = cuts?.longHolds ?? job.longHolds
        guard cutList.cutThreshold == nil || job.detectsCuts else {
            throw FrameError(
                .invalidArgument,
                "--cut-threshold applies to effects that look ahead for cuts; this one detects them in its own way")
        }
        return job
    }
}

extension ConversionCommand {
    var batchInputs: [String] {
        get { common.input.inputs }
        set { common.input.inputs = newValue }
    }
    var batchOutput: String? {
        get { common.output.output }
        set { common.output.output = newValue ?? "" }
    }
    var file: String? {
        get { common.report.file }
        set { common.report.file = newValue }
    }
    var batchSearch: BatchSearch { common.batch.search }
    var batchOverwrites: Bool {
        get { common.output.overwrite }
        set { common.output.overwrite = newValue }
    }
    var batchResumes: Bool {
        get { common.output.resume }
        set { common.output.resume = newValue }
    }
    var writesFiles: Bool { !common.preview.estimate && !common.preview.printJob }
    var continuesOutputs: Bool { true }
    var printsJSON: Bool { common.report.json }
    var isQuiet: Bool { common.report.quiet }

    func checkSeveralInputs() throws(FrameError) {
        guard common.division.plan == nil else {
            throw FrameError(.invalidArgument, "--plan divides one job; plan each input separately")
        }
        guard common.preview.previewReport == nil else {
            throw FrameError(.invalidArgument, "--preview-report compares one preview; give only one input")
        }
        guard !common.preview.printJob else {
            throw FrameError(.invalidArgument, "--print-job prints one job; give only one input")
        }
        guard extraFiles.allSatisfy({ self[keyPath: $0] == nil }) else {
            throw FrameError(
                .invalidArgument,
                "--grain-table holds the grain of one clip; give only one input, and a file as output")
        }
    }
}
