import CLibAV
import FrameCore
import Glibc

/// An input that libavformat has opened and probed.
struct OpenedInput {
    /// As the user gave it.
    let input: String
    /// What libavformat opens.
    let url: String
    let context: InputContext
    /// Whether the input can be opened a second time and gives the same bytes.
    let isReopenable: Bool
    /// The files of numbered pictures; empty for what is no name of those.
    let pictures: [String]
    /// Whether the pictures lie in other files or at other addresses, and which ones is not known.
    let readsOtherFiles: Bool

    /// - Throws: `FrameError` when there is nothing to read, or nothing that libavformat knows.
    init(_ input: String, options: MediaReaderOptions) throws(FrameError) {
        self.input = input
        url = InputAddress.url(input)
        let file = LocalFile(input)
        pictures = file == nil ? PictureSequenceFiles.files(input) : []
        if !options.allowsNetwork { try InputCheck.requireLocal(input) }
        try InputCheck.requireReadable(input)
        if let file, file.isRegular, file.size == 0 {
            throw FrameError(.input, "the file is empty", at: .init(file: input))
        }
        let isFile = file?.isRegular == true
        for picture in isFile ? [input] : pictures { try JPEGXLBoxes.requireWhole(picture) }
        context = try Self.open(input, url: url, isChecked: isFile || !pictures.isEmpty, options: options)
        // A pattern such as g%*.png, which libavformat resolves.
        let isPattern = context.formatName == "image2" && !isFile && pictures.isEmpty
        readsOtherFiles = isPattern || InputFormats.isPlaylist(context.formatName)
        isReopenable = file.map(\.isRegular) ?? Self.isReopenable(context)
    }

    /// Whether what was opened by an address is there as a whole: a live one goes on meanwhile, or comes but once.
    private static func isReopenable(_ context: InputContext) -> Bool {
        let name = context.formatName
        if name.hasPrefix("image2") { return !name.hasSuffix("pipe") }
        if name.hasPrefix("hls") || name == "dash" { return known(context.pointer.pointee.duration) ?? 0 > 0 }
        guard let io = context.pointer.pointee.pb else { return false }
        return io.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0 && avio_size(io) > 0
    }

    /// A playlist on disk that says nothing of its end is taken as a whole soon; one of the net may be live.
    static let localPlaylists = ["max_reload": "3"]

    /// - Parameter isChecked: libavcodec may have what looks like JPEG XL.
    private static func open(
        _ input: String, url: String, isChecked: Bool, options: MediaReaderOptions
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
        // A playlist's files are opened unseen.
        let mayBeAnything = format == nil && settings.isEmpty
        if mayBeAnything { settings["format_whitelist"] = InputFormats.allButJPEGXL.joined(separator: ",") }
        if !InputAddress(input).isRemote { settings.merge(Self.localPlaylists) { $1 } }
        if let rate = options.inputFrameRate {
            guard rate.isPositive else {
                throw FrameError(.invalidArgument, "the input frame rate \(rate) is not above 0", at: location)
            }
            settings["framerate"] = "\(rate.numerator)/\(rate.denominator)"
        }
        do {
            let context = try InputContext(url: url, format: format, options: settings)
            let isJPEGXL = context.streams.contains { $0.pointee.codecpar?.pointee.codec_id == AV_CODEC_ID_JPEGXL }
            if context.formatName == "jpegxl_pipe" || isJPEGXL,
                !isChecked || InputFormats.isPlaylist(context.formatName)
            {
                throw unseenJPEGXL(location)
            }
            context.findStreams(maximumPixels: options.maximumPixels)
            return context
        } catch let error as FrameError {
            throw error
        } catch is InputContext.UnexpectedFormat {
            if mayBeAnything { throw unseenJPEGXL(location) }
            throw FrameError(
                .input,
                options.allowedFormats == nil
                    ? "this is a playlist, and its name does not say so; name it .m3u8, .ffconcat or .mpd"
                    : "this is not a picture", at: location)
        } catch {
            throw FrameError(.input, openingMessage(error as? LibAVError), at: location, cause: error)
        }
    }

    private static func unseenJPEGXL(_ location: FrameError.Location) -> FrameError {
        FrameError(
            .unsupportedFormat,
            "JPEG XL is read from files alone, not from pipes, addresses or playlists; save it first", at: location)
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
