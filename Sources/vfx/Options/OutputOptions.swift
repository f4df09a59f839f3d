public import ArgumentParser
internal import CommandLineCore
internal import FrameCore
internal import Jobs
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
            "Number of encoder threads. It affects the encoded file, so it does not follow the number of cores. Default: \(MediaWriterOptions.usualEncoderThreads).",
            valueName: "number"))
    var encoderThreads: String?

    @Flag(help: "Replace an existing output.")
    var overwrite = false

    @Flag(help: "Fail if anything in the input would be lost, instead of printing a note.")
    var failOnLoss = false

    @Flag(
        help:
            "Resume an interrupted job after its finished segments; exit at once if it is already complete."
    )
    var resume = false

    @Flag(
        help: "Keep the start time of the input. Default: the output starts at zero.")
    var keepStart = false

    /// Returns the output and how it is encoded.
    ///
    /// - Throws: `FrameError` if a value is not allowed.
    func description(audio: ConversionOutput.Audio) throws(FrameError) -> ConversionOutput {
        var description = ConversionOutput(output)
        description.format = format
        description.codec = codec
        description.crf = try parsedCRF()
        description.preset = preset
        description.pixelFormat = pixelFormat
        description.encoderThreads = try parsedEncoderThreads() ?? description.encoderThreads
        description.keepsStart = keepStart
        description.failsOnLoss = failOnLoss
        description.audio = audio
        return description
    }

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
