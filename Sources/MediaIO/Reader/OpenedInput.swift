import CLibAV
import FrameCore
import Glibc

/// An input that libavformat has opened and probed.
struct OpenedInput {
    /// The input's name as the user gave it.
    let input: String
    /// The URL that libavformat opens.
    let url: String
    let context: InputContext
    /// Whether the input can be opened a second time and returns the same bytes.
    let isReopenable: Bool
    /// The files of a numbered image sequence, in order; empty for any other input.
    let pictures: [String]
    /// A sentence about files that look like part of an image sequence but are not; nil if there are none.
    let note: String?
    /// Whether the frames are in other files or at other URLs that are not known.
    let readsOtherFiles: Bool
    /// The file at ``url`` if the input had to be decoded into memory; nil otherwise.
    let memory: MemoryFile?
    /// The name of the format that is in ``memory`` decoded; nil if the input itself is opened.
    let original: String?

    /// Opens and probes an input.
    ///
    /// - Throws: `FrameError` when it cannot be read or libavformat does not recognise its format.
    init(_ input: String, options: MediaReaderOptions) throws(FrameError) {
        self.input = input
        let file = LocalFile(input)
        let sequence = try PictureFiles(input, startNumber: options.startNumber)
        pictures = sequence?.paths ?? []
        note = sequence?.note
        if sequence == nil, options.startNumber != nil {
            throw FrameError(
                .invalidArgument, "--start-number applies to numbered images such as in_%04d.png",
                at: .init(file: input))
        }
        if !options.allowsNetwork { try InputAddress.requireLocal(input) }
        try InputAddress.requireReadable(input)
        if let file, file.isRegular, file.size == 0 {
            throw FrameError(.input, "the file is empty", at: .init(file: input))
        }
        let isFile = file?.isRegular == true
        for picture in isFile ? [input] : pictures { try Self.requireWholeJPEGXL(picture) }
        let image = isFile ? try HEICImage.decoded(input, maximumPixels: options.maximumPixels) : nil
        let animation =
            isFile && image == nil ? try AnimatedWebP.decoded(input, maximumPixels: options.maximumPixels) : nil
        memory = image ?? animation
        original = image != nil ? "heic" : animation != nil ? "webp" : nil
        url = memory?.path ?? sequence?.url ?? InputAddress.url(input)
        var options = options
        if memory != nil {
            // libavformat does not recognise PAM files by their contents.
            options.inputFormat = image != nil ? "pam_pipe" : "matroska"
            options.inputFrameRate = nil
        }
        context = try Self.open(
            input, url: url, isChecked: isFile || !pictures.isEmpty,
            isPipe: input == "-" || input.hasPrefix("pipe:") || file.map { !$0.isRegular && !$0.isDirectory } ?? false,
            sequence: sequence, options: options)
        // A pattern such as g%*.png, which only libavformat can resolve.
        let isPattern = context.formatName == "image2" && !isFile && pictures.isEmpty
        readsOtherFiles = isPattern || InputAddress.isPlaylist(context.formatName)
        isReopenable = file.map(\.isRegular) ?? Self.isReopenable(context)
    }

    /// Whether an input opened by URL is complete and can be read again. A live stream grows, or can be read only once.
    private static func isReopenable(_ context: InputContext) -> Bool {
        let name = context.formatName
        if name.hasPrefix("image2") { return !name.hasSuffix("pipe") }
        if name.hasPrefix("hls") || name == "dash" { return known(context.pointer.pointee.duration) ?? 0 > 0 }
        guard let io = context.pointer.pointee.pb else { return false }
        return io.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0 && avio_size(io) > 0
    }

    /// Options for local HLS playlists: one without an end marker is treated as complete after three reloads, whereas a
    /// remote one may be live.
    static let localPlaylists = ["max_reload": "3"]

    /// - Parameters:
    ///   - input: the name that the user gave, for errors.
    ///   - url: the URL to open.
    ///   - isChecked: whether files have been checked for broken JPEG XL boxes, so that libavcodec may decode JPEG XL.
    ///   - isPipe: whether the input is a pipe or a device on this machine.
    ///   - sequence: the files of an image sequence; nil for any other input.
    ///   - options: how it is opened.
    private static func open(
        _ input: String, url: String, isChecked: Bool, isPipe: Bool, sequence: PictureFiles?,
        options: MediaReaderOptions
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
        var settings = sequence?.settings ?? [:]
        // A pattern with wildcards is recognised by nothing else.
        if settings["pattern_type"] != nil { format = av_find_input_format("image2") }
        if format == nil, let formats = options.allowedFormats ?? InputAddress.formats(for: input) {
            settings["format_whitelist"] = formats.joined(separator: ",")
        }
        // The files that a playlist names are not checked before they are opened.
        let mayBeAnything = format == nil && settings["format_whitelist"] == nil
        if mayBeAnything { settings["format_whitelist"] = InputAddress.formatsButJPEGXL.joined(separator: ",") }
        if !InputAddress(input).isRemote { settings.merge(Self.localPlaylists) { $1 } }
        if let rate = options.inputFrameRate {
            guard rate.isPositive else {
                throw FrameError(.invalidArgument, "the input frame rate \(rate) must be above 0", at: location)
            }
            settings["framerate"] = "\(rate.numerator)/\(rate.denominator)"
        }
        do {
            let context = try InputContext(url: url, format: format, options: settings)
            let isJPEGXL = context.streams.contains { $0.pointee.codecpar?.pointee.codec_id == AV_CODEC_ID_JPEGXL }
            if context.formatName == "jpegxl_pipe" || isJPEGXL,
                !isChecked || InputAddress.isPlaylist(context.formatName)
            {
                throw unseenJPEGXL(location)
            }
            context.findStreams(maximumPixels: options.maximumPixels, quickly: isPipe && options.lowLatency)
            return context
        } catch let error as FrameError {
            throw error
        } catch is InputContext.UnexpectedFormat {
            if mayBeAnything { throw unseenJPEGXL(location) }
            throw FrameError(
                .input,
                options.allowedFormats == nil
                    ? "this is a playlist, but its name does not say so; name it .m3u8, .ffconcat or .mpd"
                    : "this is not an image", at: location)
        } catch {
            let failure = error as? LibAVError
            let reason =
                failure?.number == vfx_averror_invalid_data
                ? UnreadableInput(input).reason : openingMessage(failure)
            throw FrameError(.input, reason, at: location, cause: error)
        }
    }

    private static func unseenJPEGXL(_ location: FrameError.Location) -> FrameError {
        FrameError(
            .unsupportedFormat,
            "JPEG XL can be read only from files, not from pipes, URLs or playlists; save it first", at: location)
    }

    private static func openingMessage(_ error: LibAVError?) -> String {
        switch error?.number {
        case vfx_averror_eof: "the input is empty or ends within its header"
        case vfx_averror_protocol_not_found: "libavformat does not support this kind of URL"
        case vfx_averror(ENOENT): "there is no such file"
        default: "the input cannot be opened"
        }
    }
}

extension OpenedInput {
    private static let jpegXLSignature: [UInt8] = [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 13, 10, 0x87, 10]
    /// The largest number of boxes accepted in a JPEG XL file; real files have fewer than ten.
    private static let mostBoxes = 10_000

    /// Checks that the boxes of a JPEG XL file (ISO/IEC 18181-2) are complete.
    ///
    /// libavcodec 5.1 searches the boxes for the codestream and never returns if a box header is truncated, so files
    /// are checked before it sees them.
    ///
    /// - Throws: `FrameError` when a file with the JPEG XL signature has an incomplete box.
    private static func requireWholeJPEGXL(_ input: String) throws(FrameError) {
        guard let file = fopen(LocalFile.path(input), "rb") else { return }
        defer { fclose(file) }
        guard let size = LocalFile(input)?.size, read(8, from: file) == Array(jpegXLSignature[..<8]) else { return }
        guard read(4, from: file) == Array(jpegXLSignature[8...]) else { throw damage(input) }
        var place: Int64 = 12
        for _ in 0..<mostBoxes where place < size {
            guard fseek(file, Int(place), SEEK_SET) == 0, let head = read(8, from: file).map(ByteReader.init),
                var length = head.big(0, as: UInt32.self).map(Int64.init)
            else { throw damage(input) }
            // Length 0 means up to the end of the file; 1 means that a 64-bit length follows.
            if length == 0 { return }
            if length == 1 {
                guard let long = read(8, from: file).map(ByteReader.init)?.big(0, as: UInt64.self),
                    let exact = Int64(exactly: long), exact >= 16
                else { throw damage(input) }
                length = exact
            }
            guard length >= 8, length <= size - place else { throw damage(input) }
            place += length
        }
        if place < size { throw damage(input) }
    }

    private static func read(_ count: Int, from file: UnsafeMutablePointer<FILE>) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return fread(&bytes, 1, count, file) == count ? bytes : nil
    }

    private static func damage(_ input: String) -> FrameError {
        FrameError(.decode, "the JPEG XL file ends inside one of its boxes", at: .init(file: input))
    }
}
