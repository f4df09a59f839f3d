import Foundation
import FrameCore
import MediaIO
import TestSupport
import Testing

/// RGB with fewer than 8 bits per component, as in old AVI and QuickTime files.
@Suite struct ShallowRGBTests {
    @Test(arguments: ["rgb555le", "rgb565le", "bgr555le", "bgr565be", "rgb444le", "rgb8", "bgr4_byte"])
    func whiteAndBlackStay(format: String) throws {
        let folder = try TemporaryFolder()
        let buffer = try GeneratedPicture.drawCodes(.yuv420p8, width: 64, height: 48) { plane, x, _ in
            plane == 0 ? (x < 32 ? 16 : 235) : 128
        }
        let frame = Frame(
            buffer: buffer, presentationTime: .zero, duration: nil, color: ColorDescription(range: .limited))
        try write([frame], to: folder("a.nut"), options: .init(codec: .rawvideo, pixelFormat: format))
        let found = try read(folder("a.nut")).frames[0]
        #expect(found.color.range == .full)
        let row = found.buffer.samples(ofPlane: 0).prefix(64)
        #expect(row.first == 0 && row.last == 255)
        for plane in 1...2 {
            #expect(found.buffer.samples(ofPlane: plane).prefix(64).allSatisfy { abs(Int($0) - 128) <= 1 })
        }
    }

    @Test(.enabled(if: hasMaker)) func rgb555OfQuickTimeIsExact() throws {
        let folder = try TemporaryFolder()
        // 16 of 31 is 132 of 255.
        let gray: [UInt8] = (0..<2 * 32 * 32).map { $0 % 2 == 0 ? 0x10 : 0x42 }
        let raw = folder("gray.raw")
        try Data(gray).write(to: URL(fileURLWithPath: raw))
        let path = try make(
            folder("a.mov"),
            ["-f", "rawvideo", "-pix_fmt", "rgb555le", "-s", "32x32", "-i", raw, "-c:v", "rawvideo"])
        let found = try read(path).frames[0]
        #expect(found.buffer.samples(ofPlane: 0).allSatisfy { $0 == 132 })
    }
}
