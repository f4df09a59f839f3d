import FrameCore
import Glibc

/// The frames of an animated WebP file, which is a sequence of RIFF chunks (RFC 9649).
enum WebPFrames {
    /// The bit of a frame's flags that makes it replace the canvas.
    private static let replaces: UInt8 = 2
    /// The place of the flags in a chunk: after its head of 8 bytes, position, size and duration.
    private static let flagsOffset = 8 + 15

    /// Makes all frames replace the one before. libavformat writes frames that are drawn over it, so that what was visible
    /// once stays visible where a later frame is transparent.
    ///
    /// - Throws: `FrameError` if the file cannot be changed.
    static func stopBlending(in path: String) throws(FrameError) {
        guard let file = fopen(path, "r+b") else { throw writeError(-errno, path) }
        defer { fclose(file) }
        var place = 12
        while true {
            var head = [UInt8](repeating: 0, count: flagsOffset + 1)
            guard fseek(file, place, SEEK_SET) == 0 else { throw writeError(-errno, path) }
            let count = fread(&head, 1, head.count, file), reader = ByteReader(head)
            guard count >= 8, let size = reader.little(4, as: UInt32.self) else { break }
            if reader.hasText("ANMF", at: 0), count == head.count {
                let flags = [head[flagsOffset] | replaces]
                guard fseek(file, place + flagsOffset, SEEK_SET) == 0, fwrite(flags, 1, 1, file) == 1 else {
                    throw writeError(-errno, path)
                }
            }
            place += 8 + Int(size) + Int(size % 2)
        }
        guard fflush(file) == 0 else { throw writeError(-errno, path) }
    }
}
