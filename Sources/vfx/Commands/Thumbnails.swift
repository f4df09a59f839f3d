internal import ArgumentParser
internal import CommandLineCore
internal import FrameCore

/// `vfx thumbnails`: the best frames of a video.
struct ThumbnailsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "thumbnails",
        abstract: "Pick the best frames of a video.",
        discussion: """
            Looks at about 100 frames whatever the length, then round each of the best
            ones for its sharpest neighbour, and writes those that show different things:
            sharp, well lit, lively; never black or white frames, fades, dissolves, bars
            or pages of text while there is anything else.

            The folder gets the pictures (1.jpg is the best), scores.json,
            contact-sheet.jpg and report.html, which shows why each was picked.

            EXAMPLES
              vfx thumbnails in.mp4 -o best/
              vfx thumbnails in.mp4 -o best/ --count 5 --format webp
            """)

    @OptionGroup(title: "Input") var input: InputOptions

    @Option(name: [.short, .long], help: ArgumentHelp("Folder to write; made if need be.", valueName: "folder"))
    var output: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Frames to pick, 1 to 100. Default: 3.", valueName: "number"))
    var count: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Frames to look at closely, 10 to 2000. Default: 100.", valueName: "number"))
    var candidates: String?

    @Option(help: ArgumentHelp("Kind of pictures: jpg, png, webp, avif or jxl. Default: jpg.", valueName: "name"))
    var format: String?

    @Flag(help: "Write into an existing folder and replace what vfx wrote there; other files stay.")
    var overwrite = false

    @OptionGroup var threading: ThreadOptions

    @OptionGroup(title: "Reports") var report: ReportOptions

    func run() throws {
        let job = try during(.options) {
            try report.check(output: output)
            return ThumbnailsJob(
                input: input,
                inputRate: try input.frameRate(),
                output: output, count: try whole(count, "--count", 1...100) ?? 3,
                candidates: try whole(candidates, "--candidates", 10...2000) ?? 100,
                format: try stillFormat(), fileExtension: format ?? "jpg", overwrites: overwrite,
                threads: try threading.count(), report: report)
        }
        try job.run()
    }

    private func whole(_ text: String?, _ option: String, _ range: ClosedRange<Int>) throws(FrameError) -> Int? {
        guard let text else { return nil }
        return try OptionValue.whole(text, option: option, range: range)
    }

    private func stillFormat() throws(FrameError) -> StillFormat {
        let name = format ?? "jpg"
        guard ["jpg", "jpeg", "png", "webp", "avif", "jxl"].contains(name),
            let kind = StillFormat(fileName: "x.\(name)")
        else {
            throw FrameError(.invalidArgument, "--format '\(name)' is not one of jpg, png, webp, avif and jxl")
        }
        return kind
    }
}
