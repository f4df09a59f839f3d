package import FrameCore

/// The frames of a clip as its packets state them.
package struct PacketTable: FrameTable {
    /// Why the packets do not determine the frames.
    package struct Doubt: Error {
        /// A clause such as "its packets state no times".
        package let reason: String
    }

    package let count: Int
    private let index: FrameIndex
    private let reorderDelay: Int

    package func time(of number: Int) -> MediaTime {
        index.entries[min(max(0, number), index.entries.count - 1)].time
    }

    package func position(of number: Int) -> SourcePosition? {
        index.position(ofFrame: number, reorderDelay: reorderDelay, isExact: true)
    }

    /// How many frames after the last trusted keyframe another keyframe is worth a look at what follows it.
    private static let longestApproach = 250

    fileprivate init(_ index: FrameIndex, count: Int, reorderDelay: Int) throws(Doubt) {
        (self.index, self.count, self.reorderDelay) = (index, count, reorderDelay)
        guard !index.isDamaged else { throw Doubt(reason: "it is damaged") }
        var approach = 0
        for entry in index.entries {
            approach = entry.isTrusted ? 0 : approach + 1
            guard !entry.isKey || approach < Self.longestApproach else {
                throw Doubt(reason: "frames after its keyframes may depend on frames before them")
            }
        }
    }
}

extension MediaReader {
    /// Returns the frames of the clip, or of the clip up to the end of a part, from its packets.
    ///
    /// Containers that state times and keyframes, and codecs whose frames each have a packet, are believed until a reader
    /// finds other frames. Call before reading the first frame.
    ///
    /// - Parameter part: a part that this reader has located.
    package func packetTable(of part: LocatedPart?) throws(PacketTable.Doubt) -> PacketTable {
        guard damage.isEmpty else { throw PacketTable.Doubt(reason: "it is damaged") }
        guard !countsFrames else { throw PacketTable.Doubt(reason: "it states no times") }
        guard demuxer.formatName.contains("mp4") || demuxer.formatName.contains("matroska"), isSeekable else {
            throw PacketTable.Doubt(reason: "it is not an mp4 or Matroska file")
        }
        // A part without an end has been located by the packets before its beginning.
        let end = part.flatMap { part in part.firstFrame.flatMap { first in part.frameCount.map { first + $0 } } }
        guard let index = (end == nil ? nil : part?.index) ?? frameIndex(upTo: .end) else {
            throw PacketTable.Doubt(reason: "the times of its packets are missing or do not ascend")
        }
        return try PacketTable(index, count: end ?? index.entries.count, reorderDelay: reorderDelay)
    }
}
