import FrameCore
import Foundation
import MediaIO
import TestSupport
import Testing

/// Which frames are interlaced, and which field of them is shown first.
@Suite struct FieldOrderTests {
    private func y4m(_ mark: String, in folder: TemporaryFolder) throws -> String {
        let head = Array("YUV4MPEG2 W64 H48 F25:1 I\(mark) A1:1 C420mpeg2\n".utf8)
        let frame = Array("FRAME\n".utf8) + [UInt8](repeating: 90, count: 64 * 48 * 3 / 2)
        return try folder.write(head + frame + frame, to: "i.y4m")
    }

    @Test(arguments: [("p", nil), ("t", FieldOrder.topFirst), ("b", .bottomFirst), ("?", nil)])
    func rawVideoIsWhatItsHeaderSays(mark: String, order: FieldOrder?) throws {
        let folder = try TemporaryFolder()
        let reading = try read(y4m(mark, in: folder))
        #expect(reading.frames.map(\.fieldOrder) == [order, order])
        let video = reading.reader.info.streams[0].video
        #expect(video?.fieldOrder == (order == .topFirst ? .topFirst : order == nil ? .progressive : .bottomFirst))
    }

    private static let source = "testsrc2=s=64x48:r=25:d=0.2,format=yuv420p"

    private func orders(_ source: String, _ codec: [String], _ name: String = "in.mkv") throws -> [FieldOrder?] {
        let folder = try TemporaryFolder()
        return try read(make(folder(name), ["-f", "lavfi", "-i", source] + codec)).frames.map(\.fieldOrder)
    }

    /// Codecs that mark frames are believed, whatever the container says of all of them.
    @Test(
        .enabled(if: hasMaker),
        arguments: [
            (["-c:v", "mpeg2video", "-flags", "+ildct+ilme", "-top", "1"], FieldOrder.topFirst),
            (["-c:v", "mpeg2video", "-flags", "+ildct+ilme", "-top", "0"], .bottomFirst),
            (["-c:v", "libx264", "-flags", "+ildct+ilme", "-top", "1"], .topFirst),
            (["-c:v", "libx264", "-field_order", "tt"], nil), (["-c:v", "prores_ks", "-field_order", "tt"], nil),
        ])
    func marksOfFramesAreBelieved(codec: [String], order: FieldOrder?) throws {
        let field = order == nil ? "prog" : order == .topFirst ? "tff" : "bff"
        let found = try orders(Self.source + ",setfield=\(field)", codec)
        #expect(found == Array(repeating: order, count: 5))
    }

    @Test(.enabled(if: hasMaker)) func ofDVTheBottomFieldIsFirst() throws {
        let found = try orders("testsrc2=s=720x576:r=25:d=0.2", ["-c:v", "dvvideo"], "in.dv")
        #expect(found == Array(repeating: .bottomFirst, count: 5))
    }

    /// Codecs without marks have the order of the container.
    @Test(
        .enabled(if: hasMaker),
        arguments: [
            (["-c:v", "libvpx-vp9", "-field_order", "tt"], "in.mkv", FieldOrder.topFirst),
            (["-c:v", "utvideo", "-field_order", "bb"], "in.mkv", .bottomFirst),
            (["-c:v", "rawvideo", "-pix_fmt", "uyvy422", "-field_order", "bb"], "in.mov", .bottomFirst),
            (["-c:v", "mjpeg", "-field_order", "tt"], "in.mkv", .topFirst), (["-c:v", "mjpeg"], "in.mkv", nil),
        ])
    func containersAdvise(codec: [String], name: String, order: FieldOrder?) throws {
        #expect(try orders(Self.source, codec, name) == Array(repeating: order, count: 5))
    }

    /// Frames of HEVC that are marked are single fields.
    @Test(.enabled(if: hasMaker)) func singleFieldsAreProgressive() throws {
        let found = try orders(Self.source, ["-c:v", "libx265", "-x265-params", "interlace=tff:log-level=none"])
        #expect(found == Array(repeating: nil, count: 5))
    }

    /// The order may change within a clip.
    @Test(.enabled(if: hasMaker)) func eachFrameHasItsOwnOrder() throws {
        let folder = try TemporaryFolder()
        for (name, field, top, offset) in [("a.ts", "tff", "1", "0"), ("b.ts", "bff", "0", "0.2")] {
            try make(
                folder(name),
                [
                    "-f", "lavfi", "-i", Self.source + ",setfield=\(field)", "-c:v", "mpeg2video", "-flags",
                    "+ildct+ilme", "-top", top, "-g", "1", "-output_ts_offset", offset,
                ])
        }
        let joined = try folder.write(try bytes(of: folder("a.ts")) + bytes(of: folder("b.ts")), to: "ab.ts")
        let found = try read(joined).frames.map(\.fieldOrder)
        #expect(found.count == 10 && Set(found) == [.topFirst, .bottomFirst])
        #expect(found.prefix(4).allSatisfy { $0 == .topFirst } && found.suffix(4).allSatisfy { $0 == .bottomFirst })
    }
}
