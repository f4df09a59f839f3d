internal import ArgumentParser
internal import CommandLineCore
internal import FrameCore
internal import Jobs

/// `vfx thumbnails`: picks the best frames of a video.
struct ThumbnailsCommand: BatchCommand {
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
            Of each video in a folder, into best/clip.mp4/ and so on:
              vfx thumbnails footage/ -o best/ --recursive
            """)

    @OptionGroup(title: "Input") var input: InputOptions

    @OptionGroup(title: "Part of the input") var part: PartOptions

    @OptionGroup(title: "Many inputs") var batch: BatchOptions

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Output folder; created if needed. For several inputs, the folder of their folders.", valueName: "folder"))
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

    @Flag(help: "Skip inputs whose folders are complete and not older.")
    var resume = false

    @OptionGroup var threading: ThreadOptions

    @OptionGroup(title: "Reports") var report: ReportOptions

    func run() throws { try runBatch() }

    func convert() throws {
        let job = try during(.options) {
            try report.check(output: output)
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

extension ThumbnailsCommand {
    var batchInputs: [String] {
        get { input.inputs }
        set { input.inputs = newValue }
    }
    var batchOutput: String? {
        get { output }
        set { output = newValue ?? "" }
    }
    var file: String? {
        get { report.file }
        set { report.file = newValue }
    }
    var makesFolders: Bool { true }
    var batchOverwrites: Bool {
        get { overwrite }
        set { overwrite = newValue }
    }
    var batchResumes: Bool {
        get { resume }
        set { resume = newValue }
    }
    var batchSearch: BatchSearch { batch.search }
    var printsJSON: Bool { report.json }
    var isQuiet: Bool { report.quiet }
}
