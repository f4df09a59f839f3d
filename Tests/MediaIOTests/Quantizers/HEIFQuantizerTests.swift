import FrameCore
import Foundation
import MediaIO
import TestSupport
import Testing

/// The quantizer step of AVIF and HEIC images.
@Suite struct HEIFQuantizerTests {
    private let codec = StillCodec()

    private func still() throws -> StillPicture {
        let frame = Frame(
            buffer: try GeneratedPicture.texture(.yuv420p8, width: 96, height: 64), presentationTime: .zero,
            color: ColorDescription(
                matrix: .smpte170M, primaries: .unspecified, transfer: .unspecified, range: .limited,
                chromaLocation: .center))
        return StillPicture(frame: frame)
    }

    /// Lower qualities have larger steps.
    @Test func ofAVIF() throws {
        let steps = try [95, 75, 40, 10].map { quality in
            let bytes = try codec.encode(still(), as: .avif, options: StillOptions(quality: quality)).bytes
            let picture = try codec.decode(bytes)
            #expect(picture.isLoopFiltered)
            return try #require(picture.quantizerStep)
        }
        #expect(steps == steps.sorted() && Set(steps).count == steps.count && steps[3] > 5 * steps[0], "\(steps)")
    }

    private static let encoder = "/usr/bin/heif-enc"

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: encoder), "heif-enc makes the images"))
    func ofHEIC() throws {
        let folder = try TemporaryFolder()
        let png = try codec.encode(still(), as: .png, options: StillOptions()).bytes
        try Data(png).write(to: URL(fileURLWithPath: folder("in.png")))
        let steps = try [90, 50, 10].map { quality in
            let path = folder("\(quality).heic"), process = Process()
            process.executableURL = URL(fileURLWithPath: Self.encoder)
            process.arguments = ["-q", "\(quality)", folder("in.png"), "-o", path]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
            return try #require(codec.read(path).picture.quantizerStep)
        }
        #expect(steps == steps.sorted() && Set(steps).count == 3 && steps[2] > 5 * steps[0], "\(steps)")
    }
}
