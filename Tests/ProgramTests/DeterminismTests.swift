import FrameCore
import Foundation
import TestSupport
import Testing

/// Every command makes the same frames at every level of instructions that this processor has, with any number of threads.
///
/// The level is chosen when the program starts, so each run is a process.
@Suite struct DeterminismTests {
    /// The input of a run.
    enum Clip: Sendable {
        /// Odd sizes and a cut.
        case small
        /// 10 bits, with chroma that is narrower but not lower.
        case deep
        /// So large that motion is searched at half size first.
        case large

        func data() throws -> Data {
            switch self {
            case .small: try Self.encode(.yuv420p8, 151, 91, frames: 5, cutAt: 3)
            case .deep: try Self.encode(PixelFormat(subsampling: .yuv422, bitDepth: 10), 151, 91, frames: 4)
            case .large: try Self.encode(.yuv420p8, 690, 454, frames: 2)
            }
        }

        /// An object in front of a background, both moving, with noise: parts are hidden, and parts leave the frame.
        private static func encode(
            _ format: PixelFormat, _ width: Int, _ height: Int, frames: Int, cutAt: Int = .max
        ) throws -> Data {
            let front = NoiseTexture.planes(8), behind = NoiseTexture.planes(9), other = NoiseTexture.planes(10)
            let scene = MovingScene { plane, x, y, t in
                let noise = 3 * sampleNoise(x, y, seed: Int(t) + 10 * plane)
                guard Int(t) < cutAt else { return other[plane].value(x - 2.3 * t, y - 1.1 * t) + noise }
                let isInside = abs(x - 60 - 11.3 * t) < 25 && abs(y - 45 + 5 * t) < 20
                return noise
                    + (isInside ? front[plane].value(x - 11.3 * t, y + 5 * t) : behind[plane].value(x + 7.5 * t, y))
            }
            return try Y4M.encode(
                (0..<frames).map { try scene.picture(Float($0), format, width: width, height: height) })
        }
    }

    /// What runs, and on what.
    struct Command: Sendable, CustomTestStringConvertible {
        var words: [String]
        var clip: Clip
        var testDescription: String { "\(words.joined(separator: " ")), \(clip)" }

        init(_ words: String, _ clip: Clip = .small) {
            self.words = words.split(separator: " ").map(String.init)
            self.clip = clip
        }
    }

    private static let frames = [
        Command("slomo --factor 3"), Command("slomo --factor 3 --quality high"),
        Command("slomo --factor 2", .deep), Command("slomo --factor 2 --quality high", .deep),
        Command("slomo --factor 2", .large), Command("slomo --factor 2 --quality high", .large),
        Command("rate --fps 60"), Command("rate --fps 15 --at-cut blend --quality high"),
        Command("blur --strength 100"), Command("blur --quality high"), Command("blur --linear-light", .deep),
        Command("denoise"), Command("denoise --quality high"), Command("denoise --sigma 6 --quality high", .deep),
        Command("upscale --scale 2"), Command("upscale --scale 5/3 --quality high"),
        Command("upscale --scale 2 --low-latency"), Command("upscale --scale 3", .deep),
        Command("smooth --depth 2"), Command("smooth --scale 2"),
        Command("flow"), Command("flow --overlay --quality high"),
        Command("enhance --denoise auto --upscale 2 --slomo 0.5 --blur 30"),
    ]
    private static let files = [
        Command("flow --at 1f -o out.vfxflow"), Command("flow --at 1f --quality high -o out.vfxflow"),
        Command("thumbnails --count 2 --format png -o out"), Command("storyboard --interval 0.1 --width 64 -o out"),
    ]

    /// Each level with one and two threads, and three threads, which divide rows and frames unevenly.
    private static let runs =
        KernelTable.levelNames.flatMap { [($0, 1), ($0, 2)] }
        + KernelTable.levelNames.suffix(1).map { ($0, 3) }

    @Test(arguments: frames) func framesAreTheSame(_ command: Command) throws {
        let input = try command.clip.data()
        try expectSame(command) { words, environment in
            let run = try vfx(
                words + ["-", "-o", "-", "--format", "yuv4mpegpipe", "--quiet"], input: input,
                environment: environment)
            #expect(run.status == 0, "\(run.standardError)")
            let frames = try #require(Y4M.decode(run.standardOutput)?.frames)
            // Equality of empty or still pictures would mean nothing.
            try #require(frames.count > 1 && Set(frames).count > 1)
            return run.standardOutput
        }
    }

    @Test(arguments: files) func filesAreTheSame(_ command: Command) throws {
        let input = try command.clip.data()
        try expectSame(command) { words, environment in
            let folder = try TemporaryFolder()
            _ = try folder.write(input, to: "in.y4m")
            let run = try vfx(words + ["in.y4m", "--quiet"], environment: environment, in: folder)
            #expect(run.status == 0, "\(run.standardError)")
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted()
            return try names.reduce(into: Data()) { data, name in
                guard name.hasPrefix("out"), FileManager.default.contents(atPath: folder.path(name)) != nil else {
                    return
                }
                data += Data(name.utf8) + (try folder.data(name))
            }
        }
    }

    /// - Parameter output: runs the program and returns all that it makes.
    private func expectSame(
        _ command: Command, output: (_ words: [String], _ environment: [String: String]) throws -> Data
    ) throws {
        var reference: Data?
        for (level, threads) in Self.runs {
            let made = try output(command.words + ["--threads", "\(threads)"], ["VFX_CPU": level])
            #expect(made.count > 1000)
            #expect(made == reference ?? made, "\(level), \(threads) threads")
            reference = reference ?? made
        }
    }
}
