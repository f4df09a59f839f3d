internal import ArgumentParser
internal import FrameCore
internal import MediaIO
internal import Pipeline

/// What to do with the noise that is removed.
struct GrainOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Film grain: keep stores the removed noise as AV1 film grain, which players add again; add=4 adds grain to the frames, of a strength from 0 to 32 or from a grain table.",
            valueName: "keep|add=..."))
    var grain: String?

    @Option(help: ArgumentHelp("Write the removed noise as a grain table for AV1 encoders.", valueName: "file"))
    var grainTable: String?

    /// The grain that is added to the frames; nil for none.
    ///
    /// - Throws: `FrameError` if the option is not understood.
    func added() throws(FrameError) -> GrainSource? {
        switch grain {
        case nil, "keep": return nil
        case let text? where text.hasPrefix("add="): return try GrainSource(String(text.dropFirst(4)))
        case let text?:
            throw FrameError(
                .invalidArgument,
                "--grain '\(text)' is not keep, add=STRENGTH with a strength from 0 to 32, or add=FILE with a grain table"
            )
        }
    }

    /// Whether the removed noise is stored with the video.
    var isKept: Bool { grain == "keep" }
}
