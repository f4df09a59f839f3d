internal import ArgumentParser
internal import Checkpoints
internal import FrameCore
internal import MediaIO
internal import Pipeline

/// A command that makes a video of a video: it has options of its own and says what they mean, the rest is shared.
protocol ConversionCommand: ParsableCommand {
    var common: CommonOptions { get }
    /// - Parameter options: those that all effects take.
    /// - Throws: for values that are not allowed.
    func work(_ options: ConversionOptions) throws -> ConversionWork
}

extension ConversionCommand {
    mutating func run() throws { try ConversionJob(common, work).run() }
}

/// What a command does with the frames it is given; all else is the same for every command.
struct ConversionWork {
    var chain: EffectChain
    var cuts = CutSearch.lookingAhead
    /// What the result's clock makes of the source's.
    var retiming = Retiming.identity
    var audio: MediaWriterOptions.Audio
    /// Whether an evenly timed source gives evenly timed output.
    var hasEvenTimes = true
    /// Says of a single picture what to do instead; nil takes it.
    var adviceOnStills: String?
    /// Whether the work is a chain that the user put together.
    var isChain = false
    /// What is made of the result besides.
    var extras = ExtraOutputs()

    /// What the result depends on, for effects whose own words do not tell.
    var settings: [CheckpointSetting]?
    /// Checks what is read.
    var check: (MediaReader) throws -> Void = { _ in }
    /// Bytes of the frames that are alive at once; nil for the chain's bound.
    var frameBytes: ((VideoStreamDescription) -> Int)?
    /// libavutil's name of the pixel format to encode where the user names none; nil leaves it to the writer.
    var pixelFormat: (VideoStreamDescription) -> String? = { _ in nil }
    /// What is to be noted at the end besides what the reader and the writer note.
    var notes: (MediaReader) -> [String] = { _ in [] }
    /// Tells what was done, given all notes; nil for the usual words.
    var tell: ((Reporter, ConversionReport, [String]) -> Void)?

    /// Frames shown at the times of `plan`, those between source frames made.
    static func interpolation(
        _ plan: some TimingPlan, hasEvenTimes: Bool = true, retiming: Retiming, audio: MediaWriterOptions.Audio,
        options: ConversionOptions
    ) -> ConversionWork {
        ConversionWork(
            chain: EffectChain(FrameRateConversionPass(plan: plan, options: options)), retiming: retiming, audio: audio,
            hasEvenTimes: hasEvenTimes)
    }
}
