internal import ArgumentParser
internal import CommandLineCore
internal import FrameCore

/// How many threads work; for commands whose result is not a video.
struct ThreadOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Threads to work with. Default: one per core. The result does not depend on it.", valueName: "number"))
    var threads: String?

    /// - Throws: ``FrameError`` when it is not a number that is allowed.
    func count() throws(FrameError) -> Int { try ThreadCount.parse(threads) }
}
