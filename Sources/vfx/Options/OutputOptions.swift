public import ArgumentParser
internal import FrameCore
public import MediaIO

extension MediaWriterOptions.Codec: ExpressibleByArgument {}

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
