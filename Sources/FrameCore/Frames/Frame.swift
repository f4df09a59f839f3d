/// A video frame: samples, times, and the metadata needed to display them correctly.
public struct Frame: Sendable {
    /// The samples.
    public var buffer: PixelBuffer
    /// When the frame is first shown, in the source's time.
    public var presentationTime: MediaTime
    /// How long the frame is shown; nil if the source does not specify it.
    public var duration: MediaTime?
    /// How to interpret the code values.
    public var color: ColorDescription
    /// The pixel aspect ratio, width over height; nil if the source does not specify it.
    public var sampleAspectRatio: Rational?
    /// Whether the frame is interlaced: alternate rows belong to two fields captured at different times.
    public var isInterlaced: Bool
    /// Whether the frame is affected by damage in the input, in the frame itself or in frames it was computed from.
    public var isDamaged: Bool
    /// Other data attached to the frame.
    public var sideData: SideData

    /// Creates a frame; omitted properties are unknown or empty.
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

    /// Returns a frame with the same metadata but different samples and times.
    public func replacing(buffer: PixelBuffer, presentationTime: MediaTime, duration: MediaTime?) -> Frame {
        var copy = self
        copy.buffer = buffer
        copy.presentationTime = presentationTime
        copy.duration = duration
        return copy
    }
}

/// Opaque data attached to a frame or stream: HDR mastering, content light level, captions, dynamic metadata.
///
/// Each entry keeps its bytes and the producer's name for its kind. Effects pass entries on unless they deliberately
/// change them.
public struct SideData: Sendable, Hashable {
    /// One item of side data.
    public struct Entry: Sendable, Hashable {
        /// The producer's name for the kind of data, such as libav's `av_frame_side_data_name`.
        public var kind: String
        /// The producer's number for the kind, so that the entry can be passed back without a lookup.
        public var code: Int32
        /// The data in the producer's layout.
        public var bytes: [UInt8]
        /// Whether the entry belongs to this frame only and must not be repeated on another one, as with captions and
        /// time codes; false for entries that describe how frames look.
        public var isOfThisPictureOnly: Bool

        /// Creates an entry.
        public init(kind: String, code: Int32, bytes: [UInt8], isOfThisPictureOnly: Bool = false) {
            self.kind = kind
            self.code = code
            self.bytes = bytes
            self.isOfThisPictureOnly = isOfThisPictureOnly
        }
    }

    /// The entries in the producer's order.
    public var entries: [Entry]

    /// Creates side data from entries.
    public init(_ entries: [Entry] = []) { self.entries = entries }
    /// Whether there are no entries.
    public var isEmpty: Bool { entries.isEmpty }

    /// The entries for a frame computed from this one or repeating it: all but those that belong to this frame only.
    public var forMadeFrames: SideData { SideData(entries.filter { !$0.isOfThisPictureOnly }) }
}
