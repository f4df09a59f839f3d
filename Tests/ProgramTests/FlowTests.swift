import FrameCore
import Foundation
import MediaIO
import Motion
import TestSupport
import Testing

@Suite struct FlowTests {
    private static let dog = fixture("dog.mp4")

    /// Creates a folder with images a.png and b.png (the latter shifted right by 4 pixels), other formats, and a clip
    /// of eight frames.
    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let pictures = try (0..<8).map { try GeneratedPicture.waves(width: 192, height: 128, dx: 4 * $0) }
        _ = try folder.write(Y4M.encode(pictures), to: "in.y4m")
        for (index, name) in ["a", "b"].enumerated() {
            for (format, ending) in [
                (try PixelFormat(subsampling: .yuv444, bitDepth: 8), "png"),
                (try PixelFormat(subsampling: .yuv444, bitDepth: 16), "16.png"),
                (try PixelFormat(subsampling: .monochrome, bitDepth: 8), "grey.png"), (.yuv420p8, "jpg"),
            ] {
                let picture = try GeneratedPicture.waves(format, width: 192, height: 128, dx: 4 * index)
                let frame = Frame(
                    buffer: picture, presentationTime: .zero, color: ColorDescription(matrix: .smpte170M, range: .full))
                try SingleFile.write(frame, to: folder.path("\(name).\(ending)"))
            }
        }
        return folder
    }

    private func flow(_ folder: TemporaryFolder, _ name: String) throws -> DenseFlow {
        try DenseFlow(flo: folder.data(name))
    }

    private func middle(_ flow: DenseFlow) -> SIMD2<Float> {
        flow.vectors[flow.height / 2 * flow.width + flow.width / 2]
    }

    @Test(arguments: ["png", "16.png", "grey.png", "jpg"])
    func picturesOfAllKindsBecomeVectors(ending: String) throws {
        let folder = try folder()
        let run = try vfx("flow", "a.\(ending)", "b.\(ending)", "-o", "out.flo", in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        let forward = try flow(folder, "out.flo")
        #expect(forward.width == 192 && forward.height == 128)
        #expect(abs(middle(forward).x - 4) < 0.5 && abs(middle(forward).y) < 0.5)
        #expect(try vfx("flow", "a.\(ending)", "b.\(ending)", "-o", "back.flo", "--backward", in: folder).status == 0)
        #expect(abs(middle(try flow(folder, "back.flo")).x + 4) < 0.5)
    }

    @Test func savedFlowHasBothDirections() throws {
        let folder = try folder()
        #expect(try vfx("flow", "a.png", "b.png", "-o", "out.vfxflow", "--quiet", in: folder).standardError == "")
        #expect(try vfx("flow", "a.png", "b.png", "-o", "out.flo", in: folder).status == 0)
        let saved = try OpticalFlow(decoding: folder.data("out.vfxflow"))
        #expect(saved.forward.dense() == (try flow(folder, "out.flo")))
        #expect(abs(saved.backward.vector(x: 96, y: 64).x + 4) < 0.5)
    }

    /// A flow file may overwrite another flow file, but no other kind of file.
    @Test func vectorsReplaceVectors() throws {
        let folder = try folder()
        for name in ["out.flo", "out.vfxflow"] {
            #expect(try vfx("flow", "a.png", "b.png", "-o", name, in: folder).status == 0)
            let there = try folder.data(name)
            #expect(try vfx("flow", "b.png", "a.png", "-o", name, in: folder).status == 0)
            #expect(try folder.data(name) != there)
        }
        for name in ["text.flo", "text.vfxflow"] {
            try Data("a diary".utf8).write(to: folder.url.appending(path: name))
            #expect(try vfx("flow", "a.png", "b.png", "-o", name, in: folder).status == 73)
            #expect(try folder.data(name) == Data("a diary".utf8))
        }
    }

    @Test func picturesOfMotion() throws {
        let folder = try folder()
        for flags in [[], ["--arrows"], ["--overlay", "--backward"], ["--confidence"], ["--occlusion"]] {
            let run = try vfx(["flow", "a.png", "b.png", "-o", "out.png", "--overwrite"] + flags, in: folder)
            #expect(run.status == 0, "\(run.standardError)")
            let reader = try MediaReader(folder.path("out.png"))
            #expect(reader.stream.width == 192 && reader.stream.height == 128)
            let frame = try #require(try reader.nextFrame())
            // Motion to the right is red; the motion of a shifted pattern is reliable almost everywhere.
            let (luma, red) = (frame.buffer.samples(ofPlane: 0)[64 * 192 + 96], frame.buffer.samples(ofPlane: 2))
            switch flags.first {
            case nil: #expect(red[64 * 192 + 96] > 160)
            case "--confidence": #expect(luma > 150)
            case "--occlusion":
                #expect(luma < 60)
                // What leaves the frame on the right is hidden in the next image.
                #expect(frame.buffer.samples(ofPlane: 0)[64 * 192 + 190] > 150)
            default: #expect((0.005...0.4).contains(try changed(frame.buffer, from: "a.png", in: folder)))
            }
        }
        #expect(folder.contents.filter { $0.contains("part") || $0.contains("times") }.isEmpty)
    }

    /// Returns the fraction of luma samples that differ from an image by more than an encoder would change them.
    private func changed(_ buffer: PixelBuffer, from name: String, in folder: TemporaryFolder) throws -> Double {
        let plain = try #require(try MediaReader(folder.path(name)).nextFrame()).buffer.samples(ofPlane: 0)
        let drawn = buffer.samples(ofPlane: 0)
        return Double(zip(plain, drawn).count { abs(Int($0) - Int($1)) > 24 }) / Double(plain.count)
    }

    @Test func aMomentOfAClip() throws {
        let folder = try TemporaryFolder()
        let run = try vfx("flow", Self.dog, "--at", "1.52", "-o", folder.path("out.png"), "--json")
        #expect(run.status == 0, "\(run.standardError)")
        let end = try #require(try events(run.outputText).last)
        #expect(end["type"] as? String == "finished")
        #expect(end["pairs"] as? Int == 1 && end["frames_written"] as? Int == 1)
        #expect(end["exit_code"] as? Int == 0)
        // The frame shown at 1.52 s is the one with time 1.5 s.
        let times = try ["time", "next_time"].map { try #require(end[$0] as? [String: Int]) }
        #expect(times[0]["value"].map { $0 * 2 } == times[0]["timescale"].map { $0 * 3 })
        #expect((end["max_motion"] as? Double ?? 0) > 0)
    }

    @Test func aClipBecomesAClip() throws {
        let folder = try folder()
        for (name, flags) in [("out.mp4", ["--overlay"]), ("out.mkv", []), ("out.y4m", ["--backward"])] {
            let run = try vfx(["flow", "in.y4m", "-o", name] + flags, in: folder)
            #expect(run.status == 0, "\(run.standardError)")
            let reader = try MediaReader(folder.path(name))
            #expect(reader.stream.format.subsampling == (name == "out.y4m" ? .yuv444 : .yuv420))
            var times: [MediaTime] = []
            while let frame = try reader.nextFrame() { times.append(frame.presentationTime) }
            #expect(times == (0..<8).map { MediaTime(value: $0, timescale: 25) })
        }
        let run = try vfx("flow", "in.y4m", "-o", "f_%02d.png", "--confidence", in: folder)
        #expect(run.status == 0)
        #expect(folder.contents.filter { $0.hasPrefix("f_") }.count == 8)
    }

    @Test func measuring() throws {
        let folder = try folder()
        let run = try vfx("flow", "in.y4m", "-o", "/dev/null", "--format", "null", "--overwrite", "--stats", in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        #expect(run.errorLines.contains("pairs: 7"))
        for name in ["median milliseconds (both directions): ", "95th percentile milliseconds (both directions): "] {
            let line = try #require(run.errorLines.first { $0.hasPrefix(name) })
            #expect((Double(line.dropFirst(name.count)) ?? 0) > 0)
        }
        let json = try vfx(
            "flow", "in.y4m", "-o", "/dev/null", "--format", "null", "--quality", "high", "--json", in: folder)
        let end = try #require(try events(json.outputText).last)
        #expect(end["pairs"] as? Int == 7 && end["pairs_across_cuts"] as? Int == 0)
        #expect((end["median_ms"] as? Double ?? 0) > 0)
        #expect(folder.contents.count == 9)
    }

    @Test func aFullDiskIsAFailedWrite() throws {
        let folder = try folder()
        try FileManager.default.createSymbolicLink(atPath: folder.path("full.flo"), withDestinationPath: "/dev/full")
        let run = try vfx("flow", "a.png", "b.png", "-o", "full.flo", in: folder)
        #expect(run.status == 74)
        #expect(run.errorLines == ["vfx: error: full.flo: the disk is full (No space left on device)"])
    }

    @Test func whatIsLostIsTold() throws {
        let folder = try folder()
        let note = "vfx: note: the arrows are drawn over 8-bit frames; the 16 bits of the input are not kept"
        var run = try vfx("flow", "a.16.png", "b.16.png", "-o", "x.png", "--overlay", in: folder)
        #expect(run.status == 0 && run.errorLines.contains(note), "\(run.standardError)")
        run = try vfx("flow", "a.16.png", "b.16.png", "-o", "y.png", in: folder)
        #expect(run.status == 0 && !run.errorLines.contains(note), "\(run.standardError)")
        let deep = try (0..<3).map {
            try GeneratedPicture.waves(
                try PixelFormat(subsampling: .yuv420, bitDepth: 10), width: 64, height: 48, dx: $0)
        }
        _ = try folder.write(Y4M.encode(deep), to: "deep.y4m")
        run = try vfx("flow", "deep.y4m", "-o", "x.mkv", "--overlay", in: folder)
        #expect(
            run.errorLines.contains(
                "vfx: note: the arrows are drawn over 8-bit frames; the 10 bits of the input are not kept"),
            "\(run.standardError)")
    }

    /// An image of motion cannot store a rotation.
    @Test func aTurnIsTold() throws {
        let folder = try TemporaryFolder()
        let frames = try clip(3).enumerated().map {
            Frame(buffer: $1, presentationTime: MediaTime(value: Int64($0), timescale: 25))
        }
        let stream = VideoStreamDescription(
            format: frames[0].buffer.format, width: 64, height: 48, timeBase: Rational(1, 25),
            displayMatrix: [0, 65536, 0, -65536, 0, 0, 0, 0, 1 << 30])
        let writer = try openSink(folder.path("turned.mp4"), stream: stream, source: nil)
        for frame in frames { try writer.write(frame) }
        try writer.finish()
        let note = "vfx: note: images are written as the file stores them; players show the video rotated by 90 degrees"
        for (output, isTold, arguments) in [
            ("x.png", true, ["--at", "0"]), ("x.flo", false, ["--at", "0"]), ("x_%d.png", true, []),
            ("x.mp4", false, []),
        ] {
            let run = try vfx(["flow", "turned.mp4", "-o", output] + arguments, in: folder)
            #expect(run.status == 0)
            #expect(run.errorLines.contains(note) == isTold, "\(run.standardError)")
        }
    }

    /// The motion of a whole clip is a job like any other: it has estimates and previews, which a pair has not.
    @Test func aClipIsAJob() throws {
        let folder = try folder()
        #expect(try vfx("rate", "in.y4m", "-o", "in.mkv", "--fps", "25", "--codec", "ffv1", in: folder).status == 0)
        let before = folder.contents
        let estimate = try vfx("flow", "in.mkv", "-o", "out.mkv", "--estimate", "--json", in: folder)
        let event = try #require(try events(estimate.outputText).first)
        #expect(estimate.status == 0 && event["type"] as? String == "estimate" && event["frames"] as? Int == 8)
        #expect(folder.contents == before)
        let refused = try vfx("flow", "in.mkv", "--at", "0", "-o", "x.png", "--estimate", in: folder)
        #expect(refused.status == 64 && refused.standardError.contains("apply to a whole clip"))
        let preview = try vfx("flow", "in.mkv", "-o", "out.mkv", "--preview", "4f", "--json", in: folder)
        let finished = try #require(try events(preview.outputText).last)
        #expect(preview.status == 0 && finished["frames_written"] as? Int == 4)
    }

    /// --strict checks the whole input, wherever the pair is.
    @Test func strictnessLooksBeyondThePair() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(try Y4M.encode(clip(6)).dropLast(1000), to: "in.y4m")
        let run = try vfx("flow", "in.y4m", "--at", "0", "-o", "x.flo", "--strict", in: folder)
        #expect(run.status == 65)
        #expect(folder.contents == ["in.y4m"])
        #expect(try vfx("flow", "in.y4m", "--at", "0", "-o", "x.flo", in: folder).status == 0)
    }

    /// The file is complete by then, but the user who requested a stop learns that the signal was received.
    @Test func aSignalWhileThePairIsWrittenIsHeard() throws {
        let folder = try folder()
        #expect(mkfifo(folder.path("pipe.flo"), 0o600) == 0)
        let process = ProgramRun.make(
            "vfx", ["flow", "a.png", "b.png", "-o", "pipe.flo", "--overwrite"], directory: folder.url)
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let pipe = open(folder.path("pipe.flo"), O_RDONLY | O_NONBLOCK)
        let reader = FileHandle(fileDescriptor: pipe, closeOnDealloc: true)
        // The output exceeds a pipe's capacity, so the program is still writing once its beginning has arrived here.
        var head = [UInt8](repeating: 0, count: 4)
        #expect(waitUntil { read(pipe, &head, 4) == 4 || !process.isRunning })
        #expect(head == Array("PIEH".utf8))
        process.interrupt()
        // A signal that was received may not be recorded yet; it has been once its thread waits for the next one.
        #expect(waitUntil { !process.hasPendingSignal(SIGINT) && process.waitsForSignals || !process.isRunning })
        _ = fcntl(pipe, F_SETFL, 0)
        let rest = try #require(try reader.readToEnd())
        #expect(rest.count == 8 + 192 * 128 * 8)
        process.waitUntilExit()
        #expect(process.terminationStatus == 130)
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(text.contains("vfx: error: stopped by SIGINT; pipe.flo was already written"))
    }

    @Test func damageIsTold() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(try Y4M.encode(clip(6)).dropLast(1000), to: "in.y4m")
        let run = try vfx("flow", "in.y4m", "-o", "out.y4m", in: folder)
        #expect(run.status == 3, "\(run.standardError)")
        #expect(Y4M.decode(try folder.data("out.y4m"))?.frames.count == 5)
    }
}
