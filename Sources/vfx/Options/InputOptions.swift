internal import ArgumentParser
internal import CommandLineCore
internal import FrameCore

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

    /// - Throws: ``FrameError`` when the rate given is none.
    func frameRate() throws(FrameError) -> Rational? {
        guard let text = inputFps else { return nil }
        return try FrameRateValue.parse(text, option: "--input-fps")
    }
}
