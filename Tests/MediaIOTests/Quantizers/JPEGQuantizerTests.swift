import FrameCore
import MediaIO
import TestSupport
import Testing

/// The quantizer step that a JPEG file states.
@Suite struct JPEGQuantizerTests {
    private let codec = StillCodec()

    private func jpeg(quality: Int = 60, _ format: PixelFormat = .yuv420p8) throws -> [UInt8] {
        let frame = Frame(
            buffer: try GeneratedPicture.texture(format, width: 48, height: 32), presentationTime: .zero,
            color: ColorDescription(
                matrix: .smpte170M, primaries: .unspecified, transfer: .unspecified, range: .full,
                chromaLocation: .center))
        return try codec.encode(StillPicture(frame: frame), as: .jpeg, options: StillOptions(quality: quality)).bytes
    }

    /// The positions of the segments before the first scan, by their marker.
    private func segments(_ file: [UInt8]) -> [(marker: UInt8, start: Int, count: Int)] {
        var found: [(UInt8, Int, Int)] = []
        var position = 2
        while position + 4 <= file.count, file[position] == 0xFF, file[position + 1] != 0xDA {
            let count = 2 + Int(file[position + 2]) << 8 + Int(file[position + 3])
            found.append((file[position + 1], position, count))
            position += count
        }
        return found
    }

    private func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 255)] + body
    }

    /// A file whose tables are replaced by other segments.
    private func file(_ tables: [UInt8]) throws -> [UInt8] {
        let file = try jpeg(), parts = segments(file)
        let old = parts.filter { $0.marker == 0xDB }
        let first = try #require(old.first)
        #expect(old.count == 1 || old.last.map { $0.start + $0.count } == first.start + old.reduce(0) { $0 + $1.count })
        return file[..<first.start] + tables + file[(first.start + old.reduce(0) { $0 + $1.count })...]
    }

    private func table(_ number: UInt8, _ steps: [UInt8]) -> [UInt8] {
        [number] + steps + [UInt8](repeating: 20, count: 64 - steps.count)
    }

    /// The usual table for a quality of 50: 11, 12 and 12 at the lowest frequencies.
    @Test func theUsualTable() throws {
        let file = try file(segment(0xDB, table(0, [16, 11, 12, 14, 12])))
        #expect(try codec.decode(file).quantizerStep == 11)
    }

    @Test func tablesMayFollowEachOther() throws {
        let both = table(0, [3, 3, 2, 9, 2]) + table(1, [99, 99, 99, 99, 99])
        #expect(try codec.decode(file(segment(0xDB, both))).quantizerStep == 11 * 7.0 / 35)
        let turned = segment(0xDB, table(1, [99, 99, 99, 99, 99])) + segment(0xDB, table(0, [3, 3, 2, 9, 2]))
        #expect(try codec.decode(file(turned)).quantizerStep == 11 * 7.0 / 35)
    }

    @Test func tablesOf16Bits() throws {
        let steps = [16, 300, 320, 14, 255].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        let body = [0x10] + steps + (0..<59).flatMap { _ in [UInt8(0), 40] }
        #expect(try codec.decode(file(segment(0xDB, body))).quantizerStep == 11 * 875.0 / 35)
    }

    /// The step grows as the quality falls.
    @Test func filesOfThisProgram() throws {
        let steps = try [95, 75, 50, 20, 5].map { try #require(codec.decode(jpeg(quality: $0)).quantizerStep) }
        #expect(steps == steps.sorted() && steps[0] >= 0.9 && steps[4] > 5 * steps[0], "\(steps)")
    }

    @Test func otherFilesStateNothing() throws {
        let frame = Frame(buffer: try GeneratedPicture.texture(), presentationTime: .zero)
        let bytes = try codec.encode(StillPicture(frame: frame), as: .png, options: StillOptions()).bytes
        #expect(try codec.decode(bytes).quantizerStep == nil)
    }

    /// Decoders accept some of these, and then the step is unknown or a number.
    @Test func damagedTables() throws {
        let segments: [[UInt8]] = [
            [], segment(0xDB, []), segment(0xDB, [0]), segment(0xDB, table(0, [16, 11, 12]).dropLast(1)),
            segment(0xDB, table(3, [16, 11, 12, 14, 12])), segment(0xDB, table(15, [16, 11, 12, 14, 12])),
            segment(0xDB, table(0, [0, 0, 0, 0, 0])), segment(0xDB, table(0x20, [16, 11, 12, 14, 12])),
        ]
        for tables in segments {
            guard let still = try? codec.decode(file(tables)) else { continue }
            #expect(still.quantizerStep == nil, "\(tables)")
        }
    }

    @Test func hostileFiles() throws {
        let good = try jpeg(), header = try #require(segments(good).last.map { $0.start + $0.count })
        var accepted = 0
        func check(_ bytes: [UInt8]) {
            guard let step = (try? codec.decode(bytes))?.quantizerStep else { return }
            accepted += 1
            #expect(step > 0 && step <= 11 * 3 * 65_535 / 35)
        }
        for count in stride(from: 0, to: header, by: 7) { check(Array(good[..<count])) }
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        for _ in 0..<300 {
            var bytes = good
            for _ in 0..<2 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes[2 + Int(state >> 33) % (header - 2)] = UInt8(truncatingIfNeeded: state >> 24)
            }
            check(bytes)
        }
        #expect(accepted > 20)
    }
}
