import CLibAV

/// The boxes at the top level of an mp4 or mov file (ISO/IEC 14496-12, 4.2).
enum MovieBoxes {
    /// Whether the file ends inside its last box, so that samples are missing that no index lists: the fragments of a
    /// fragmented file each have their own.
    ///
    /// - Parameter io: a seekable input. Its position is restored.
    static func areCut(_ io: UnsafeMutablePointer<AVIOContext>) -> Bool {
        let size = avio_size(io), place = avio_tell(io)
        defer { avio_seek(io, place, SEEK_SET) }
        var position: Int64 = 0
        while size - position >= 8 {
            guard avio_seek(io, position, SEEK_SET) == position else { return false }
            var length = Int64(avio_rb32(io))
            let kind = avio_rb32(io)
            // What follows the last box of some files is not a box.
            guard kind.bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return false }
            // The last box reaches to the end.
            if length == 0 { return false }
            if length == 1 { length = Int64(clamping: avio_rb64(io)) }
            guard length >= 8 else { return false }
            if length > size - position { return true }
            position += length
        }
        return false
    }
}

extension UInt32 {
    fileprivate var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) } }
}
