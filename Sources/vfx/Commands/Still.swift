internal import ArgumentParser
internal import FrameCore
internal import Thumbnails

/// `vfx still`: one frame as a picture file.
struct Still: ParsableCommand {
    enum Aperture: String, ExpressibleByArgument, CaseIterable {
        case clean, production, encoded

        var mode: ImageGenerator.ApertureMode {
            switch self {
            case .clean: .cleanAperture
            case .production: .productionAperture
            case .encoded: .encodedPixels
            }
        }
    }

    static let configuration = CommandConfiguration(
        abstract: "Save the frame shown at a time as a picture.",
        discussion: """
            The name's extension says how: .jpg, .png, .webp, .avif or .jxl. The picture is
            upright, its pixels are square, and it is never larger than the video. HDR is
            tone-mapped unless --hdr keeps it (avif, png and jxl). EXIF data tells the
            source and, where the file has one, the time of recording.

            EXAMPLES
              vfx still in.mp4 --at 12.5 -o still.jpg
              vfx still in.mp4 --at 12.5 -o small.jpg --max-size 1280x720
              vfx still in.mp4 --at 12.5 -o still.jpg --embed-thumbnail 320x180
              vfx still in.mp4 --at 12.5 -o still.avif --hdr
            Fast, the key frame before:
              vfx still in.mp4 --at 12.5 -o still.webp --keyframe
            """)

    @Argument(help: "Video file or URL.")
    var input: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Take the frame shown at this time of the file.", valueName: "seconds"))
    var at: String = "0"

    @Option(name: [.short, .long], help: ArgumentHelp("Picture to write.", valueName: "file"))
    var output: String

    @Option(
        help: ArgumentHelp(
            "Box that the picture must fit, keeping its shape; 0 for a side without a limit.", valueName: "WxH"))
    var maxSize: String?

    @Option(
        help: ArgumentHelp("Put a thumbnail that fits this box into the file's EXIF data.", valueName: "WxH"))
    var embedThumbnail: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("1 to 100.", valueName: "number"))
    var quality: String = "90"

    @Flag(help: "Without loss (png always; webp, jxl).")
    var lossless = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How far the frame may lie from the time; the key frame before is taken if it does not lie farther.",
            valueName: "seconds"))
    var tolerance: String = "0"

    @Flag(help: "Take the key frame before the time, however far.")
    var keyframe = false

    @Option(help: "Pixels shown: clean (square, cropped as the file says), production (square) or encoded (as coded).")
    var aperture: Aperture = .clean

    @Flag(help: "Do not turn the picture; the file says how it is to be turned.")
    var noTurn = false

    @Flag(help: "Keep high dynamic range instead of tone-mapping it.")
    var hdr = false

    @Flag(help: "Write no EXIF data but what the picture needs.")
    var noMetadata = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Frame rate of an input that has no times of its own (raw .264).", valueName: "rate"))
    var inputFps: String?

    @Flag(help: "Read nothing from the network.")
    var noNetwork = false

    @Flag(help: "Replace an existing output.")
    var overwrite = false

    @Flag(help: "Print the result as one JSON object on standard output.")
    var json = false

    @Flag(help: "Print errors only.")
    var quiet = false

    func run() throws { try StillJob(self).run() }
}
