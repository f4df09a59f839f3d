/// A video frame: samples, and the metadata needed to show them correctly.
public struct Frame: Sendable {
    /// The samples.
    public var buffer: PixelBuffer
    /// Everything that the frame carries besides its samples.
    public var metadata: Metadata

    /// Creates a frame from samples and metadata.
    public init(buffer: PixelBuffer, metadata: Metadata) {
        self.buffer = buffer
        self.metadata = metadata
    }

    /// Creates a frame; omitted properties are unknown or empty.
    public init(
        buffer: PixelBuffer, presentationTime: MediaTime, duration: MediaTime? = nil,
        color: ColorDescription = .unspecified, sampleAspectRatio: Rational? = nil, fieldOrder: FieldOrder? = nil,
        isDamaged: Bool = false, sideData: SideData = SideData()
    ) {
        self.init(
            buffer: buffer,
            metadata: Metadata(
                presentationTime: presentationTime, duration: duration, color: color,
                sampleAspectRatio: sampleAspectRatio, fieldOrder: fieldOrder, isDamaged: isDamaged,
                sideData: sideData))
    }

    /// Returns a frame with the same metadata but different samples and times.
    public func replacing(buffer: PixelBuffer, presentationTime: MediaTime, duration: MediaTime?) -> Frame {
        var copy = self
        copy.buffer = buffer
        copy.presentationTime = presentationTime
        copy.duration = duration
        return copy
    }
}

extension Frame {
    /// Times, color and other data of a frame, independent of its samples.
    public struct Metadata: Sendable, Hashable, Codable {
        /// When the frame is first shown, in the source's time.
        public var presentationTime: MediaTime
        /// How long the frame is shown; nil if the source does not specify it.
        public var duration: MediaTime?
        /// How to interpret the code values.
        public var color: ColorDescription
        /// The pixel aspect ratio, width over height; nil if the source does not specify it.
        public var sampleAspectRatio: Rational?
        /// Which field is shown first, if the frame is interlaced: alternate rows belong to two fields captured at
        /// different times. nil for a progressive frame.
        public var fieldOrder: FieldOrder?
        /// Whether the frame is affected by damage in the input, in the frame itself or in frames it was computed from.
        public var isDamaged: Bool
        /// Other data attached to the frame.
        public var sideData: SideData

        /// Creates metadata; omitted properties are unknown or empty.
        public init(
            presentationTime: MediaTime, duration: MediaTime? = nil, color: ColorDescription = .unspecified,
            sampleAspectRatio: Rational? = nil, fieldOrder: FieldOrder? = nil, isDamaged: Bool = false,
            sideData: SideData = SideData()
        ) {
            self.presentationTime = presentationTime
            self.duration = duration
            self.color = color
            self.sampleAspectRatio = sampleAspectRatio
            self.fieldOrder = fieldOrder
            self.isDamaged = isDamaged
            self.sideData = sideData
        }

        /// Whether the frame is interlaced.
        public var isInterlaced: Bool { fieldOrder != nil }
    }

    /// When the frame is first shown, in the source's time.
    public var presentationTime: MediaTime {
        get { metadata.presentationTime }
        set { metadata.presentationTime = newValue }
    }
    /// How long the frame is shown; nil if the source does not specify it.
    public var duration: MediaTime? {
        get { metadata.duration }
        set { metadata.duration = newValue }
    }
    /// How to interpret the code values.
    public var color: ColorDescription {
        get { metadata.color }
        set { metadata.color = newValue }
    }
    /// The pixel aspect ratio, width over height; nil if the source does not specify it.
    public var sampleAspectRatio: Rational? {
        get { metadata.sampleAspectRatio }
        set { metadata.sampleAspectRatio = newValue }
    }
    /// Which field is shown first, if the frame is interlaced: alternate rows belong to two fields captured at different
    /// times. nil for a progressive frame.
    public var fieldOrder: FieldOrder? {
        get { metadata.fieldOrder }
        set { metadata.fieldOrder = newValue }
    }
    /// Whether the frame is interlaced.
    public var isInterlaced: Bool { metadata.isInterlaced }
    /// Whether the frame is affected by damage in the input, in the frame itself or in frames it was computed from.
    public var isDamaged: Bool {
        get { metadata.isDamaged }
        set { metadata.isDamaged = newValue }
    }
    /// Other data attached to the frame.
    public var sideData: SideData {
        get { metadata.sideData }
        set { metadata.sideData = newValue }
    }
}
