/// One picture that stands for itself: samples, transparency and how it is to be turned.
public struct StillPicture: Sendable {
    /// Samples and what they mean; its time is that of the video it comes from, or zero.
    public var frame: Frame
    /// Opacity, one plane of the size of the picture, full range, not multiplied into the color; nil when opaque.
    public var alpha: PixelBuffer?
    /// How the stored picture is to be turned for display.
    public var orientation: PictureOrientation

    /// Puts a picture together.
    public init(frame: Frame, alpha: PixelBuffer? = nil, orientation: PictureOrientation = .up) {
        self.frame = frame
        self.alpha = alpha
        self.orientation = orientation
    }
}

/// What a picture file says about itself besides the picture.
public struct StillMetadata: Sendable, Hashable {
    /// When it was taken: seconds since 1970-01-01 00:00:00 UTC; nil when not known.
    public var timeStamp: MediaTime?
    /// What it was taken from, such as the video's name and the time in it.
    public var source: String?
    /// The program that made it.
    public var software: String?

    /// Puts metadata together; what is left out is not written.
    public init(timeStamp: MediaTime? = nil, source: String? = nil, software: String? = nil) {
        self.timeStamp = timeStamp
        self.source = source
        self.software = software
    }

    /// Whether there is nothing to say.
    public var isEmpty: Bool { timeStamp == nil && source == nil && software == nil }
}

/// How a picture file is made.
public struct StillOptions: Sendable {
    /// Trade between size and quality, 1…100, on the scale that JPEG made usual. PNG is always without loss.
    public var quality: Int
    /// Without loss, where the format can: WebP, JPEG XL (PNG always is).
    public var isLossless: Bool
    /// What is written about the picture.
    public var metadata: StillMetadata
    /// A JPEG file to embed as thumbnail; see ``StillFormat/maximumThumbnailBytes``.
    public var thumbnail: [UInt8]?
    /// Threads of the encoder.
    public var threads: Int

    /// Options.
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

    /// Qualities that exist.
    public static let qualityRange = 1...100
}

/// A picture file in memory.
public struct EncodedStill: Sendable {
    /// All of the file.
    public var bytes: [UInt8]
    /// One sentence for each thing that could not be kept as it was.
    public var notes: [String]

    /// Puts it together.
    public init(bytes: [UInt8], notes: [String] = []) {
        self.bytes = bytes
        self.notes = notes
    }
}

/// Makes picture files of pictures. Calls block.
public protocol StillEncoder: Sendable {
    /// Encodes one picture.
    ///
    /// - Throws: ``FrameError`` when the format cannot hold what is asked for, or encoding fails.
    func encode(
        _ picture: StillPicture, as format: StillFormat, options: StillOptions
    ) throws(FrameError) -> EncodedStill
}

/// Makes pictures of picture files. Calls block.
public protocol StillDecoder: Sendable {
    /// Decodes the first picture of a file.
    ///
    /// - Throws: ``FrameError`` when it is no picture.
    func decode(_ bytes: [UInt8]) throws(FrameError) -> StillPicture
}

/// Bytes behind a path or an address. Calls block.
public protocol ByteSource: Sendable {
    /// All bytes.
    ///
    /// - Parameters:
    ///   - address: a path, or an address with a scheme such as `http:`.
    ///   - limit: refuses more bytes than this.
    /// - Throws: ``FrameError`` when there is nothing to read or too much.
    func bytes(at address: String, limit: Int) throws(FrameError) -> [UInt8]
}
