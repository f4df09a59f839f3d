/// What is known of a video stream before its first frame is decoded.
public struct VideoStreamDescription: Sendable {
    /// Layout of the pictures.
    public var format: PixelFormat
    /// Luma samples per row.
    public var width: Int
    /// Rows of luma.
    public var height: Int
    /// Duration of one tick of the stream's clock, in seconds.
    public var timeBase: Rational
    /// Mean frames per second, when the container or codec states it. For display and defaults; times rule.
    public var nominalFrameRate: Rational?
    /// Frames the container announces, when it does.
    public var frameCount: Int?
    /// Duration the container announces, when it does.
    public var duration: MediaTime?
    /// How code values are meant.
    public var color: ColorDescription
    /// Width of a pixel over its height; nil when nobody says.
    public var sampleAspectRatio: Rational?
    /// Display matrix of ISO/IEC 14496-12 (nine 16.16/2.30 fixed-point numbers), when the container carries one.
    public var displayMatrix: [Int32]?
    /// What the stream carries for all its pictures, such as mastering display and light level.
    public var sideData: SideData

    /// Puts a description together; what is left out is unknown.
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
