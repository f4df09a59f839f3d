/// What is known of a video stream before its first frame is decoded.
public struct VideoStreamDescription: Sendable {
    public var format: PixelFormat
    public var width: Int
    public var height: Int
    /// Duration of one tick of the stream's clock, in seconds.
    public var timeBase: Rational
    /// Mean frames per second, when the container or codec states it. For display and defaults; times rule.
    public var nominalFrameRate: Rational?
    /// Frames the container announces, when it does.
    public var frameCount: Int?
    /// Duration the container announces, when it does.
    public var duration: MediaTime?
    public var color: ColorDescription
    public var sampleAspectRatio: Rational?
    /// Display matrix of ISO/IEC 14496-12 (nine 16.16/2.30 fixed-point numbers), when the container carries one.
    public var displayMatrix: [Int32]?
    public var sideData: SideData

    public init(
        format: PixelFormat, width: Int, height: Int, timeBase: Rational, nominalFrameRate: Rational? = nil,
        frameCount: Int? = nil, duration: MediaTime? = nil, color: ColorDescription = .unspecified,
        sampleAspectRatio: Rational? = nil, displayMatrix: [Int32]? = nil, sideData: SideData = SideData()
    ) {
        self.format = format
        self.width = width
        self.height = height
        self.timeBase = timeBase
        self.nominalFrameRate = nominalFrameRate
        self.frameCount = frameCount
        self.duration = duration
        self.color = color
        self.sampleAspectRatio = sampleAspectRatio
        self.displayMatrix = displayMatrix
        self.sideData = sideData
    }
}
