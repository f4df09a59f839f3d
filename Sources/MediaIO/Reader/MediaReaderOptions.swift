public import FrameCore

/// How an input is opened and read.
public struct MediaReaderOptions: Sendable {
    /// Frames per second of inputs without timestamps (raw `.264`, image sequences). If nil, the rate is taken from the
    /// stream, or is 25 if the stream does not state one. Inputs with timestamps keep them.
    public var inputFrameRate: Rational?
    /// The number of the first file of numbered images such as `in_%04d.png`; nil for the lowest number.
    public var startNumber: Int?
    /// libavformat's name of the input format, e.g. `yuv4mpegpipe`; nil detects it.
    public var inputFormat: String?
    /// Index of the video stream to read; nil selects the default one.
    public var videoStream: Int?
    /// Whether damage is an error; if false, it is recorded in the damage report.
    public var isStrict: Bool
    /// Number of decoder threads; 0 means one per core.
    public var decoderThreads: Int
    /// Whether the packets of a pipe's other streams are queued for a writer that remuxes them; false discards them.
    public var keepsOtherStreams: Bool
    /// Whether only keyframes are decoded, and all other packets skipped where the container allows it. This is fast
    /// enough to survey a long video. Streams without timestamps are decoded completely, since their frames have to be
    /// counted.
    public var keyFramesOnly: Bool
    /// Whether network URLs are opened; if false, they are an error. In either case a remote playlist cannot open local
    /// files, a local playlist cannot open network URLs, and a playlist on standard input can open nothing.
    public var allowsNetwork: Bool
    /// The largest number of luma samples in a frame. Memory for larger frames, which a damaged or hostile header may
    /// claim, is never allocated.
    public var maximumPixels: Int
    /// Whether Dolby Vision without a base layer for other players is read as if it were other video; if false, it is an
    /// error.
    public var ignoresDolbyVision: Bool
    /// Whether frames of a live input, which cannot be opened again, are returned as soon as they are decoded, with the
    /// duration that is known by then; if false, when the next one has been decoded. A pipe is then probed for a shorter time,
    /// and decoders use several threads for one frame but not for several frames at once.
    public var lowLatency = false
    /// Whether frames that are marked as interlaced are taken for progressive ones.
    public var ignoresFieldMarks = false
    /// Whether frames of the codec that libavcodec calls `codec` may be returned in a format of RGB or with alpha. If not, RGB
    /// is converted to YCbCr, and alpha is left out with a note. By default it never may.
    public var accepts: @Sendable (_ format: PixelFormat, _ codec: String) -> Bool = { _, _ in false }
    /// libavformat's names of the formats that may be detected; nil for all.
    var allowedFormats: [String]?

    /// The number of luma samples of the largest supported frame: what libavcodec accepts.
    public static let mostPixels = 16_384 * 16_384

    /// Creates options; the defaults suit a well-formed file.
    public init(
        inputFrameRate: Rational? = nil, startNumber: Int? = nil, inputFormat: String? = nil, videoStream: Int? = nil,
        isStrict: Bool = false, decoderThreads: Int = 0,
        keepsOtherStreams: Bool = true, keyFramesOnly: Bool = false, allowsNetwork: Bool = true,
        maximumPixels: Int = Self.mostPixels, ignoresDolbyVision: Bool = false
    ) {
        self.inputFrameRate = inputFrameRate
        self.startNumber = startNumber
        self.inputFormat = inputFormat
        self.videoStream = videoStream
        self.isStrict = isStrict
        self.decoderThreads = decoderThreads
        self.keepsOtherStreams = keepsOtherStreams
        self.keyFramesOnly = keyFramesOnly
        self.allowsNetwork = allowsNetwork
        self.maximumPixels = maximumPixels
        self.ignoresDolbyVision = ignoresDolbyVision
    }
}
