internal import ArgumentParser

/// `vfx compare`: measures how a processed clip differs from the original.
struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compare a clip with a processed version of it, frame by frame.",
        discussion: """
            Prints PSNR and SSIM of the frames that both clips show at the same times.
            With -o, also writes a self-contained page with these figures over time, the
            frames of both clips under a slider, and the best frames.

            If sizes or formats differ, the second clip is converted to those of the
            first. Slow motion is detected from the lengths of the clips unless --stretch
            is given. With a part of the first clip, the second one is either processed
            from the whole clip or from that part, according to its length. Interlaced
            frames are compared as the pictures of their first fields; --fields tff and
            bff are for the first clip.

            EXAMPLES
              vfx compare before.mp4 after.mp4 -o report.html
              vfx compare before.mp4 slow.mp4 --stretch 4 --json
              vfx compare before.mp4 after.mp4 --from 1:20 --duration 10
            """)

    @Argument(help: "Original clip: a video file or URL.")
    var before: String

    @Argument(help: "Processed clip: a video file or URL.")
    var after: String

    @Option(name: [.short, .long], help: ArgumentHelp("HTML page to write, e.g. report.html.", valueName: "file"))
    var output: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Factor by which the second clip stretches time, 1 to 1000.", valueName: "number"))
    var stretch: String?

    @OptionGroup(title: "Part of the first clip") var part: PartOptions

    @OptionGroup var fields: FieldOptions

    @Flag(help: "Do not read anything from the network.")
    var noNetwork = false

    @OptionGroup var dolbyVision: DolbyVisionOptions

    @Flag(help: "Replace an existing page.")
    var overwrite = false

    @OptionGroup var threading: ThreadOptions

    @Flag(help: "Print the figures as one JSON object on standard output.")
    var json = false

    @Flag(help: "Print errors only.")
    var quiet = false

    func run() throws { try CompareJob(self).run() }
}
