internal import ArgumentParser
internal import CommandLineCore
internal import FrameCore

/// A short sample of the result, or an estimate, instead of all of it.
struct PreviewOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Process only 2 seconds of the input, starting at this time or frame.", valueName: "time"))
    var preview: String?

    @Option(
        help: ArgumentHelp(
            "With --preview: also write a page that compares the preview with the input.", valueName: "file"))
    var previewReport: String?

    @Flag(
        help:
            "Process samples instead of the whole clip, and print the estimated frame count, output size, duration and peak memory."
    )
    var estimate = false

    @Flag(help: "Do not make the video, but print the job as JSON, for vfx run.")
    var printJob = false

    /// How much of the input a preview shows.
    private static let length = MediaTime(value: 2, timescale: 1)

    /// Returns the part to process; nil for all of the input.
    ///
    /// - Parameter chosen: the part that the job chooses.
    /// - Throws: ``FrameError`` if the options contradict each other or a value is not allowed.
    func part(or chosen: ClipPart?) throws(FrameError) -> ClipPart? {
        guard let preview else {
            guard previewReport == nil else {
                throw FrameError(.invalidArgument, "--preview-report requires --preview")
            }
            return chosen
        }
        guard chosen == nil else {
            throw FrameError(
                .invalidArgument,
                "--preview and --from, --to and --duration are mutually exclusive; give only one of them")
        }
        guard previewReport != "-" else {
            throw FrameError(.invalidArgument, "the page cannot be written to standard output; name a file")
        }
        let start = try OptionValue.position(preview, option: "--preview")
        return try ClipPart(start: start, end: .length(.time(Self.length)))
    }
}
