public import ArgumentParser
internal import CommandLineCore
internal import FrameCore
internal import FrameEffects
internal import Jobs
public import Pipeline

/// The options of all commands that make a video from a video.
struct CommonOptions: ParsableArguments {
    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Input") var fieldRate: FieldRateOptions
    @OptionGroup(title: "Part of the input") var part: PartOptions
    @OptionGroup(title: "Before a long run") var preview: PreviewOptions
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Many inputs") var batch: BatchOptions
    @OptionGroup(title: "Effect") var effect: EffectOptions
    @OptionGroup(title: "Effect") var cutList: CutListOptions
    @OptionGroup(title: "Reports") var report: ReportOptions
    @OptionGroup(title: "Many machines") var division: DivisionOptions
}

/// How a job is divided among machines.
struct DivisionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write a plan for encoding on many machines to this folder instead of making the video; see vfx work, vfx join and vfx submit.",
            valueName: "folder"))
    var plan: String?

    @Flag(
        help:
            "With --plan: decode the whole input instead of trusting the packets of mp4 and Matroska files; vfx join reports when this is needed."
    )
    var planByDecoding = false
}

/// The input, and how to read it.
struct InputOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Video file, URL, - for standard input, or images: in_%04d.png, a quoted '*.png', or a folder.",
            valueName: "input"))
    var inputs: [String]

    /// The only input of a job.
    var input: String {
        get { inputs.first ?? "" }
        set { inputs = [newValue] }
    }

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Frame rate of an input without timestamps, such as images (default: 25) or raw H.264 (y4m states its own).",
            valueName: "rate"))
    var inputFps: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Number of the first image. Default: the lowest.", valueName: "number"))
    var startNumber: Int?

    @OptionGroup var fields: FieldOptions

    @Flag(help: "Fail on damaged input instead of keeping what can be decoded.")
    var strict = false

    @Flag(help: "Do not read anything from the network.")
    var noNetwork = false

    @OptionGroup var dolbyVision: DolbyVisionOptions

    /// Returns the input and the part of it that is used.
    ///
    /// - Throws: `FrameError` if a value is not allowed.
    func description(part: PartOptions) throws(FrameError) -> ConversionInput {
        var description = ConversionInput(input, part: try part.part())
        description.frameRate = try frameRate()
        description.startNumber = startNumber
        description.fields = try fields.handling()
        description.isStrict = strict
        description.allowsNetwork = !noNetwork
        description.ignoresDolbyVision = dolbyVision.ignoreDolbyVision
        return description
    }

    /// Returns the value of `--input-fps`; nil if it was not given.
    ///
    /// - Throws: ``FrameError`` if the value is not a frame rate.
    func frameRate() throws(FrameError) -> Rational? {
        guard let text = inputFps else { return nil }
        return try OptionValue.frameRate(text, option: "--input-fps")
    }
}

/// What to do with Dolby Vision that other players cannot show.
struct DolbyVisionOptions: ParsableArguments {
    @Flag(
        help:
            "Process Dolby Vision without a base layer (profile 5) like any other video; colors will be wrong."
    )
    var ignoreDolbyVision = false
}

/// The API's quality levels by their names on the command line.
enum QualityName: String, ExpressibleByArgument, CaseIterable {
    case normal, high

    var prioritization: QualityPrioritization { self == .high ? .quality : .normal }
}

/// Options common to all effects.
struct EffectOptions: ParsableArguments {
    @Option(help: "Trade-off between speed and image quality.")
    var quality: QualityName = .normal

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Number of threads. Default: one per core. The result does not depend on it.", valueName: "number"))
    var threads: String?
}

/// What to print during and after a job.
struct ReportOptions: ParsableArguments {
    @Flag(help: "Print statistics at the end: frames, speed, memory, cuts and effect measurements.")
    var stats = false

    @Flag(help: "Print events on standard output, one JSON object per line.")
    var json = false

    @Flag(help: "Print errors only.")
    var quiet = false

    @Flag(help: "Print details of the input and the output.")
    var verbose = false

    /// The input as named in events; nil if it is the only one. Not an option.
    var file: String?

    /// - Throws: ``FrameError`` if options contradict each other.
    func check(output: String) throws(FrameError) {
        if json, output == "-" {
            throw FrameError(
                .invalidArgument,
                "--json and -o - both need standard output; write the video to a file or leave --json out")
        }
        if quiet, verbose {
            throw FrameError(.invalidArgument, "--quiet and --verbose are mutually exclusive; give only one of them")
        }
    }
}

/// What commands print that do a part of a job.
struct PartReportOptions: ParsableArguments {
    @Flag(help: "Print events on standard output, one JSON object per line.")
    var json = false

    @Flag(help: "Print errors only.")
    var quiet = false

    /// The same among the options of a whole job.
    var report: ReportOptions {
        var options = ReportOptions()
        (options.stats, options.verbose, options.json, options.quiet) = (false, false, json, quiet)
        return options
    }
}

/// Whether to copy audio; for commands that keep the speed.
struct AudioOptions: ParsableArguments {
    enum Audio: String, ExpressibleByArgument, CaseIterable { case copy, drop }

    @Option(help: "Copy the audio unchanged, or drop it.")
    var audio: Audio = .copy

    var treatment: ConversionOutput.Audio { audio == .drop ? .drop : .keep }
}

extension CutTreatment: ExpressibleByArgument {}
extension Deblocking: ExpressibleByArgument {}
extension LongHoldTreatment: ExpressibleByArgument {}

/// What to show across a scene cut and in a long hold; for commands that add frames.
struct CutOptions: ParsableArguments {
    @Option(help: "What to show across a scene cut: hold the earlier frame or blend both. Default: hold.")
    var atCut: CutTreatment?

    @Option(
        help:
            "How to treat frames that last much longer than their neighbours, as in screen recordings and slides: hold them until shortly before the next frame, or interpolate throughout. Default: hold."
    )
    var longHolds: LongHoldTreatment?
}

/// The number of threads; for commands whose result is not a video.
struct ThreadOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Number of threads. Default: one per core. The result does not depend on it.", valueName: "number"))
    var threads: String?

    /// - Throws: ``FrameError`` if the number is not allowed.
    func count() throws(FrameError) -> Int { try OptionValue.threads(threads) }
}
