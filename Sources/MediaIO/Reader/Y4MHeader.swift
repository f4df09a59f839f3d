import CLibAV
import FrameCore

/// The first line of a y4m stream.
struct Y4MHeader: Equatable {
    private static let magic = "YUV4MPEG2 "
    private static let frameMagic = "FRAME"
    /// The longest line that is read, in bytes.
    private static let longestLine = 1024

    let width: Int
    let height: Int
    /// The size of a frame's samples in bytes; nil for an unknown pixel format.
    let frameBytes: Int?

    /// Parses a line; nil if it is no header or states no size.
    init?(_ line: String) {
        guard line.hasPrefix(Self.magic) else { return nil }
        let words = line.split(separator: " ").dropFirst()
        func value(_ name: Character) -> Substring? { words.first { $0.first == name }?.dropFirst() }
        guard let width = value("W").flatMap({ Int($0) }), let height = value("H").flatMap({ Int($0) }),
            (1...1 << 16).contains(width), (1...1 << 16).contains(height)
        else { return nil }
        (self.width, self.height) = (width, height)
        let color = value("C") ?? "420jpeg"
        let chroma = ((width + 1) / 2, (height + 1) / 2)
        let samples: Int? =
            switch color.prefix(3) {
            case "420": width * height + 2 * chroma.0 * chroma.1
            case "422": width * height + 2 * chroma.0 * height
            case "444": 3 * width * height
            case "mon": width * height
            default: nil
            }
        let isDeep = color.contains("p1") || ["mono9", "mono10", "mono12", "mono16"].contains(color)
        frameBytes = color.hasPrefix("444alpha") ? nil : samples.map { isDeep ? 2 * $0 : $0 }
    }

    /// Looks for another header where reading has failed, and reads on to its end.
    ///
    /// - Parameters:
    ///   - io: the input.
    ///   - place: the offset of the byte after the last frame.
    /// - Returns: the header, and the number of frames after it; nil if there is no header.
    static func following(_ io: UnsafeMutablePointer<AVIOContext>, at place: Int64) -> (header: Y4MHeader, frames: Int)?
    {
        guard avio_seek(io, place, SEEK_SET) == place, let line = line(io), let header = Y4MHeader(line) else {
            return nil
        }
        var frames = 0
        guard let size = header.frameBytes else { return (header, 1) }
        while let line = Self.line(io), line.hasPrefix(frameMagic) {
            frames += 1
            var rest = size, buffer = [UInt8](repeating: 0, count: min(size, 1 << 16))
            while rest > 0 {
                let count = avio_read(io, &buffer, Int32(min(rest, buffer.count)))
                guard count > 0 else { return (header, frames) }
                rest -= Int(count)
            }
        }
        return (header, frames)
    }

    private static func line(_ io: UnsafeMutablePointer<AVIOContext>) -> String? {
        var bytes: [UInt8] = [], next: UInt8 = 0
        while bytes.count < longestLine, avio_read(io, &next, 1) == 1 {
            if next == 10 { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(next)
        }
        return nil
    }
}
