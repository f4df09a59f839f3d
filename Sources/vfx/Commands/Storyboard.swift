internal import ArgumentParser
internal import FrameCore

/// `vfx storyboard`: thumbnails for a seek bar.
struct Storyboard: BatchCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write seek-bar thumbnails in all track formats, or look one up.",
        discussion: """
            One pass over the video writes sheets of tiles and the tracks that refer to
            them: WebVTT (.vtt with #xywh=, and -bare.vtt), a grid description, a DASH
            adaptation set, HLS image and I-frame playlists, Jellyfin's trickplay folder,
            small sheets and BIF files for Roku, and player.html, which demonstrates the
            result. --formats chooses among them.

            EXAMPLES
              vfx storyboard in.mp4 -o board/ --interval 5 --grid 10x10 --width 320
            Much faster, from keyframes only:
              vfx storyboard in.mp4 -o fast/ --keyframes
            Of each video in a folder, into boards/clip.mp4/ and so on:
              vfx storyboard footage/ -o boards/ --recursive
            What a player shows at 61.2 s:
              vfx storyboard --lookup board/storyboard.vtt --at 61.2 -o tile.jpg
            """)

    @Argument(help: ArgumentHelp("Video file or URL.", valueName: "input"))
    var inputs: [String] = []

    /// The only input; nil if none is given.
    var input: String? { inputs.first }

    @OptionGroup(title: "Part of the input") var part: PartOptions

    @OptionGroup(title: "Many inputs") var batch: BatchOptions

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Output folder, for several inputs the folder of their folders, or the output image with --lookup.",
            valueName: "name"))
    var output: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Time between tiles, in whole milliseconds, or a number of frames such as 48f. Default: 10.",
            valueName: "time")
    )
    var interval: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Tiles per sheet, columns by rows. Default: 10x10.", valueName: "CxR"))
    var grid: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Tile width in pixels, an even number. Default: 320.", valueName: "px"))
    var width: String?

    @Flag(help: "Decode keyframes only.")
    var keyframes = false

    @Flag(help: "Write one image per tile instead of sheets.")
    var single = false

    @Flag(help: "Write WebP instead of JPEG; not all players support it.")
    var webp = false

    @Option(parsing: .unconditional, help: ArgumentHelp("Image quality, 1 to 100. Default: 75.", valueName: "number"))
    var quality: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "What to write, separated by commas: vtt, castlabs, dash, hls, iframes, jellyfin, roku, page. Default: all.",
            valueName: "name,..."))
    var formats: String?

    @Option(
        help: ArgumentHelp("Address of the folder with the sheets, for the grid description.", valueName: "URL"))
    var baseURL: String?

    @Option(help: ArgumentHelp("Look up a thumbnail in this track (WebVTT, grid or BIF) instead.", valueName: "track"))
    var lookup: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Time to look up.", valueName: "time"))
    var at: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Number of threads. Default: one per core.", valueName: "number"))
    var threads: String?

    @Flag(help: "Do not read anything from the network.")
    var noNetwork = false

    @OptionGroup var dolbyVision: DolbyVisionOptions

    @Flag(help: "Write into an existing folder and replace what vfx wrote there; other files are kept.")
    var overwrite = false

    @Flag(help: "Skip inputs whose folders are complete and not older.")
    var resume = false

    @Flag(help: "Print the result as one JSON object on standard output.")
    var json = false

    @Flag(help: "Print errors only.")
    var quiet = false

    /// The input as named in events; nil if it is the only one. Not an option.
    var file: String?

    func run() throws {
        if let track = lookup {
            try StoryboardLookup(self, track: track).run()
        } else {
            try runBatch()
        }
    }

    func convert() throws { try StoryboardJob(self).run() }
}

extension Storyboard {
    var batchInputs: [String] {
        get { inputs }
        set { inputs = newValue }
    }
    var batchOutput: String? {
        get { output }
        set { output = newValue ?? "" }
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
    var printsJSON: Bool { json }
    var isQuiet: Bool { quiet }
}
