import FrameCore
import FrameEffects
import TestSupport
import Testing

@Suite struct RevisionChecksumTests {
    /// Two things that move differently, with what one covers of the other.
    private static let scene: MovingScene = {
        let back = NoiseTexture.planes(5), front = NoiseTexture.planes(8)
        return MovingScene { plane, x, y, t in
            let fx = x - 40 - 6 * t, fy = y - 30 - 2.5 * t
            return fx >= 0 && fx < 48 && fy >= 0 && fy < 36
                ? front[plane].value(fx, fy) : back[plane].value(x + 1.75 * t, y - 0.5 * t)
        }
    }()

    /// What a session makes between three drawn frames: one number for all pictures, in order.
    private func frameRateConversion(
        _ revision: FrameRateConversionConfiguration.Revision, _ quality: QualityPrioritization, _ format: PixelFormat,
        threads: Int
    ) async throws -> UInt64 {
        let width = 176, height = 121
        let processor = FrameProcessor(threads: threads)
        try processor.startSession(
            configuration: FrameRateConversionConfiguration(
                frameWidth: width, frameHeight: height, qualityPrioritization: quality, revision: revision))
        defer { processor.endSession() }
        func frame(_ time: Int64) throws -> FrameProcessorFrame {
            FrameProcessorFrame(
                buffer: try Self.scene.picture(Float(time), format, width: width, height: height),
                presentationTimeStamp: MediaTime(value: time, timescale: 25))
        }
        let sources = try (0..<3).map { try frame($0) }
        var sum: UInt64 = 0
        for pair in 0..<2 {
            let targets = try (0..<2).map { try frame(Int64($0)) }
            let parameters = try FrameRateConversionParameters(
                sourceFrame: sources[pair], nextFrame: sources[pair + 1], interpolationPhase: [0.25, 0.5],
                submissionMode: pair == 0 ? .random : .sequential, destinationFrames: targets)
            try await run(processor, parameters)
            for target in targets { sum = sum &* 31 &+ (try target.buffer.checksum) }
        }
        return sum
    }

    @Test func eachRevisionKeepsItsBits() async throws {
        var found: [(key: String, value: UInt64)] = []
        for revision in FrameRateConversionConfiguration.supportedRevisions {
            for quality in QualityPrioritization.allCases {
                for format in [
                    PixelFormat.yuv420p8, try PixelFormat(subsampling: .yuv422, bitDepth: 10),
                ] {
                    let key = "frameRateConversion \(revision) \(quality) \(format)"
                    let value = try await frameRateConversion(revision, quality, format, threads: 1)
                    found.append((key, value))
                    #expect(try await frameRateConversion(revision, quality, format, threads: 3) == value, "\(key)")
                }
            }
        }
        let isKept = found.allSatisfy { RevisionChecksums.table[$0.key] == $0.value }
        let lines = found.map { "        \"\($0.key)\": 0x\(String($0.value, radix: 16, uppercase: true))," }
        #expect(
            isKept && RevisionChecksums.table.count == found.count,
            "these bits are new:\n\(lines.joined(separator: "\n"))")
    }

    @Test func theChecksumSeesEachSample() throws {
        let picture = try GeneratedPicture.waves()
        for plane in 0..<3 {
            var other = picture
            try other.withMutablePlanes { planes in
                let last = planes[plane].row(planes[plane].height - 1) + planes[plane].width - 1
                last.storeBytes(of: last.load(as: UInt8.self) ^ 1, as: UInt8.self)
            }
            #expect(other.checksum != picture.checksum)
        }
    }
}
