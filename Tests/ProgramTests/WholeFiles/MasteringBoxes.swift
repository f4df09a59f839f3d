import Foundation

/// The boxes of an MP4 file that describe the mastering display. FFmpeg 5.1 has no option to write them, but copies
/// them to any file made from the input.
enum MasteringBoxes {
    /// The same values as those that ``WholeFileInput`` has x264 and x265 write.
    private static let bytes: [UInt8] = {
        let mastering: [UInt16] = [13_250, 34_500, 7_500, 3_000, 34_000, 16_000, 15_635, 16_450]
        let luminance: [UInt32] = [10_000_000, 50]
        let light: [UInt16] = [1_000, 400]
        return box("mdcv", mastering.flatMap(bigEndian) + luminance.flatMap(bigEndian))
            + box("clli", light.flatMap(bigEndian))
    }()

    /// Returns the movie with the boxes added to its H.264 track; nil if its layout differs from FFmpeg's, with the
    /// video first.
    static func added(to movie: Data) -> Data? {
        var movie = [UInt8](movie)
        guard let entry = start(of: "avc1", in: movie, before: movie.count), let length = size(at: entry, movie) else {
            return nil
        }
        var around = [entry]
        for kind in ["stsd", "stbl", "minf", "mdia", "trak", "moov"] {
            guard let last = around.last, let outer = start(of: kind, in: movie, before: last) else { return nil }
            around.append(outer)
        }
        for position in around {
            guard let old = size(at: position, movie) else { return nil }
            movie.replaceSubrange(position..<position + 4, with: bigEndian(UInt32(old + bytes.count)))
        }
        movie.insert(contentsOf: bytes, at: entry + length)
        return Data(movie)
    }

    private static func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
        bigEndian(UInt32(content.count + 8)) + Array(kind.utf8) + content
    }

    private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }

    /// Returns where the last box of a kind before a given position begins.
    private static func start(of kind: String, in movie: [UInt8], before end: Int) -> Int? {
        let name = Array(kind.utf8)
        return stride(from: end - 4, through: 4, by: -1).first { Array(movie[$0..<$0 + 4]) == name }.map { $0 - 4 }
    }

    private static func size(at position: Int, _ movie: [UInt8]) -> Int? {
        guard position >= 0, position + 4 <= movie.count else { return nil }
        return movie[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
