/// One picture with its time and everything needed to show it right.
public struct Frame: Sendable {
    /// The samples.
    public var buffer: PixelBuffer
    /// When the frame is shown first, on the clock of its source.
    public var presentationTime: MediaTime
    /// How long the frame is shown; nil when the source does not say.
    public var duration: MediaTime?
    /// How the code values are meant.
    public var color: ColorDescription
    /// Width of a pixel over its height; nil when the source does not say.
    public var sampleAspectRatio: Rational?
    /// Whether the rows show two moments in turn.
    public var isInterlaced: Bool
    /// Whether it shows damage of the input: its own, or that of pictures it was made from.
    public var isDamaged: Bool
    /// What else rides on the frame.
    public var sideData: SideData

    /// Puts a frame together; what is left out is unknown or empty.
    public init(
        buffer: PixelBuffer, presentationTime: MediaTime, duration: MediaTime? = nil,
        color: ColorDescription = .unspecified, sampleAspectRatio: Rational? = nil, isInterlaced: Bool = false,
        isDamaged: Bool = false, sideData: SideData = SideData()
    ) {
        self.buffer = buffer
        self.presentationTime = presentationTime
        self.duration = duration
        self.color = color
        self.sampleAspectRatio = sampleAspectRatio
        self.isInterlaced = isInterlaced
        self.isDamaged = isDamaged
        self.sideData = sideData
    }

    /// The same metadata round other samples at another time.
    public func replacing(buffer: PixelBuffer, presentationTime: MediaTime, duration: MediaTime?) -> Frame {
        var copy = self
        copy.buffer = buffer
        copy.presentationTime = presentationTime
        copy.duration = duration
        return copy
    }
}
