/// A still image: samples, transparency and orientation.
public struct StillPicture: Sendable {
    /// The samples and how to interpret them; the presentation time is that in the source video, or zero.
    public var frame: Frame
    /// Straight alpha (color is not premultiplied): one full-range plane of the image's size; nil if the image is
    /// opaque.
    public var alpha: PixelBuffer?
    /// How the stored image is rotated and mirrored for display.
    public var orientation: PictureOrientation
    /// The metadata of the file that the image was read from; empty for any other image.
    public var metadata = StillMetadata()
    /// The mean step with which the lowest frequencies of luma are quantized in a JPEG file or a lossy WebP file, in 8-bit
    /// full-range code values of an orthonormal transform; nil for other files.
    public var quantizerStep: Double?
    /// Whether the codec filters the edges of its blocks, as WebP does; known where ``quantizerStep`` is.
    public var isLoopFiltered = false

    /// Creates a still image without metadata.
    public init(frame: Frame, alpha: PixelBuffer? = nil, orientation: PictureOrientation = .up) {
        self.frame = frame
        self.alpha = alpha
        self.orientation = orientation
    }
}

/// Descriptive metadata of an image file.
public struct StillMetadata: Sendable, Hashable {
    /// When the image was taken, in seconds since 1970-01-01 00:00:00 UTC; nil if unknown.
    public var timeStamp: MediaTime?
    /// What the image was taken from, such as the name of the video and the time in it.
    public var source: String?
    /// The program that made the image.
    public var software: String?
    /// EXIF data of another image, from its byte order mark on. It is kept, with size and orientation adapted, and the
    /// fields above are added only where it lacks them.
    public var exif: [UInt8]?
    /// An XMP packet (RDF/XML in UTF-8) of another image; its size and orientation are adapted.
    public var xmp: [UInt8]?
    /// IPTC-IIM records of another image.
    public var iptc: [UInt8]?
    /// Complete PNG chunks with text (tEXt, zTXt and iTXt) of another image.
    public var pngText: [UInt8]?

    /// Creates metadata; omitted fields are not written.
    public init(timeStamp: MediaTime? = nil, source: String? = nil, software: String? = nil) {
        self.timeStamp = timeStamp
        self.source = source
        self.software = software
    }

    /// Whether all fields are empty.
    public var isEmpty: Bool { self == StillMetadata() }
}

/// How an image file is encoded.
public struct StillOptions: Sendable {
    /// Quality, 1…100, on the usual JPEG scale; lower values give smaller files. PNG is always lossless.
    public var quality: Int
    /// Whether to encode losslessly, in formats that offer both: WebP and JPEG XL. PNG is always lossless.
    public var isLossless: Bool
    /// The metadata to write.
    public var metadata: StillMetadata
    /// A JPEG file to embed as the thumbnail; see ``StillFormat/maximumThumbnailBytes``.
    public var thumbnail: [UInt8]?
    /// The number of encoder threads.
    public var threads: Int

    /// Creates encoding options.
    public init(
        quality: Int = 90, isLossless: Bool = false, metadata: StillMetadata = StillMetadata(),
        thumbnail: [UInt8]? = nil, threads: Int = 1
    ) {
        self.quality = quality
        self.isLossless = isLossless
        self.metadata = metadata
        self.thumbnail = thumbnail
        self.threads = threads
    }

    /// The allowed values of ``quality``.
    public static let qualityRange = 1...100
}

/// An image file in memory.
public struct EncodedStill: Sendable {
    /// The complete file.
    public var bytes: [UInt8]
    /// One note for each property that could not be preserved.
    public var notes: [Note]

    /// Creates an encoded still.
    public init(bytes: [UInt8], notes: [Note] = []) {
        self.bytes = bytes
        self.notes = notes
    }
}

/// Encodes images as image files. Calls block.
public protocol StillEncoder: Sendable {
    /// Encodes one image.
    ///
    /// - Throws: ``FrameError`` if the format does not support what `options` requests, or encoding fails.
    func encode(
        _ picture: StillPicture, as format: StillFormat, options: StillOptions
    ) throws(FrameError) -> EncodedStill
}

/// Decodes image files. Calls block.
public protocol StillDecoder: Sendable {
    /// Decodes the first image in a file.
    ///
    /// - Throws: ``FrameError`` if the file is not an image.
    func decode(_ bytes: [UInt8]) throws(FrameError) -> StillPicture
}

/// Reads the bytes at a path or URL. Calls block.
public protocol ByteSource: Sendable {
    /// Returns the complete contents.
    ///
    /// - Parameters:
    ///   - address: a path, or a URL with a scheme such as `http:`.
    ///   - limit: the maximum number of bytes.
    /// - Throws: ``FrameError`` if nothing can be read or there are more than `limit` bytes.
    func bytes(at address: String, limit: Int) throws(FrameError) -> [UInt8]
}
