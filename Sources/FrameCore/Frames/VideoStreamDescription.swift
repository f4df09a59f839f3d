/// Properties of a video stream that are known before its first frame is decoded.
public struct VideoStreamDescription: Sendable {
    /// The pixel format of the frames.
    public var format: PixelFormat
    /// Width in luma samples.
    public var width: Int
    /// Height in luma rows.
    public var height: Int
    /// The time base: the duration of one tick of the stream's clock, in seconds.
    public var timeBase: Rational
    /// The mean frame rate in frames per second, if the container or codec specifies one.
    ///
    /// Use it for display and defaults only; presentation times take precedence.
    public var nominalFrameRate: Rational?
    /// The number of frames according to the container, if it specifies one.
    public var frameCount: Int?
    /// The duration according to the container, if it specifies one.
    public var duration: MediaTime?
    /// How to interpret the code values.
    public var color: ColorDescription
    /// The pixel aspect ratio, width over height; nil if unspecified.
    public var sampleAspectRatio: Rational?
    /// The display matrix of ISO/IEC 14496-12 (nine 16.16/2.30 fixed-point numbers), if the container has one.
    public var displayMatrix: [Int32]?
    /// Side data that applies to all frames, such as mastering display and content light level.
    public var sideData: SideData

    /// Creates a description; omitted properties are unknown.
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
