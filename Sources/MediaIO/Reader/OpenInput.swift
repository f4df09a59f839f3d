import CLibAV
import FrameCore
import Glibc

/// An input whose head has been read.
struct OpenInput {
    /// As the user gave it.
    let input: String
    /// What libavformat opens.
    let url: String
    let context: InputContext
    /// Whether the input can be opened a second time and gives the same bytes.
    let isReopenable: Bool

    /// - Throws: `FrameError` when there is nothing to read, or nothing that libavformat knows.
    init(_ input: String, options: MediaReaderOptions) throws(FrameError) {
        self.input = input
        url = input == "-" ? "pipe:0" : input
        let file = LocalFile(input)
        isReopenable = file.map(\.isRegular) ?? (input != "-" && !input.hasPrefix("pipe:"))
        if !options.allowsNetwork { try InputCheck.requireLocal(input) }
        try InputCheck.requireReadable(input)
        if let file, file.isRegular, file.size == 0 {
            throw FrameError(.input, "the file is empty", at: .init(file: input))
        }
        if let file, file.isRegular { try JPEGXLBoxes.requireWhole(input) }
        context = try Self.open(input, url: url, options: options)
    }

    /// A playlist on disk that says nothing of its end is taken as a whole soon; one of the net may be live.
    static let localPlaylists = ["max_reload": "3"]

    private static func open(
        _ input: String, url: String, options: MediaReaderOptions
    ) throws(FrameError) -> InputContext {
        let location = FrameError.Location(file: input)
        var format: UnsafePointer<AVInputFormat>?
        if let name = options.inputFormat {
            format = av_find_input_format(name)
            if format == nil {
                throw FrameError(
                    .invalidArgument, "\"\(name)\" is not an input format that libavformat knows", at: location)
            }
        }
        var settings: [String: String] = [:]
        if format == nil, let formats = options.allowedFormats ?? InputFormats.allowed(for: input) {
            settings["format_whitelist"] = formats.joined(separator: ",")
        }
        if !InputAddress(input).isRemote { settings.merge(Self.localPlaylists) { $1 } }
        if let rate = options.inputFrameRate {
            guard rate.isPositive else {
                throw FrameError(.invalidArgument, "the input frame rate \(rate) is not above 0", at: location)
            }
            settings["framerate"] = "\(rate.numerator)/\(rate.denominator)"
        }
        do {
            let context = try InputContext(url: url, format: format, options: settings)
            if context.formatName == "jpegxl_pipe", LocalFile(input)?.isRegular != true {
                throw FrameError(
                    .unsupportedFormat, "JPEG XL is read from files alone, not from pipes or addresses; save it first",
                    at: location)
            }
            context.findStreams(maximumPixels: options.maximumPixels)
            return context
        } catch let error as FrameError {
            throw error
        } catch is InputContext.UnexpectedFormat {
            throw FrameError(
                .input,
                options.allowedFormats == nil
                    ? "this is a playlist, and its name does not say so; name it .m3u8, .ffconcat or .mpd"
                    : "this is not a picture", at: location)
        } catch {
            throw FrameError(.input, openingMessage(error as? LibAVError), at: location, cause: error)
        }
    }

    private static func openingMessage(_ error: LibAVError?) -> String {
        switch error?.number {
        case vfx_averror_invalid_data: "this is not a video, or its head is damaged"
        case vfx_averror_eof: "the input is empty or ends in its head"
        case vfx_averror_protocol_not_found: "no way is known to open this kind of address"
        case vfx_averror(ENOENT): "there is no such file"
        default: "the input cannot be opened"
        }
    }
}
