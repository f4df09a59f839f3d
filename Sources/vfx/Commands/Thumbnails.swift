internal import ArgumentParser
internal import CommandLineCore
internal import FrameCore

/// `vfx thumbnails`: picks the best frames of a video.
struct ThumbnailsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "thumbnails",
        abstract: "Pick the best frames of a video.",
        discussion: """
            Examines about 100 frames, however long the video is, then searches around the
            best ones for the sharpest, and writes frames that show different things:
            sharp, well lit, lively. Black or white frames, fades, dissolves, color bars
            and pages of text are picked only if there is nothing else.

            The folder receives the images (1.jpg is the best), scores.json,
            contact-sheet.jpg and report.html, which shows why each frame was picked.

            EXAMPLES
              vfx thumbnails in.mp4 -o best/
              vfx thumbnails in.mp4 -o best/ --count 5 --format webp
              vfx thumbnails in.mp4 -o best/ --from 10:00 --to 20:00
            """)

    @OptionGroup(title: "Input") var input: InputOptions

    @OptionGroup(title: "Part of the input") var part: PartOptions

    @Option(name: [.short, .long], help: ArgumentHelp("Output folder; created if needed.", valueName: "folder"))
    var output: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Number of frames to pick, 1 to 100. Default: 3.", valueName: "number"))
    var count: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Number of frames to examine closely, 10 to 2000. Default: 100.", valueName: "number"))
    var candidates: String?

    @Option(help: ArgumentHelp("Image format: jpg, png, webp, avif or jxl. Default: jpg.", valueName: "name"))
    var format: String?

    @Flag(help: "Write into an existing folder and replace what vfx wrote there; other files are kept.")
    var overwrite = false

    @OptionGroup var threading: ThreadOptions

    @OptionGroup(title: "Reports") var report: ReportOptions

    func run() throws {
        let job = try during(.options) {
            try report.check(output: output)
            guard input.inputs.count == 1 else {
                throw FrameError(
                    .invalidArgument, "\(input.inputs.count) inputs are given; thumbnails takes one video")
            }
            return ThumbnailsJob(
                input: input, part: try part.part(),
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
