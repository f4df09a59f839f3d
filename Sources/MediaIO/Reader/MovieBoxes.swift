import CLibAV

/// The boxes at the top level of an mp4 or mov file (ISO/IEC 14496-12, 4.2).
enum MovieBoxes {
    private static let moof: UInt32 = 0x6D6F_6F66, mdat: UInt32 = 0x6D64_6174

    /// Whether a fragmented file ends inside a fragment. Each fragment has its own index, so that none lists the samples
    /// that are missing.
    ///
    /// - Parameter io: a seekable input. Its position is restored.
    static func areCut(_ io: UnsafeMutablePointer<AVIOContext>) -> Bool {
        let size = avio_size(io), place = avio_tell(io)
        defer { avio_seek(io, place, SEEK_SET) }
        var position: Int64 = 0, isFragmented = false
        while size - position >= 8 {
            guard avio_seek(io, position, SEEK_SET) == position else { return false }
            var length = Int64(avio_rb32(io))
            let kind = avio_rb32(io)
            if kind == moof { isFragmented = true }
            if length == 1 { length = Int64(clamping: avio_rb64(io)) }
            // A last box of length 0 reaches to the end, and what follows the boxes of some files is none.
            guard length >= 8 else { return false }
            if length > size - position { return isFragmented && (kind == moof || kind == mdat) }
            position += length
        }
        return false
    }
}
