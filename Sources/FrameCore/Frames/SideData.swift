/// Opaque data attached to a frame or stream: HDR mastering, content light level, captions, dynamic metadata.
///
/// Each entry keeps its bytes and the producer's name for its kind. Effects pass entries on unless they deliberately
/// change them.
public struct SideData: Sendable, Hashable, Codable {
    /// One item of side data.
    public struct Entry: Sendable, Hashable, Codable {
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
