public import FrameCore
internal import Imaging

/// How a photo is made from a picture: the file format, a preview in memory, a thumbnail inside the file.
public struct PhotoSettings: Sendable {
    /// The format of a preview: a small uncompressed picture for display.
    public struct PreviewFormat: Sendable {
        /// One of ``PhotoSettings/availablePreviewPixelFormats(for:)``.
        public var pixelFormat: PixelFormat
        /// The box that the preview must fit, in pixels; it keeps the photo's shape. nil keeps the photo's size.
        public var maximumSize: (width: Int, height: Int)?

        /// Creates a preview format.
        public init(pixelFormat: PixelFormat, maximumSize: (width: Int, height: Int)? = nil) {
            self.pixelFormat = pixelFormat
            self.maximumSize = maximumSize
        }
    }

    /// Codecs for embedded thumbnails.
    public enum ThumbnailCodec: String, Sendable, Hashable, CaseIterable {
        /// JPEG, which EXIF requires.
        case jpeg
    }

    /// The format of a small compressed picture embedded in the file.
    public struct EmbeddedThumbnailFormat: Sendable {
        /// One of ``PhotoSettings/availableEmbeddedThumbnailCodecs(for:)``.
        public var codec: ThumbnailCodec
        /// The box that the thumbnail must fit, in pixels; it keeps the photo's shape.
        public var maximumSize: (width: Int, height: Int)
        /// The quality, 1…100; lowered if the thumbnail would be too large for the file format.
        public var quality: Int

        /// Creates a thumbnail format; the usual size in EXIF is 160×120.
        public init(
            codec: ThumbnailCodec = .jpeg, maximumSize: (width: Int, height: Int) = (160, 120), quality: Int = 85
        ) {
            self.codec = codec
            self.maximumSize = maximumSize
            self.quality = quality
        }
    }

    /// The file format.
    public var format: StillFormat
    /// The quality, 1…100, as in `StillOptions`.
    public var quality: Int
    /// Whether to compress losslessly, if the format can.
    public var isLossless: Bool
    /// The metadata to write.
    public var metadata: StillMetadata
    /// The preview to make; nil for none.
    public var previewFormat: PreviewFormat?
    /// The thumbnail to embed; nil for none.
    public var embeddedThumbnailFormat: EmbeddedThumbnailFormat?
    /// The threads and kernels for color conversion. The encoder uses the same number of threads.
    public var context: ExecutionContext

    /// Creates settings without a preview or thumbnail.
    public init(
        format: StillFormat, quality: Int = 90, isLossless: Bool = false, metadata: StillMetadata = StillMetadata(),
        previewFormat: PreviewFormat? = nil, embeddedThumbnailFormat: EmbeddedThumbnailFormat? = nil,
        context: ExecutionContext = .serial
    ) {
        self.format = format
        self.quality = quality
        self.isLossless = isLossless
        self.metadata = metadata
        self.previewFormat = previewFormat
        self.embeddedThumbnailFormat = embeddedThumbnailFormat
        self.context = context
    }

    /// Returns the pixel formats available for a preview, the one that needs the least conversion first.
    public static func availablePreviewPixelFormats(for source: PixelFormat) -> [PixelFormat] {
        var all = [source]
        for depth in [8, 10, 12, 16] where depth <= max(8, source.bitDepth) {
            for subsampling in [source.subsampling, .yuv420, .yuv444, .monochrome] {
                guard let format = try? PixelFormat(subsampling: subsampling, bitDepth: depth) else { continue }
                if source.subsampling == .monochrome, subsampling != .monochrome { continue }
                if !all.contains(format) { all.append(format) }
            }
        }
        func cost(_ format: PixelFormat) -> Int {
            (format.subsampling == source.subsampling ? 0 : format.subsampling == .monochrome ? 8 : 4)
                + (format.bitDepth == source.bitDepth ? 0 : 2)
        }
        return all.enumerated().sorted { (cost($0.element), $0.offset) < (cost($1.element), $1.offset) }.map(\.element)
    }

    /// Returns the codecs available for embedded thumbnails, the most compatible first; empty if the file format cannot
    /// hold one.
    public static func availableEmbeddedThumbnailCodecs(for format: StillFormat) -> [ThumbnailCodec] { [.jpeg] }
}

/// A picture with its preview and its file.
public struct Photo: Sendable {
    /// The picture in the file.
    public var picture: StillPicture
    /// The preview; nil if none was requested.
    public var preview: Frame?
    /// The size of the embedded thumbnail in pixels, as stored (before orientation is applied); nil if there is none.
    public var embeddedThumbnailSize: (width: Int, height: Int)?
    /// The quality of the embedded thumbnail; lower than requested if the thumbnail would have been too large.
    public var embeddedThumbnailQuality: Int?
    /// The bytes of the file.
    public var fileDataRepresentation: [UInt8]
    /// One sentence for each thing that could not be preserved.
    public var notes: [Note]
}

/// Makes photos using a still encoder.
public struct PhotoMaker: Sendable {
    private let encoder: any StillEncoder
    /// The qualities to try, in order, when a thumbnail is too large.
    private static let lowerQualities = [70, 55, 40, 25, 10]

    /// Creates a photo maker.
    ///
    /// - Parameter encoder: the encoder, such as MediaIO's `StillCodec`.
    public init(encoder: any StillEncoder) { self.encoder = encoder }

    /// Makes the preview, the thumbnail and the file.
    ///
    /// - Throws: `FrameError` when a format is not available, the thumbnail is still too large at the lowest quality,
    ///   or encoding fails.
    public func photo(of picture: StillPicture, settings: PhotoSettings) throws(FrameError) -> Photo {
        var options = StillOptions(
            quality: settings.quality, isLossless: settings.isLossless, metadata: settings.metadata,
            threads: settings.context.threads)
        var photo = Photo(picture: picture, fileDataRepresentation: [], notes: [])
        if let wanted = settings.previewFormat { photo.preview = try preview(of: picture, wanted) }
        if let wanted = settings.embeddedThumbnailFormat {
            let made = try thumbnail(of: picture, wanted, limit: settings.format.maximumThumbnailBytes, settings)
            options.thumbnail = made.bytes
            photo.embeddedThumbnailSize = made.size
            photo.embeddedThumbnailQuality = made.quality
            if made.quality != wanted.quality {
                photo.notes.append(
                    Note(
                        "thumbnail-quality",
                        "the thumbnail's quality was lowered from \(wanted.quality) to \(made.quality) so that it fits")
                )
            }
        }
        let file = try encoder.encode(picture, as: settings.format, options: options)
        photo.fileDataRepresentation = file.bytes
        photo.notes += file.notes
        return photo
    }

    private func preview(of picture: StillPicture, _ wanted: PhotoSettings.PreviewFormat) throws(FrameError) -> Frame {
        let buffer = picture.frame.buffer
        let available = PhotoSettings.availablePreviewPixelFormats(for: buffer.format)
        guard available.contains(wanted.pixelFormat) else {
            let names = available.map(\.description).joined(separator: ", ")
            throw FrameError(
                .unsupportedFormat, "a preview in \(wanted.pixelFormat) is not available; it can be \(names)")
        }
        return try Self.scaled(picture, in: wanted.maximumSize ?? (0, 0), to: wanted.pixelFormat).frame
    }

    private func thumbnail(
        of picture: StillPicture, _ wanted: PhotoSettings.EmbeddedThumbnailFormat, limit: Int,
        _ settings: PhotoSettings
    ) throws(FrameError) -> (bytes: [UInt8], size: (Int, Int), quality: Int) {
        let range = 16...2048
        guard range.contains(wanted.maximumSize.width), range.contains(wanted.maximumSize.height) else {
            throw FrameError(
                .invalidArgument,
                "a thumbnail of \(wanted.maximumSize.width)x\(wanted.maximumSize.height) is not allowed; each side must be \(range.lowerBound) to \(range.upperBound) pixels"
            )
        }
        var source = picture
        source.alpha = nil
        if ToneMapping.isNeeded(source.frame.color) {
            source.frame = try ToneMapping.mapped(source.frame, context: settings.context)
        }
        source.frame = try source.frame.overGrey(context: settings.context)
        let monochrome = source.frame.buffer.format.subsampling == .monochrome
        let format = try PixelFormat(subsampling: monochrome ? .monochrome : .yuv420, bitDepth: 8)
        var small = try Self.scaled(source, in: wanted.maximumSize, to: format)
        // The thumbnail is stored in the same orientation as the photo, whose tag applies to both.
        small.orientation = .up
        var least = 0
        for quality in [wanted.quality] + Self.lowerQualities.filter({ $0 < wanted.quality }) {
            let bytes = try encoder.encode(small, as: .jpeg, options: StillOptions(quality: quality)).bytes
            if bytes.count <= limit {
                return (bytes, (small.frame.buffer.width, small.frame.buffer.height), quality)
            }
            least = bytes.count
        }
        throw FrameError(
            .invalidArgument,
            "the thumbnail takes \(least) bytes even at low quality; \(settings.format.name) has room for \(limit); choose a smaller one"
        )
    }

    private static func scaled(
        _ picture: StillPicture, in box: (width: Int, height: Int), to format: PixelFormat
    ) throws(FrameError) -> StillPicture {
        var frame = picture.frame
        if format.isPlain { frame = try frame.overGrey(context: .serial) }
        let buffer = frame.buffer, color = frame.color.resolved(height: buffer.height)
        // The box applies to the picture as displayed.
        let box = picture.orientation.swapsSides ? (box.height, box.width) : box
        let size = FrameRenderer.fit((buffer.width, buffer.height), in: box)
        if size == (buffer.width, buffer.height), format == buffer.format { return picture }
        let resampler = try PictureResampler(
            from: buffer.format, sourceSize: (buffer.width, buffer.height), color: color, to: format,
            width: size.width, height: size.height, targetLocation: color.chromaLocation)
        frame.color = color
        frame.buffer = try resampler.resampled(buffer, context: .serial)
        return StillPicture(frame: frame, orientation: picture.orientation)
    }
}
