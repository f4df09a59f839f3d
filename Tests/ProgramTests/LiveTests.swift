import FrameCore
import Foundation
import MediaIO
import TestSupport
import Testing

/// `vfx smooth` between two pipes: nothing waits for a later frame.
@Suite struct LiveTests {
    private static let count = 6

    /// A running `vfx` with pipes at both ends.
    private final class Live {
        private let process: Process
        private let input = Pipe(), output = Pipe()
        private let received = Lock(Data())
        private let reader: Thread

        init(_ arguments: [String]) throws {
            process = ProgramRun.make("vfx", arguments + ["--quiet"])
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            try output.fileHandleForWriting.close()
            reader = Thread { [output, received] in
                while case let data = output.fileHandleForReading.availableData, !data.isEmpty {
                    received.withLock { $0 += data }
                }
            }
            reader.start()
        }

        var data: Data { received.withLock { $0 } }
        func send(_ data: Data) { input.fileHandleForWriting.feed(data) }

        /// Waits until the condition holds or the program has ended.
        func waits(for condition: () -> Bool) -> Bool {
            var holds = false
            _ = waitUntil {
                holds = condition()
                return holds || !process.isRunning
            }
            return holds
        }

        func end() throws -> Int32 {
            try input.fileHandleForWriting.close()
            process.waitUntilExit()
            return process.terminationStatus
        }

        deinit { process.terminate() }
    }

    /// The header of the clip, and each of its frames.
    private func pieces(_ count: Int) throws -> [Data] {
        let pictures = try clip(count)
        let whole = try Y4M.encode(pictures), first = try Y4M.encode(Array(pictures.prefix(1)))
        let size = 6 + Y4M.payload(pictures[0]).count
        let header = whole.prefix(first.count - size)
        return [header]
            + (0..<count).map { whole.dropFirst(header.count + $0 * size).prefix(size) }
    }

    @Test(arguments: [["smooth"], ["smooth", "--scale", "2"], ["smooth", "--depth", "2"]])
    func aFrameComesOutBeforeTheNextGoesIn(command: [String]) throws {
        let pieces = try pieces(Self.count)
        let live = try Live(command + ["-", "-o", "-", "--format", "yuv4mpegpipe"])
        live.send(pieces[0])
        let framesPerFrame = command.contains("--depth") ? 4 : 2
        for (index, piece) in pieces.dropFirst().enumerated() {
            live.send(piece)
            let wanted = index * framesPerFrame + 1
            #expect(live.waits { Y4M.decode(live.data)?.frames.count == wanted })
        }
        #expect(Y4M.decode(live.data)?.header.contains("F\(25 * framesPerFrame):1") == true)
        #expect(try live.end() == 0)
    }

    private func frames(_ path: String) throws -> [Frame] {
        let reader = try MediaReader(path)
        var frames: [Frame] = []
        while let frame = try reader.nextFrame() { frames.append(frame) }
        return frames
    }

    /// Neither encoders nor containers keep a frame back while the input pauses.
    @Test(arguments: [
        ["matroska", "ffv1"], ["matroska", "h264"], ["matroska", "hevc"], ["matroska", "prores"],
        ["webm", "vp9"], ["mpegts", "h264"], ["mp4", "h264"],
    ])
    func aPauseKeepsNothingBack(output: [String]) throws {
        let pieces = try pieces(Self.count), folder = try TemporaryFolder()
        let live = try Live(["smooth", "-", "-o", "-", "--format", output[0], "--codec", output[1]])
        for piece in pieces { live.send(piece) }
        var seen = 0, count = 0
        let all = live.waits {
            let data = live.data
            guard data.count > seen else { return false }
            seen = data.count
            count = (try? frames(folder.write(data, to: "seen")).count) ?? 0
            return count == 2 * Self.count - 1
        }
        #expect(all, "\(count) frames")
        #expect(try live.end() == 0)
    }

    /// What is made live is what is made of a file, but for the encoder.
    @Test func theFramesAreThoseOfAFile() throws {
        let folder = try TemporaryFolder()
        let data = try Y4M.encode(clip(Self.count))
        _ = try folder.write(data, to: "in.y4m")
        let file = try vfx("smooth", "in.y4m", "-o", "file.mkv", "--codec", "ffv1", in: folder)
        let live = try Live(["smooth", "-", "-o", folder.path("live.mkv"), "--codec", "ffv1"])
        live.send(data)
        #expect(try file.status == 0 && live.end() == 0)
        let (made, expected) = (try frames(folder.path("live.mkv")), try frames(folder.path("file.mkv")))
        #expect(made.count == 2 * Self.count - 1)
        #expect(made.map(\.presentationTime) == expected.map(\.presentationTime))
        #expect(made.map(\.duration) == expected.map(\.duration))
        #expect(zip(made, expected).allSatisfy { $0.buffer.hasSameSamples(as: $1.buffer) })
    }
}
