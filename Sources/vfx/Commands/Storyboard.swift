internal import ArgumentParser

/// `vfx storyboard`: thumbnails for a seek bar.
struct Storyboard: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write thumbnails for a seek bar, in every track format; or look one up.",
        discussion: """
            One pass over the video writes sheets of tiles and, for them: WebVTT (.vtt with
            #xywh=, and -bare.vtt), a grid description, a DASH adaptation set, HLS image and
            I-frame playlists, Jellyfin's trickplay folder, small sheets and BIF files for
            Roku, and player.html, which shows them working.

            EXAMPLES
              vfx storyboard in.mp4 -o board/ --interval 5 --grid 10x10 --width 320
            Much faster, from key frames alone:
              vfx storyboard in.mp4 -o fast/ --keyframes
            What a player shows at 61.2 s:
              vfx storyboard --lookup board/storyboard.vtt --at 61.2 -o tile.jpg
            """)

    @Argument(help: "Video file or URL.")
    var input: String?

    @Option(
        name: [.short, .long], help: ArgumentHelp("Folder to write, or the picture of --lookup.", valueName: "name"))
    var output: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How long each tile stands, in whole milliseconds. Default: 10.", valueName: "seconds"))
    var interval: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Tiles on a sheet, columns by rows. Default: 10x10.", valueName: "CxR"))
    var grid: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Width of a tile in pixels, even. Default: 320.", valueName: "px"))
    var width: String?

    @Flag(help: "Decode key frames alone.")
    var keyframes = false

    @Flag(help: "Write one picture per tile instead of sheets.")
    var single = false

    @Flag(help: "Write WebP instead of JPEG; not all players show it.")
    var webp = false

    @Option(parsing: .unconditional, help: ArgumentHelp("1 to 100. Default: 75.", valueName: "number"))
    var quality: String?

    @Option(
        help: ArgumentHelp("Address of the sheets' folder, for the grid description.", valueName: "URL"))
    var baseURL: String?

    @Option(help: ArgumentHelp("Thumbnail track (WebVTT, grid, BIF) to look up instead.", valueName: "track"))
    var lookup: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Moment to look up.", valueName: "seconds"))
    var at: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Threads to work with. Default: one per core.", valueName: "number"))
    var threads: String?

    @Flag(help: "Read nothing from the network.")
    var noNetwork = false

    @Flag(help: "Write into an existing folder; what vfx wrote there before goes, nothing else.")
    var overwrite = false

    @Flag(help: "Print the result as one JSON object on standard output.")
    var json = false

    @Flag(help: "Print errors only.")
    var quiet = false

    func run() throws {
        if let track = lookup {
            try StoryboardLookup(self, track: track).run()
        } else {
            try StoryboardJob(self).run()
        }
    }
}
