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

/// Opaque data that rides on a frame or a stream: HDR mastering, content light level, captions, dynamic metadata.
///
/// Each entry keeps its bytes and the producer's name for its kind; an effect passes entries on unless it knowingly
/// changes them.
public struct SideData: Sendable, Hashable {
    /// One kind of data.
    public struct Entry: Sendable, Hashable {
        /// Kind as the producer names it, e.g. libav's `av_frame_side_data_name`.
        public var kind: String
        /// The producer's number for the kind, to hand the entry back without a look-up.
        public var code: Int32
        /// The data, in the producer's layout.
        public var bytes: [UInt8]
        /// Whether the entry belongs to this one picture and would be said twice by another that carried it too, as with
        /// captions and time codes; false for what describes how pictures look.
        public var isOfThisPictureOnly: Bool

        /// Makes an entry.
        public init(kind: String, code: Int32, bytes: [UInt8], isOfThisPictureOnly: Bool = false) {
            self.kind = kind
            self.code = code
            self.bytes = bytes
            self.isOfThisPictureOnly = isOfThisPictureOnly
        }
    }

    /// In the producer's order.
    public var entries: [Entry]

    /// Side data of these entries.
    public init(_ entries: [Entry] = []) { self.entries = entries }
    /// Whether there are no entries.
    public var isEmpty: Bool { entries.isEmpty }

    /// What a frame made from this one, or a repeat of it, carries: all entries but those of this picture only.
    public var forMadeFrames: SideData { SideData(entries.filter { !$0.isOfThisPictureOnly }) }
}
