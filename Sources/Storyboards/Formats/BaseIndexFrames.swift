package import FrameCore

/// Roku's file of thumbnails (BIF, version 0): a table of times and places, then JPEG files one behind the other.
package struct BaseIndexFrames: Sendable, Hashable {
    private static let magic: [UInt8] = [0x89, 0x42, 0x49, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let headerBytes = 64
    /// A year: whatever claims to be shown later is nonsense.
    private static let longestMilliseconds: Int64 = 366 * 86_400_000

    /// How long each picture stands, in milliseconds.
    package var intervalMilliseconds: UInt32
    /// JPEG files, in order.
    package var pictures: [[UInt8]]

    /// Pictures at a steady pace.
    package init(intervalMilliseconds: UInt32, pictures: [[UInt8]]) {
        self.intervalMilliseconds = intervalMilliseconds
        self.pictures = pictures
    }

    /// Longest file: places in it have 32 bits.
    static let maximumBytes = Int(UInt32.max)

    /// The file's bytes.
    ///
    /// - Throws: `FrameError` when they are more than 4 GiB.
    package func encoded() throws(FrameError) -> [UInt8] {
        let total = pictures.reduce(Self.headerBytes + 8 * (pictures.count + 1)) { $0 + $1.count }
        guard total <= Self.maximumBytes else {
            throw FrameError(
                .unsupportedSize,
                "a BIF file holds \(Self.maximumBytes) bytes; \(pictures.count) pictures take \(total)")
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

    /// Times and places in a BIF file, checked against its length.
    package struct Index: Sendable, Hashable {
        /// A picture's place.
        package struct Entry: Sendable, Hashable {
            /// When it is first shown, in milliseconds.
            package var milliseconds: Int64
            /// First byte.
            package var offset: Int
            /// Bytes.
            package var count: Int
        }
        /// In order of time.
        package var entries: [Entry]

        /// - Throws: `FrameError` when the bytes are no BIF file or it is cut short.
        package init(_ bytes: [UInt8]) throws(FrameError) {
            let reader = ByteReader(bytes)
            guard bytes.starts(with: BaseIndexFrames.magic) else { throw FrameError(.input, "this is no BIF file") }
            guard reader.little(8, as: UInt32.self) == 0, let count = reader.little(12, as: UInt32.self),
                let unit = reader.little(16, as: UInt32.self)
            else { throw FrameError(.input, "the BIF file's head is cut short or of an unknown version") }
            let scale = unit == 0 ? 1000 : Int64(unit)
            guard Int(count) <= (bytes.count - headerBytes) / 8 else {
                throw FrameError(.input, "the BIF file is cut short: its table announces \(count) pictures")
            }
            var found: [Entry] = []
            for index in 0..<Int(count) {
                let place = headerBytes + 8 * index
                guard let time = reader.little(place, as: UInt32.self),
                    let start = reader.little(place + 4, as: UInt32.self),
                    let end = reader.little(place + 12, as: UInt32.self)
                else { throw FrameError(.input, "the BIF file is cut short: its table ends at picture \(index)") }
                guard start <= end, reader.slice(Int(start), Int(end) - Int(start)) != nil else {
                    throw FrameError(
                        .input, "the BIF file is cut short: picture \(index) lies beyond its \(bytes.count) bytes")
                }
                let moment = Int64(time).multipliedReportingOverflow(by: scale)
                guard !moment.overflow, moment.partialValue <= longestMilliseconds else {
                    throw FrameError(
                        .input, "picture \(index) of the BIF file is shown at \(time) times \(scale) ms, beyond a year")
                }
                found.append(
                    Entry(milliseconds: moment.partialValue, offset: Int(start), count: Int(end) - Int(start)))
            }
            guard zip(found, found.dropFirst()).allSatisfy({ $0.milliseconds < $1.milliseconds }) else {
                throw FrameError(.input, "the times in the BIF file do not ascend")
            }
            entries = found
        }
    }
}
