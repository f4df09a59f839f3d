import Foundation
import MediaIO
import TestSupport
import Testing

/// A failure anywhere around a run gives one sentence, the right exit code, and no partial file under the output's
/// name.
@Suite struct FaultTests {
    /// A clip of a few hundred kilobytes.
    private func makeInput(_ folder: TemporaryFolder, _ name: String = "in.y4m", frames: Int = 60) throws {
        _ = try folder.write(try Y4M.encode(clip(frames)), to: name)
    }

    private func expectOneSentence(_ run: ProgramRun, _ says: String) {
        #expect(run.errorLines.count == 1 && run.standardError.contains(says), "\(run.standardError)")
    }

    @Test(.enabled(if: FaultyLibrary.compiler != nil, "a C compiler makes the faults"))
    func aReadErrorInMidFileSavesWhatCameBefore() throws {
        let folder = try TemporaryFolder(), faults = try FaultyLibrary()
        try makeInput(folder)
        let environment = faults.environment(["FAULT_READ": "in.y4m:120000"])
        let run = try vfx("denoise", "in.y4m", "-o", "out.mkv", environment: environment, in: folder)
        #expect(run.status == 3, "\(run.standardError)")
        #expect(run.standardError.contains("reading stopped before the end (Input/output error)"))
        #expect(folder.contents == ["in.y4m", "out.mkv"])
        let reader = try MediaReader(folder.path("out.mkv"))
        var count = 0
        while try reader.nextFrame() != nil { count += 1 }
        #expect((10..<60).contains(count))
        let strict = try vfx("denoise", "in.y4m", "-o", "s.mkv", "--strict", environment: environment, in: folder)
        #expect(strict.status == 65)
        expectOneSentence(strict, "reading stopped before the end (Input/output error)")
        #expect(folder.contents == ["in.y4m", "out.mkv"])
    }

    @Test(
        .enabled(if: FaultyLibrary.compiler != nil, "a C compiler makes the faults"),
        arguments: ["out.mkv", "out.mp4", "out.y4m"])
    func aDiskThatFillsUpIsNamed(output: String) throws {
        let folder = try TemporaryFolder(), faults = try FaultyLibrary()
        try makeInput(folder)
        // A small Matroska file is written in a single call.
        let room = output == "out.mkv" ? 0 : 4000
        let environment = faults.environment(["FAULT_WRITE": "\(output).part:\(room)"])
        let run = try vfx(
            ["denoise", "in.y4m", "-o", output] + (output == "out.y4m" ? [] : ["--crf", "1"]),
            environment: environment, in: folder)
        #expect(run.status == 74)
        expectOneSentence(run, "the disk is full")
        #expect(folder.contents == ["in.y4m"])
    }

    @Test(.enabled(if: FaultyLibrary.compiler != nil, "a C compiler makes the faults"))
    func anEncoderThatFailsInMidRunIsNamed() throws {
        let folder = try TemporaryFolder(), faults = try FaultyLibrary()
        try makeInput(folder)
        for (output, encoder) in [("out.mkv", "libx264"), ("out_%d.png", "png")] {
            let run = try vfx(
                "denoise", "in.y4m", "-o", output, environment: faults.environment(["FAULT_ENCODE": "20"]), in: folder)
            #expect(run.status == 74)
            expectOneSentence(run, "\(encoder) failed (Generic error in an external library)")
            #expect(folder.contents == ["in.y4m"])
        }
    }

    /// A file that cannot be read back is not renamed, however well it was written.
    @Test(
        .enabled(if: FaultyLibrary.compiler != nil, "a C compiler makes the faults"), arguments: ["out.mkv", "out.mp4"])
    func whatCannotBeReadBackIsNotKept(output: String) throws {
        let folder = try TemporaryFolder(), faults = try FaultyLibrary()
        try makeInput(folder)
        let run = try vfx(
            "denoise", "in.y4m", "-o", output, environment: faults.environment(["FAULT_READ": "\(output).part:0"]),
            in: folder)
        #expect(run.status == 74)
        expectOneSentence(
            run, "\(output): the written file cannot be read back, so it was not kept (Input/output error)")
        #expect(folder.contents == ["in.y4m"])
    }

    /// A file is synced to disk before it is renamed; otherwise a power cut could leave an empty file in place of the
    /// old one.
    @Test(
        .enabled(if: FaultyLibrary.compiler != nil, "a C compiler makes the faults"),
        arguments: [["denoise", "-o", "out.mkv"], ["denoise", "-o", "out.y4m"], ["still", "-o", "out.png"]])
    func whatDoesNotReachTheDiskIsNotKept(command: [String]) throws {
        let folder = try TemporaryFolder(), faults = try FaultyLibrary()
        try makeInput(folder)
        let output = command[2]
        _ = try folder.write(Data("old".utf8), to: output)
        let run = try vfx(
            [command[0], "in.y4m", "--overwrite"] + command.dropFirst(),
            environment: faults.environment(["FAULT_SYNC": "\(output).part:0"]), in: folder)
        #expect(run.status == 74)
        expectOneSentence(run, "\(output): the output cannot be written (Input/output error)")
        #expect(folder.contents == ["in.y4m", output])
        #expect(try folder.data(output) == Data("old".utf8))
    }

    /// Killed while publishing into a folder that already held files: the next run recognises all of them as its own.
    @Test(.enabled(if: FaultyLibrary.compiler != nil, "a C compiler makes the faults"))
    func aFolderThatIsHalfReplacedCanBeReplaced() throws {
        let folder = try TemporaryFolder()
        try makeInput(folder)
        let arguments = ["storyboard", "in.y4m", "-o", "board", "--overwrite"]
        #expect(try vfx("thumbnails", "in.y4m", "-o", "board", in: folder).status == 0)
        try StoppedRun(arguments, after: "storyboard.vtt:1", in: folder).kill()
        #expect(folder.contents.contains("board.part"))
        let run = try vfx(arguments, in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        #expect(folder.contents == ["board", "in.y4m"])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("board"))
        #expect(names.contains("storyboard.vtt") && !names.contains("1.jpg"), "\(names)")
    }

    /// Files that are written in one step, and folders of such files.
    @Test(
        .enabled(if: FaultyLibrary.compiler != nil, "a C compiler makes the faults"),
        arguments: [
            (["denoise", "-o", "out_%d.png"], "out_30.png.part"), (["denoise", "-o", "out_%d.png"], "times.json.part"),
            (["still", "-o", "out.png"], "out.png.part"), (["still", "-o", "out.avif"], "out.avif.part"),
            (["thumbnails", "-o", "best"], "1.jpg"), (["thumbnails", "-o", "best"], "scores.json"),
            (["storyboard", "-o", "board"], "storyboard.vtt"),
            (["flow", "--at", "0", "-o", "out.flo"], "out.flo.part"),
            (["flow", "--at", "0", "-o", "out.png"], "out.png.part"),
            (["enhance", "--blur", "20", "-o", "out.mkv", "--storyboard", "board"], "storyboard.vtt"),
        ])
    func aDiskThatFillsUpIsNamedForPicturesAndFolders(command: [String], file: String) throws {
        let folder = try TemporaryFolder(), faults = try FaultyLibrary()
        try makeInput(folder)
        let run = try vfx(
            [command[0], "in.y4m"] + command.dropFirst(), environment: faults.environment(["FAULT_WRITE": "\(file):0"]),
            in: folder)
        #expect(run.status == 74)
        #expect(
            run.standardError.hasSuffix("the disk is full (No space left on device)\n"), "\(run.standardError)")
        #expect(run.errorLines.count { $0.hasPrefix("vfx: error: ") } == 1)
        #expect(folder.contents == ["in.y4m"])
    }

    /// Additional outputs are ready before the video is renamed, so either everything exists or nothing does.
    @Test(.enabled(if: FaultyLibrary.compiler != nil, "a C compiler makes the faults"))
    func thumbnailsThatDoNotFitLeaveNothing() throws {
        let folder = try TemporaryFolder(), faults = try FaultyLibrary()
        try makeInput(folder)
        let run = try vfx(
            "enhance", "in.y4m", "-o", "out.mkv", "--blur", "20", "--thumbnails", "best",
            environment: faults.environment(["FAULT_WRITE": "scores.json:0"]), in: folder)
        #expect(run.status == 74)
        expectOneSentence(run, "best/scores.json: the disk is full (No space left on device)")
        #expect(folder.contents == ["in.y4m"])
    }

    /// Matroska is written in segments; the last two cannot be read back.
    @Test(
        .enabled(if: FaultyLibrary.compiler != nil, "a C compiler makes the faults"),
        arguments: ["out.mkv", "out.mp4", "out.flv", "out.h264"], [1, 30, 60])
    func anEncoderThatSwallowsAPacketIsNamed(output: String, packet: Int) throws {
        let folder = try TemporaryFolder(), faults = try FaultyLibrary()
        try makeInput(folder)
        let environment = faults.environment(["FAULT_DROP": "\(packet)"])
        let format = output.hasSuffix("h264") ? ["--format", "h264"] : []
        let run = try vfx(["denoise", "in.y4m", "-o", output] + format, environment: environment, in: folder)
        #expect(run.status == 74, "\(run.standardError)")
        #expect(run.errorLines.count == 1 && folder.contents == ["in.y4m"], "\(run.standardError)")
    }

    /// A full disk while the header is written must not be reported as a container that rejects its streams.
    @Test(.enabled(if: FaultyLibrary.compiler != nil && hasTools, "a C compiler makes the faults"))
    func aDiskThatFillsUpCostsNoStream() throws {
        let folder = try TemporaryFolder(), faults = try FaultyLibrary()
        try makeInput(folder)
        _ = try folder.write(Data(repeating: 7, count: 700_000), to: "a.bin")
        _ = try tool(
            "ffmpeg",
            [
                "-v", "error", "-i", folder.path("in.y4m"), "-attach", folder.path("a.bin"), "-metadata:s:t",
                "mimetype=application/octet-stream", "-frames:v", "3", folder.path("in.mkv"),
            ])
        let run = try vfx(
            "denoise", "in.mkv", "-o", "out.mkv",
            environment: faults.environment(["FAULT_WRITE": "out.mkv.part:200000"]),
            in: folder)
        #expect(run.status == 73, "\(run.standardError)")
        expectOneSentence(run, "the disk is full")
        #expect(folder.contents == ["a.bin", "in.mkv", "in.y4m"])
    }

    /// A run that has begun to write and is waiting for more input.
    private struct HeldRun {
        let process: Process
        private let input = Pipe()
        private let errors = Pipe()

        init(_ folder: TemporaryFolder, output: String, part: String) throws {
            process = ProgramRun.make("vfx", ["denoise", "-", "-o", output], directory: folder.url)
            process.standardInput = input
            process.standardOutput = FileHandle.nullDevice
            process.standardError = errors
            try process.run()
            try input.fileHandleForWriting.feed(Y4M.encode(clip(60)))
            let process = process
            #expect(waitUntil { FileManager.default.fileExists(atPath: folder.path(part)) || !process.isRunning })
            #expect(process.isRunning)
        }

        /// Ends the run's input and returns its messages.
        func finish() throws -> (status: Int32, said: String) {
            try input.fileHandleForWriting.close()
            let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return (process.terminationStatus, said)
        }
    }

    @Test(arguments: ["out.mkv", "out.y4m"])
    func aFolderThatVanishesIsAFailedWrite(name: String) throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("d"), withIntermediateDirectories: false)
        let held = try HeldRun(folder, output: "d/\(name)", part: "d/\(name).part")
        try FileManager.default.removeItem(atPath: folder.path("d"))
        let (status, said) = try held.finish()
        #expect(status == 74)
        #expect(said.split(separator: "\n").count == 1 && said.contains("cannot be renamed to its final"), "\(said)")
        #expect(folder.contents == [])
    }

    @Test func aKilledRunLeavesAPartThatIsInNobodysWay() throws {
        let folder = try TemporaryFolder()
        let held = try HeldRun(folder, output: "out.mkv", part: "out.mkv.part")
        kill(held.process.processIdentifier, SIGKILL)
        _ = try held.finish()
        #expect(folder.contents == ["out.mkv.part"])
        try makeInput(folder)
        let run = try vfx("denoise", "in.y4m", "-o", "out.mkv", in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        #expect(folder.contents == ["in.y4m", "out.mkv"])
    }

    @Test func ofTwoRunsOntoOneOutputTheSecondIsRefused() throws {
        let folder = try TemporaryFolder()
        try makeInput(folder)
        let held = try HeldRun(folder, output: "out.mkv", part: "out.mkv.part")
        for more in [[], ["--overwrite"]] {
            let second = try vfx(["blur", "in.y4m", "-o", "out.mkv"] + more, in: folder)
            #expect(second.status == 73)
            expectOneSentence(second, "another run is writing this output")
        }
        let (status, said) = try held.finish()
        #expect(status == 0, "\(said)")
        #expect(folder.contents == ["in.y4m", "out.mkv"])
        let reader = try MediaReader(folder.path("out.mkv"))
        var count = 0
        while try reader.nextFrame() != nil { count += 1 }
        #expect(count == 60)
    }
}
