public import FrameCore

/// How an input is opened and read.
public struct MediaReaderOptions: Sendable {
    /// Frames per second for inputs without times of their own (raw `.264`, picture sequences); nil leaves the choice to
    /// the stream, and to 25 where it is silent. Inputs that carry times keep theirs.
    public var inputFrameRate: Rational?
    /// libavformat's name of the input format, e.g. `yuv4mpegpipe`; nil detects it.
    public var inputFormat: String?
    /// Index of the video stream to read; nil takes the default one.
    public var videoStream: Int?
    /// Takes interlaced pictures as they are instead of refusing them.
    public var allowsInterlaced: Bool
    /// Makes damage an error instead of an entry in the damage report.
    public var isStrict: Bool
    /// Threads of the decoder; 0 takes one per core.
    public var decoderThreads: Int
    /// Keeps the other streams of a pipe for a writer that remuxes them; false lets them go, for whoever wants the
    /// pictures alone.
    public var keepsOtherStreams: Bool
    /// Decodes key frames alone, passing over all others unread where the container allows it: fast, for surveys. Streams
    /// without times of their own are decoded whole, since their frames have to be counted.
    public var keyFramesOnly: Bool
    /// Opens addresses of the network; false refuses them by name. Either way a playlist from the network reaches no
    /// local file, a local one nothing of the network, and standard input names nothing else.
    public var allowsNetwork: Bool
    /// Luma samples that a picture may have at most. What a damaged or hostile head claims is not allocated beyond it.
    public var maximumPixels: Int
    /// libavformat's names of the formats that may be detected; nil for all.
    var allowedFormats: [String]?

    /// Luma samples of the largest picture that can be held.
    public static let mostPixels = PixelBuffer.sizeRange.upperBound * PixelBuffer.sizeRange.upperBound

    /// Options; each default suits a well-made file.
    public init(
        inputFrameRate: Rational? = nil, inputFormat: String? = nil, videoStream: Int? = nil,
        allowsInterlaced: Bool = false, isStrict: Bool = false, decoderThreads: Int = 0,
        keepsOtherStreams: Bool = true, keyFramesOnly: Bool = false, allowsNetwork: Bool = true,
        maximumPixels: Int = Self.mostPixels
    ) {
        self.inputFrameRate = inputFrameRate
        self.inputFormat = inputFormat
        self.videoStream = videoStream
        self.allowsInterlaced = allowsInterlaced
        self.isStrict = isStrict
        self.decoderThreads = decoderThreads
        self.keepsOtherStreams = keepsOtherStreams
        self.keyFramesOnly = keyFramesOnly
        self.allowsNetwork = allowsNetwork
        self.maximumPixels = maximumPixels
    }
}
