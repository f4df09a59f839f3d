package import FrameCore

/// Roku's thumbnail file format (BIF, version 0): a table of times and offsets followed by JPEG files.
package struct BaseIndexFrames: Sendable, Hashable {
    private static let magic: [UInt8] = [0x89, 0x42, 0x49, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let headerBytes = 64
    /// The latest plausible time, one year; a table entry beyond it is an error.
    private static let longestMilliseconds: Int64 = 366 * 86_400_000

    /// The time between images, in milliseconds.
    package var intervalMilliseconds: UInt32
    /// JPEG files, in time order.
    package var pictures: [[UInt8]]

    /// Creates a file of images at a constant interval.
    package init(intervalMilliseconds: UInt32, pictures: [[UInt8]]) {
        self.intervalMilliseconds = intervalMilliseconds
        self.pictures = pictures
    }

    /// The largest possible file in bytes: offsets have 32 bits.
    static let maximumBytes = Int(UInt32.max)

    /// Returns the bytes of the file.
    ///
    /// - Throws: `FrameError` when they would exceed 4 GiB.
    package func encoded() throws(FrameError) -> [UInt8] {
        let total = pictures.reduce(Self.headerBytes + 8 * (pictures.count + 1)) { $0 + $1.count }
        guard total <= Self.maximumBytes else {
            throw FrameError(
                .unsupportedSize,
                "a BIF file may have \(Self.maximumBytes) bytes; \(pictures.count) images take \(total)")
        }
        var writer = ByteWriter()
        writer.raw(Self.magic)
        writer.little(UInt32(0))
        writer.little(UInt32(pictures.count))
        writer.little(intervalMilliseconds)
        writer.zeros(Self.headerBytes - writer.count)
        var offset = Self.headerBytes + 8 * (pictures.count + 1)
        for (index, picture) in pictures.enumerated() {
            writer.little(UInt32(index))
            writer.little(UInt32(offset))
            offset += picture.count
        }
        writer.little(UInt32.max)
        writer.little(UInt32(offset))
        for picture in pictures { writer.raw(picture) }
        return writer.bytes
    }

    /// The times and offsets in a BIF file, validated against the file's length.
    package struct Index: Sendable, Hashable {
        /// The time and location of one image.
        package struct Entry: Sendable, Hashable {
            /// The time at which the image is first shown, in milliseconds.
            package var milliseconds: Int64
            /// The offset of the image's first byte in the file.
            package var offset: Int
            /// The size of the image in bytes.
            package var count: Int
        }
        /// The entries in time order.
        package var entries: [Entry]

        /// Reads the table of a file.
        ///
        /// - Throws: `FrameError` when the bytes are not a BIF file, or the file is truncated.
        package init(_ bytes: [UInt8]) throws(FrameError) {
            let reader = ByteReader(bytes)
            guard bytes.starts(with: BaseIndexFrames.magic) else { throw FrameError(.input, "this is not a BIF file") }
            guard reader.little(8, as: UInt32.self) == 0, let count = reader.little(12, as: UInt32.self),
                let unit = reader.little(16, as: UInt32.self)
            else { throw FrameError(.input, "the BIF file's header is truncated or has an unknown version") }
            let scale = unit == 0 ? 1000 : Int64(unit)
            guard Int(count) <= (bytes.count - headerBytes) / 8 else {
                throw FrameError(.input, "the BIF file is truncated: its table lists \(count) images")
            }
            var found: [Entry] = []
            for index in 0..<Int(count) {
                let place = headerBytes + 8 * index
                guard let time = reader.little(place, as: UInt32.self),
                    let start = reader.little(place + 4, as: UInt32.self),
                    let end = reader.little(place + 12, as: UInt32.self)
                else { throw FrameError(.input, "the BIF file is truncated: its table ends at image \(index)") }
                guard start <= end, reader.slice(Int(start), Int(end) - Int(start)) != nil else {
                    throw FrameError(
                        .input, "the BIF file is truncated: image \(index) is outside its \(bytes.count) bytes")
                }
                let moment = Int64(time).multipliedReportingOverflow(by: scale)
                guard !moment.overflow, moment.partialValue <= longestMilliseconds else {
                    throw FrameError(
                        .input,
                        "image \(index) of the BIF file has the time \(time) times \(scale) ms, which is over a year")
                }
                found.append(
                    Entry(milliseconds: moment.partialValue, offset: Int(start), count: Int(end) - Int(start)))
            }
            guard zip(found, found.dropFirst()).allSatisfy({ $0.milliseconds < $1.milliseconds }) else {
                throw FrameError(.input, "the times in the BIF file are not in ascending order")
            }
            entries = found
        }
    }
}
