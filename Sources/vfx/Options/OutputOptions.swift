public import ArgumentParser
internal import CommandLineCore
internal import FrameCore
internal import Glibc
public import MediaIO

extension MediaWriterOptions.Codec: ExpressibleByArgument {}

/// The output, and how to write it.
struct OutputOptions: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Output file, - for standard output, or numbered images such as out_%05d.png; for several inputs, the folder of their outputs.",
            valueName: "file"))
    var output: String

    @Option(
        help: ArgumentHelp(
            "Container format, e.g. matroska or yuv4mpegpipe; null writes nothing. Default: by the output's extension.",
            valueName: "name"))
    var format: String?

    @Option(help: "Video codec. Default: chosen to suit the container.")
    var codec: MediaWriterOptions.Codec?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Quality on the encoder's own scale; lower is better.", valueName: "number"))
    var crf: String?

    @Option(help: ArgumentHelp("Encoder preset.", valueName: "name"))
    var preset: String?

    @Option(
        help: ArgumentHelp(
            "Pixel format to encode, e.g. yuv420p10le. Default: the input's, if the codec supports it; 4:2:0 for RGB in mp4.",
            valueName: "name"))
    var pixelFormat: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Number of encoder threads. The file depends on it, so it is the same on every machine. Default: \(MediaWriterOptions.usualEncoderThreads).",
            valueName: "number"))
    var encoderThreads: String?

    @Flag(help: "Replace an existing output.")
    var overwrite = false

    @Flag(help: "Fail if anything of the input would be missing in the output, instead of printing a note.")
    var failOnLoss = false

    @Flag(
        help:
            "Continue an interrupted run of the same job after its finished segments, or end at once if the job is done."
    )
    var resume = false

    @Flag(
        help: "Let the output start at the time at which the input starts. Default: at zero.")
    var keepStart = false

    /// - Throws: ``FrameError`` if the number is not allowed.
    func parsedEncoderThreads() throws(FrameError) -> Int? {
        guard let text = encoderThreads else { return nil }
        return try OptionValue.whole(text, option: "--encoder-threads", range: 1...64)
    }

    func parsedCRF() throws(FrameError) -> Double? {
        guard let text = crf else { return nil }
        guard let value = Double(text), value.isFinite, (0...100).contains(value) else {
            throw FrameError(.invalidArgument, "--crf '\(text)' is not a number from 0 to 100")
        }
        return value
    }
}

/// The kind of output selected by a name and a format option, as needed before the output is opened.
struct OutputKind {
    /// Whether the format stores no times, so that frames must be evenly spaced.
    let lacksTimes: Bool
    /// Whether the output is an encoded video.
    let isVideo: Bool
    /// Why finished segments of the output cannot be kept for another run; nil if they can.
    let obstacleToKeeping: String?
    /// The path of the file to write; nil for any other output.
    let file: String?

    init(_ options: OutputOptions) {
        let name = options.output
        lacksTimes = options.format.map { $0 == "yuv4mpegpipe" || $0 == "y4m" } ?? name.lowercased().hasSuffix(".y4m")
        let isAnimation = AnimationFormat(name, format: options.format) != nil
        let isPicture = (options.format ?? "image2") == "image2" && SingleFile.isPicture(name) && !isAnimation
        isVideo = !lacksTimes && !isPicture && options.format != "null"
        let path = name.hasPrefix("file:") ? String(name.dropFirst(5)) : name
        let isSent = name == "-" || name.hasPrefix("pipe:") || name.contains("://")
        let isFile = options.format != "null" && !isPicture && !isSent && !Self.isDevice(path)
        file = isFile ? path : nil
        if options.format == "null" {
            obstacleToKeeping = "--format null writes no file"
        } else if lacksTimes {
            obstacleToKeeping = "y4m is not encoded in segments"
        } else if isPicture {
            obstacleToKeeping = "images are not encoded in segments"
        } else if isAnimation {
            obstacleToKeeping = "animated images are not encoded in segments"
        } else if isSent {
            obstacleToKeeping = "data that was already sent cannot be resumed"
        } else if Self.isDevice(path) {
            obstacleToKeeping = "this is a device"
        } else {
            obstacleToKeeping = nil
        }
    }

    /// Whether the path exists and is neither a file nor a folder; folders are rejected when the output is opened.
    private static func isDevice(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }
}
