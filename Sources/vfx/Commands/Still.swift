internal import ArgumentParser
internal import FrameCore
internal import Thumbnails

/// `vfx still`: saves one frame as an image file.
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
        abstract: "Save the frame shown at a given time as an image.",
        discussion: """
            The extension selects the format: .jpg, .png, .webp, .avif or .jxl. The image
            is upright, has square pixels and is never larger than the video. HDR is
            tone-mapped unless --hdr keeps it (avif, png and jxl). EXIF data names the
            source and, if the file states it, the recording time.

            EXAMPLES
              vfx still in.mp4 --at 12.5 -o still.jpg
              vfx still in.mp4 --at 12.5 -o small.jpg --max-size 1280x720
              vfx still in.mp4 --at 12.5 -o still.jpg --embed-thumbnail 320x180
              vfx still in.mp4 --at 12.5 -o still.avif --hdr
            Fast, the preceding keyframe:
              vfx still in.mp4 --at 12.5 -o still.webp --keyframe
            """)

    @Argument(help: "Video file or URL.")
    var input: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Time of the frame to save, or its number such as 300f.", valueName: "time"))
    var at: String = "0"

    @Option(name: [.short, .long], help: ArgumentHelp("Output image.", valueName: "file"))
    var output: String

    @Option(
        help: ArgumentHelp(
            "Fit the image into this box and keep its aspect ratio; 0 means no limit for that side.", valueName: "WxH"))
    var maxSize: String?

    @Option(
        help: ArgumentHelp("Embed a thumbnail that fits this box in the EXIF data.", valueName: "WxH"))
    var embedThumbnail: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Image quality, 1 to 100.", valueName: "number"))
    var quality: String = "90"

    @Flag(help: "Use lossless compression (webp and jxl; png always does).")
    var lossless = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How far the frame may be from the time; the preceding keyframe is used if it is not farther away.",
            valueName: "time"))
    var tolerance: String = "0"

    @Flag(help: "Use the preceding keyframe, however far away.")
    var keyframe = false

    @Option(
        help:
            "Pixels to show: clean (square, cropped as the file specifies), production (square) or encoded (as coded).")
    var aperture: Aperture = .clean

    @Flag(help: "Ignore the rotation that the file specifies.")
    var noTurn = false

    @Flag(help: "Keep high dynamic range instead of tone-mapping it.")
    var hdr = false

    @Flag(help: "Write only the EXIF data that the image needs.")
    var noMetadata = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Frame rate of an input without timestamps, such as raw H.264.", valueName: "rate"))
    var inputFps: String?

    @OptionGroup var fields: FieldOptions

    @Flag(help: "Do not read anything from the network.")
    var noNetwork = false

    @OptionGroup var dolbyVision: DolbyVisionOptions

    @Flag(help: "Replace an existing output.")
    var overwrite = false

    @Flag(help: "Print the result as one JSON object on standard output.")
    var json = false

    @Flag(help: "Print errors only.")
    var quiet = false

    func run() throws { try StillJob(self).run() }
}
