internal import ArgumentParser

/// `vfx compare`: how a clip differs from what was made of it.
struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compare a clip with what was made of it, frame by frame.",
        discussion: """
            Prints PSNR and SSIM of the frames that both clips show at the same moments.
            With -o also writes a page, one file, that shows them over time, frames of
            both under a slider, and the best frames.

            Where sizes or formats differ, the second clip is brought to those of the
            first. Slow motion is told by the lengths of the clips, unless --stretch says
            it.

            EXAMPLES
              vfx compare before.mp4 after.mp4 -o report.html
              vfx compare before.mp4 slow.mp4 --stretch 4 --json
            """)

    @Argument(help: "Clip as it was: a video file or URL.")
    var before: String

    @Argument(help: "What was made of it: a video file or URL.")
    var after: String

    @Option(name: [.short, .long], help: ArgumentHelp("Page to write, e.g. report.html.", valueName: "file"))
    var output: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How often the second clip stretches time, 1 to 1000.", valueName: "number"))
    var stretch: String?

    @Flag(help: "Take interlaced pictures as they are.")
    var allowInterlaced = false

    @Flag(help: "Read nothing from the network.")
    var noNetwork = false

    @Flag(help: "Replace an existing page.")
    var overwrite = false

    @OptionGroup var threading: ThreadOptions

    @Flag(help: "Print the figures on standard output as one JSON object.")
    var json = false

    @Flag(help: "Print errors only.")
    var quiet = false

    func run() throws { try CompareJob(self).run() }
}
