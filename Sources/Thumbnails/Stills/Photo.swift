public import FrameCore
internal import Imaging

/// How a photo file is made of a picture: its format, a preview in memory, a thumbnail inside the file.
public struct PhotoSettings: Sendable {
    /// An uncompressed small picture for a screen.
    public struct PreviewFormat: Sendable {
        /// One of ``PhotoSettings/availablePreviewPixelFormats(for:)``.
        public var pixelFormat: PixelFormat
        /// Box for the preview, which keeps the photo's shape; nil keeps its size.
        public var maximumSize: (width: Int, height: Int)?

        /// A preview's format.
        public init(pixelFormat: PixelFormat, maximumSize: (width: Int, height: Int)? = nil) {
            self.pixelFormat = pixelFormat
            self.maximumSize = maximumSize
        }
    }

    /// Codecs of embedded thumbnails.
    public enum ThumbnailCodec: String, Sendable, Hashable, CaseIterable {
        /// What EXIF wants.
        case jpeg
    }

    /// A small compressed picture inside the file.
    public struct EmbeddedThumbnailFormat: Sendable {
        /// One of ``PhotoSettings/availableEmbeddedThumbnailCodecs(for:)``.
        public var codec: ThumbnailCodec
        /// Box for the thumbnail, which keeps the photo's shape.
        public var maximumSize: (width: Int, height: Int)
        /// 1…100; lowered where the thumbnail would be too big.
        public var quality: Int

        /// A thumbnail's format; EXIF's usual size is 160×120.
        public init(
            codec: ThumbnailCodec = .jpeg, maximumSize: (width: Int, height: Int) = (160, 120), quality: Int = 85
        ) {
            self.codec = codec
            self.maximumSize = maximumSize
            self.quality = quality
        }
    }

    /// Kind of the file.
    public var format: StillFormat
    /// 1…100, as in `StillOptions`.
    public var quality: Int
    /// Without loss, where the format can.
    public var isLossless: Bool
    /// What is written about the picture.
    public var metadata: StillMetadata
    /// A preview to make; nil for none.
    public var previewFormat: PreviewFormat?
    /// A thumbnail to embed; nil for none.
    public var embeddedThumbnailFormat: EmbeddedThumbnailFormat?
    /// Threads of the encoder.
    public var threads: Int

    /// Settings without preview or thumbnail.
    public init(
        format: StillFormat, quality: Int = 90, isLossless: Bool = false, metadata: StillMetadata = StillMetadata(),
        previewFormat: PreviewFormat? = nil, embeddedThumbnailFormat: EmbeddedThumbnailFormat? = nil, threads: Int = 1
    ) {
        self.format = format
        self.quality = quality
        self.isLossless = isLossless
        self.metadata = metadata
        self.previewFormat = previewFormat
        self.embeddedThumbnailFormat = embeddedThumbnailFormat
        self.threads = threads
    }

    /// Pixel formats that a preview may have, the one that needs least conversion first.
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

    /// Codecs that an embedded thumbnail may have, the most compatible first; empty where the format holds none.
    public static func availableEmbeddedThumbnailCodecs(for format: StillFormat) -> [ThumbnailCodec] { [.jpeg] }
}

/// A picture, its preview and its file.
public struct Photo: Sendable {
    /// The picture that the file holds.
    public var picture: StillPicture
    /// The preview; nil where none was asked for.
    public var preview: Frame?
    /// Size of the embedded thumbnail as shown, in pixels; nil without one.
    public var embeddedThumbnailSize: (width: Int, height: Int)?
    /// Quality that the thumbnail was encoded with, lower than asked for where it had to be small.
    public var embeddedThumbnailQuality: Int?
    /// The file's bytes.
    public var fileDataRepresentation: [UInt8]
    /// One sentence for each thing that could not be kept as it was.
    public var notes: [String]
}

/// Makes photos with an encoder of someone else's.
public struct PhotoMaker: Sendable {
    private let encoder: any StillEncoder
    /// Lower qualities that are tried where a thumbnail is too big.
    private static let lowerQualities = [70, 55, 40, 25, 10]

    /// - Parameter encoder: such as MediaIO's `StillCodec`.
    public init(encoder: any StillEncoder) { self.encoder = encoder }

    /// Makes preview, thumbnail and file.
    ///
    /// - Throws: `FrameError` when a format is not available, a thumbnail stays too big or encoding fails.
    public func photo(of picture: StillPicture, settings: PhotoSettings) throws(FrameError) -> Photo {
        var options = StillOptions(
            quality: settings.quality, isLossless: settings.isLossless, metadata: settings.metadata,
            threads: settings.threads)
        var photo = Photo(picture: picture, fileDataRepresentation: [], notes: [])
        if let wanted = settings.previewFormat { photo.preview = try preview(of: picture, wanted) }
        if let wanted = settings.embeddedThumbnailFormat {
            let made = try thumbnail(of: picture, wanted, limit: settings.format.maximumThumbnailBytes, settings)
            options.thumbnail = made.bytes
            photo.embeddedThumbnailSize = made.size
            photo.embeddedThumbnailQuality = made.quality
            if made.quality != wanted.quality {
                photo.notes.append(
                    "the thumbnail's quality was lowered from \(wanted.quality) to \(made.quality) so that it fits")
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
                .unsupportedFormat, "a preview in \(wanted.pixelFormat) is not available; there are \(names)")
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
                "a thumbnail of \(wanted.maximumSize.width)x\(wanted.maximumSize.height) is not allowed; each side is \(range.lowerBound) to \(range.upperBound) pixels"
            )
        }
        var source = picture
        source.alpha = nil
        if ToneMapping.isNeeded(source.frame.color) {
            source.frame = try ToneMapping.mapped(source.frame, threads: settings.threads)
        }
        let monochrome = source.frame.buffer.format.subsampling == .monochrome
        let format = try PixelFormat(subsampling: monochrome ? .monochrome : .yuv420, bitDepth: 8)
        var small = try Self.scaled(source, in: wanted.maximumSize, to: format)
        // The thumbnail is stored as the photo is: the photo's orientation holds for both.
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
            "the thumbnail takes \(least) bytes even at low quality; \(settings.format.name) has room for \(limit); ask for a smaller one"
        )
    }

    private static func scaled(
        _ picture: StillPicture, in box: (width: Int, height: Int), to format: PixelFormat
    ) throws(FrameError) -> StillPicture {
        var frame = picture.frame
        let buffer = frame.buffer, color = frame.color.resolved(height: buffer.height)
        // The box is meant for the picture as shown.
        let box = picture.orientation.swapsSides ? (box.height, box.width) : box
        let size = FrameRenderer.fit((buffer.width, buffer.height), in: box)
        if size == (buffer.width, buffer.height), format == buffer.format { return picture }
        let resampler = try PictureResampler(
            from: buffer.format, sourceSize: (buffer.width, buffer.height), color: color, to: format,
            width: size.width, height: size.height, targetLocation: color.chromaLocation)
        frame.color = color
        frame.buffer = try resampler.resampled(buffer)
        return StillPicture(frame: frame, orientation: picture.orientation)
    }
}
