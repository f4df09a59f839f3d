import FrameCore
import Glibc

/// The loop count of an animated image, which libavformat does not export.
enum AnimationPlays {
    /// The number of bytes at the start of a file that are searched: the count comes before the first frame.
    private static let headSize = 1 << 16

    /// Returns how often the image is played; 0 for forever, nil if the file is no animated GIF, PNG or WebP.
    static func count(inFileAt path: String) -> Int? {
        guard let file = fopen(LocalFile.path(path), "rb") else { return nil }
        defer { fclose(file) }
        var head = [UInt8](repeating: 0, count: headSize)
        head.removeLast(head.count - fread(&head, 1, head.count, file))
        return count(in: head)
    }

    /// Returns the number of times that the beginning of a file states.
    static func count(in head: [UInt8]) -> Int? {
        let reader = ByteReader(head)
        if reader.hasText("GIF8", at: 0) { return ofGIF(head) }
        if reader.hasText("RIFF", at: 0), reader.hasText("WEBPVP8X", at: 8), let flags = reader.big(20, as: UInt8.self)
        {
            guard flags & 2 != 0 else { return nil }
            return ofChunks(reader, from: 12, named: "ANIM") { $0.little($1 + 12, as: UInt16.self).map(Int.init) }
        }
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            var place = 8
            while let length = reader.big(place, as: UInt32.self), !reader.hasText("IDAT", at: place + 4) {
                if reader.hasText("acTL", at: place + 4) {
                    return reader.big(place + 12, as: UInt32.self).map(Int.init)
                }
                place += 12 + Int(length)
            }
        }
        return nil
    }

    /// Returns a value in the first RIFF chunk with a name.
    private static func ofChunks(
        _ reader: ByteReader, from start: Int, named name: String, _ value: (ByteReader, Int) -> Int?
    ) -> Int? {
        var place = start
        while let length = reader.little(place + 4, as: UInt32.self) {
            if reader.hasText(name, at: place) { return value(reader, place) }
            place += 8 + Int(length) + Int(length & 1)
        }
        return nil
    }

    /// GIF files (GIF89a, with the application extension of Netscape) count repetitions; without a count they are played
    /// once.
    private static func ofGIF(_ head: [UInt8]) -> Int? {
        let reader = ByteReader(head)
        guard let flags = reader.big(10, as: UInt8.self) else { return nil }
        var place = 13 + (flags & 0x80 != 0 ? 3 << (Int(flags & 7) + 1) : 0)
        while reader.big(place, as: UInt8.self) == 0x21 {
            if reader.hasText("NETSCAPE2.0", at: place + 3), reader.big(place + 15, as: UInt8.self) == 1,
                let repetitions = reader.little(place + 16, as: UInt16.self)
            {
                return repetitions == 0 ? 0 : Int(repetitions) + 1
            }
            place += 2
            while let length = reader.big(place, as: UInt8.self), length > 0 { place += 1 + Int(length) }
            place += 1
        }
        return 1
    }
}
