public import ArgumentParser
internal import FrameCore
internal import FrameEffects
public import MediaIO
public import Pipeline

/// Names on the command line for the API's qualities.
enum QualityName: String, ExpressibleByArgument, CaseIterable {
    case normal, high

    var prioritization: QualityPrioritization { self == .high ? .quality : .normal }
}

extension CutTreatment: ExpressibleByArgument {}
extension MediaWriterOptions.Codec: ExpressibleByArgument {}

/// What is read and how.
struct InputOptions: ParsableArguments {
    @Argument(help: "Video file, URL, or - for standard input.")
    var input: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Frame rate of an input that has no times of its own (raw .264, y4m says it itself).", valueName: "rate"))
    var inputFps: String?

    @Flag(help: "Take interlaced pictures as they are.")
    var allowInterlaced = false

    @Flag(help: "Refuse damaged input instead of saving what decodes.")
    var strict = false

    @Flag(help: "Read nothing from the network.")
    var noNetwork = false
}

/// What is written and how.
struct OutputOptions: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "File to write, - for standard output, or a picture name such as out_%05d.png.", valueName: "file"))
    var output: String

    @Option(
        help: ArgumentHelp(
            "Container, e.g. matroska or yuv4mpegpipe; null writes nothing. Default: by the output's name.",
            valueName: "name"))
    var format: String?

    @Option(help: "Video codec. Default: what suits the container.")
    var codec: MediaWriterOptions.Codec?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Quality on the encoder's own scale, smaller is better.", valueName: "number"))
    var crf: String?

    @Option(help: ArgumentHelp("The encoder's preset.", valueName: "name"))
    var preset: String?

    @Option(
        help: ArgumentHelp(
            "Pixel format to encode, e.g. yuv420p10le. Default: the input's, where the codec can.", valueName: "name"))
    var pixelFormat: String?

    @Flag(help: "Replace an existing output.")
    var overwrite = false

    @Flag(help: "Go on with what an interrupted run of the same job has kept.")
    var resume = false

    func parsedCRF() throws(FrameError) -> Double? {
        guard let text = crf else { return nil }
        guard let value = Double(text), value.isFinite, (0...100).contains(value) else {
            throw FrameError(.invalidArgument, "--crf '\(text)' is not a number from 0 to 100")
        }
        return value
    }
}

/// How frames are made.
struct EffectOptions: ParsableArguments {
    @Option(help: "Trade between speed and picture quality.")
    var quality: QualityName = .normal

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Threads to work with. Default: one per core. The pictures do not depend on it.", valueName: "number"))
    var threads: String?
}

/// What is made where there is nothing to make it from; for commands that add frames.
struct CutOptions: ParsableArguments {
    @Option(help: "What to show across a scene cut.")
    var atCut: CutTreatment = .hold

    func applied(to options: ConversionOptions) -> ConversionOptions {
        var options = options
        options.atCut = atCut
        return options
    }
}

/// What becomes of sound; for commands that keep the speed.
struct CarriedAudioOptions: ParsableArguments {
    enum Audio: String, ExpressibleByArgument, CaseIterable { case copy, drop }

    @Option(help: "Copy audio untouched, or leave it out.")
    var audio: Audio = .copy

    var treatment: MediaWriterOptions.Audio { audio == .drop ? .drop : .carry }
}

/// What is told meanwhile.
struct ReportOptions: ParsableArguments {
    @Flag(help: "Print figures at the end: frames, speed, memory, cuts and what the effect did.")
    var stats = false

    @Flag(help: "Print events on standard output, one JSON object per line.")
    var json = false

    @Flag(help: "Print errors only.")
    var quiet = false

    @Flag(help: "Print what is known of the input and the output.")
    var verbose = false

    /// - Throws: ``FrameError`` for what excludes each other.
    func check(output: String) throws(FrameError) {
        if json, output == "-" {
            throw FrameError(
                .invalidArgument,
                "--json and -o - both need standard output; write the video to a file or leave --json out")
        }
        if quiet, verbose {
            throw FrameError(.invalidArgument, "--quiet and --verbose exclude each other; give one of them")
        }
    }
}

/// What all commands that make a video of a video take.
struct CommonOptions: ParsableArguments {
    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Effect") var effect: EffectOptions
    @OptionGroup(title: "Reports") var report: ReportOptions
}
