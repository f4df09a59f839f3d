internal import FrameCore

/// An ICC profile and EXIF data for images made in tests.
public enum ImageExamples {
    /// A profile without tags, which is enough to carry.
    public static func profile(_ space: String = "RGB ", bytes count: Int = 600) -> [UInt8] {
        var bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
        bytes.replaceSubrange(16..<20, with: space.utf8)
        bytes.replaceSubrange(36..<40, with: "acsp".utf8)
        bytes.replaceSubrange(128..<132, with: [0, 0, 0, 0])
        return bytes
    }

    /// A profile of a color space with the given tags.
    public static func profile(_ space: String, tags: [(name: String, data: [UInt8])]) -> [UInt8] {
        var bytes = Array(profile(space, bytes: 132).prefix(128))
        var place = 132 + 12 * tags.count
        func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
        bytes += number(tags.count)
        for tag in tags {
            bytes += Array(tag.name.utf8) + number(place) + number(tag.data.count)
            place += tag.data.count
        }
        return bytes + tags.flatMap(\.data)
    }

    /// The data of a tag with a color in XYZ.
    public static func profileXYZ(_ value: [Double]) -> [UInt8] {
        Array("XYZ ".utf8) + [0, 0, 0, 0]
            + value.flatMap { part in
                [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: Int((part * 65_536).rounded()) >> $0) }
            }
    }

    /// The maker note in ``exif()``.
    public static let makerNote = Array("maker note 0123456789".utf8) + [0]
    /// The thumbnail in ``exif()``.
    public static let thumbnail: [UInt8] = [0xFF, 0xD8] + [UInt8](repeating: 0x5A, count: 60)

    /// Big-endian EXIF data with an artist, an orientation, a size, a maker note, a position, and a thumbnail.
    public static func exif() -> [UInt8] {
        var writer = ByteWriter()
        func entry(_ tag: UInt16, _ type: UInt16, _ count: Int, _ value: UInt32) {
            writer.big(tag)
            writer.big(type)
            writer.big(UInt32(count))
            writer.big(value)
        }
        writer.text("MM")
        writer.big(UInt16(42))
        writer.big(UInt32(8))
        // The first directory with four entries ends at 62.
        writer.big(UInt16(4))
        entry(0x0112, 3, 1, 6 << 16)
        entry(0x013B, 2, 4, 0x416E_6E00)
        entry(0x8769, 4, 1, 62)
        entry(0x8825, 4, 1, 104)
        writer.big(UInt32(122))
        // The EXIF directory with three entries ends at 104.
        writer.big(UInt16(3))
        entry(0x927C, 7, Self.makerNote.count, 152)
        entry(0xA002, 4, 1, 4000)
        entry(0xA003, 3, 1, 3000 << 16)
        writer.big(UInt32(0))
        writer.big(UInt16(1))
        entry(0x0001, 2, 2, 0x4E00_0000)
        writer.big(UInt32(0))
        // The thumbnail's directory.
        writer.big(UInt16(2))
        entry(0x0201, 4, 1, UInt32(152 + Self.makerNote.count))
        entry(0x0202, 4, 1, UInt32(Self.thumbnail.count))
        writer.big(UInt32(0))
        writer.raw(Self.makerNote)
        writer.raw(Self.thumbnail)
        return writer.bytes
    }
}
