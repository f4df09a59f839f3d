import FrameCore
import Glibc

/// The boxes of a JPEG XL file (ISO/IEC 18181-2).
///
/// libavcodec 5.1 looks for the picture in them and, where the head of a box is cut off, does so for ever; so files are
/// looked at before it gets them.
enum JPEGXLBoxes {
    private static let signature: [UInt8] = [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 13, 10, 0x87, 10]
    /// Boxes that a file may have; real ones have fewer than ten.
    private static let most = 10_000

    /// - Throws: `FrameError` when a file that begins as JPEG XL does has a box that is not whole.
    static func requireWhole(_ input: String) throws(FrameError) {
        guard let file = fopen(LocalFile.path(input), "rb") else { return }
        defer { fclose(file) }
        guard let size = LocalFile(input)?.size, read(8, from: file) == Array(signature[..<8]) else { return }
        guard read(4, from: file) == Array(signature[8...]) else { throw damage(input) }
        var place: Int64 = 12
        for _ in 0..<most where place < size {
            guard fseek(file, Int(place), SEEK_SET) == 0, let head = read(8, from: file).map(ByteReader.init),
                var length = head.big(0, as: UInt32.self).map(Int64.init)
            else { throw damage(input) }
            // 0 reaches to the end, 1 says that a longer length follows.
            if length == 0 { return }
            if length == 1 {
                guard let long = read(8, from: file).map(ByteReader.init)?.big(0, as: UInt64.self),
                    let exact = Int64(exactly: long), exact >= 16
                else { throw damage(input) }
                length = exact
            }
            guard length >= 8, length <= size - place else { throw damage(input) }
            place += length
        }
        if place < size { throw damage(input) }
    }

    private static func read(_ count: Int, from file: UnsafeMutablePointer<FILE>) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return fread(&bytes, 1, count, file) == count ? bytes : nil
    }

    private static func damage(_ input: String) -> FrameError {
        FrameError(.decode, "the JPEG XL file ends inside one of its boxes", at: .init(file: input))
    }
}
