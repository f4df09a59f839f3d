internal import ArgumentParser

/// `vfx info`: what a file holds.
struct Info: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show streams, timing, color, cuts and duplicates of a file.",
        discussion: """
            Reads the head, then decodes every picture of the video that the other commands
            would take, since heads are often wrong. Interlaced video is shown as it is. A
            file without video gets its streams listed.

            EXAMPLES
              vfx info in.mp4
            Head and first picture only:
              vfx info in.mp4 --fast
            For programs:
              vfx info in.mp4 --json
            """)

    @Argument(help: "Media file, URL, or - for standard input.")
    var input: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Frame rate of an input that has no times of its own (raw .264).", valueName: "rate"))
    var inputFps: String?

    @Flag(help: "Do not decode the clip: no frame count, cuts or duplicates.")
    var fast = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Threads to decode with. Default: one per core.", valueName: "number"))
    var threads: String?

    @Flag(help: "Read nothing from the network.")
    var noNetwork = false

    @Flag(help: "Print one JSON object on standard output.")
    var json = false

    @Flag(help: "Print the result and errors only, no progress.")
    var quiet = false

    func run() throws { try InfoJob(self).run() }
}
