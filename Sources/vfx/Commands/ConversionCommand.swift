internal import ArgumentParser
internal import FrameCore
internal import Jobs
internal import MediaIO
internal import Pipeline

/// A command that makes a video from a video. It defines its own options and their meaning; everything else is shared.
protocol ConversionCommand: BatchCommand {
    var common: CommonOptions { get set }
    /// Returns the work that the command's options describe.
    ///
    /// - Parameter options: the options common to all effects.
    /// - Throws: an error if a value is not allowed.
    func work(_ options: ConversionOptions) throws -> ConversionWork
    /// The file of effects that the command reads; nil for none. A plan keeps a copy of it.
    var recipe: String? { get set }
    /// The file of measured noise that the command reads; nil for none. A plan keeps a copy of it.
    var noiseModel: String? { get set }
    /// The files that the command writes in addition to the video.
    var extraFiles: [WritableKeyPath<Self, String?>] { get }
}

extension ConversionCommand {
    var recipe: String? {
        get { nil }
        set {}
    }
    var noiseModel: String? {
        get { nil }
        set {}
    }
    var extraFiles: [WritableKeyPath<Self, String?>] { [] }

    func convert() throws { try ConversionJob(common, work, recipe: recipe, noiseModel: noiseModel).run() }

    mutating func run() throws { try runBatch() }

    /// Makes all paths absolute, as they were meant when the command was given.
    ///
    /// - Parameters:
    ///   - directory: the folder in which the command was given.
    ///   - job: the folder of the divided job, which holds copies of the files that the command reads.
    mutating func resolvePaths(in directory: String, job: String) {
        common.input.input = absolutePath(common.input.input, in: directory)
        common.output.output = absolutePath(common.output.output, in: directory)
        for path in extraFolders + extraFiles {
            self[keyPath: path] = self[keyPath: path].map { absolutePath($0, in: directory) }
        }
        if recipe != nil { recipe = job + "/" + DividedJob.recipeName }
        if noiseModel != nil { noiseModel = job + "/" + DividedJob.noiseName }
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
    var batchSearch: BatchSearch { common.batch.search }
    var batchOverwrites: Bool {
        get { common.output.overwrite }
        set { common.output.overwrite = newValue }
    }
    var batchResumes: Bool {
        get { common.output.resume }
        set { common.output.resume = newValue }
    }
    var writesFiles: Bool { !common.preview.estimate }
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
        guard extraFiles.allSatisfy({ self[keyPath: $0] == nil }) else {
            throw FrameError(
                .invalidArgument,
                "--grain-table holds the grain of one clip; give only one input, and a file as output")
        }
    }
}

/// What a command does with its frames; everything else is the same for all commands.
struct ConversionWork {
    var chain: EffectChain
    var cuts = CutSearch.lookingAhead
    /// How the times of other streams are mapped to the output.
    var retiming = Retiming.identity
    var audio: MediaWriterOptions.Audio
    /// Whether a source with evenly spaced frames gives an output with evenly spaced frames.
    var hasEvenTimes = true
    /// The error message for a single image, with advice; nil accepts single images.
    var adviceOnStills: String?
    /// Whether the chain was composed by the user.
    var isChain = false
    /// How removed noise is modelled as film grain; nil if it is not.
    var grain: FilmGrainJob?
    /// Additional outputs made from the result.
    var extras = ExtraOutputs()

    /// The settings that the result depends on; nil if the effects' summaries state them.
    var settings: [CheckpointSetting]?
    /// Checks the input after it is opened.
    var check: (MediaReader) throws -> Void = { _ in }
    /// Returns the size in bytes of all frames alive at once; nil uses the chain's memory bound.
    var frameBytes: ((VideoStreamDescription) -> Int)?
    /// Returns libavutil's name of the pixel format to encode if the user gives none; nil leaves the choice to the
    /// writer.
    var pixelFormat: (VideoStreamDescription) -> String? = { _ in nil }
    /// Returns notes to print at the end, in addition to those of the reader and the writer.
    var notes: (MediaReader) -> [Note] = { _ in [] }
    /// Reports what was done, given all notes; nil uses the standard report.
    var tell: ((Reporter, ConversionReport, [Note]) -> Void)?

    /// Whether each frame is processed as it arrives, so that those of a live input are written at once.
    var isImmediate: Bool { chain.isImmediate && !cuts.looksAhead }

    /// Returns work that shows frames at the times of `plan` and interpolates those between source frames.
    static func interpolation(
        _ plan: some TimingPlan, hasEvenTimes: Bool = true, retiming: Retiming, audio: MediaWriterOptions.Audio,
        options: ConversionOptions
    ) -> ConversionWork {
        ConversionWork(
            chain: EffectChain(FrameRateConversionPass(plan: plan, options: options)), retiming: retiming, audio: audio,
            hasEvenTimes: hasEvenTimes)
    }
}
