import Foundation
import TestSupport
import Testing

/// Unusable inputs and outputs give one sentence and the documented exit code, and leave no file.
@Suite struct BadInputTests {
    private func refused(
        _ name: String, status: Int32, output: String = "out.mp4", extra: [String] = [], folder: TemporaryFolder
    ) throws -> String {
        let before = folder.contents
        let run = try vfx(["slomo", name, "-o", output, "--factor", "2"] + extra, in: folder)
        #expect(run.status == status, "\(run.standardError)")
        #expect(run.errorLines.count == 1, "\(run.standardError)")
        #expect(run.standardOutput.isEmpty)
        #expect(folder.contents == before)
        return run.standardError
    }

    @Test func missingInput() throws {
        let text = try refused("nowhere.mp4", status: 66, folder: TemporaryFolder())
        #expect(text == "vfx: error: nowhere.mp4: there is no such file\n")
    }

    @Test func foreignFiles() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Data("Not a video at all.\n".utf8), to: "text.mp4")
        let cause = "(Invalid data found when processing input)"
        let text = try refused("text.mp4", status: 65, folder: folder)
        #expect(text == "vfx: error: text.mp4: this is a text file, not a video \(cause)\n")
        for (name, start, sentence) in [
            ("noise.mp4", [0xFF, 3, 7, 1, 0, 250], "this is not a video, or its header is damaged"),
            ("blank.mp4", [0, 0, 0, 0], "the file begins with nothing but equal bytes, so it is damaged"),
            ("photo.heic", [0, 0, 0, 24] + Array("ftypheic".utf8), "this HEIC image is damaged or of an unknown kind"),
            ("cut.mp4", [0, 0, 0, 24] + Array("ftypisom".utf8), "the file has no index (moov)"),
            ("cut.mov", [0, 0, 0, 8] + Array("wide".utf8), "the file has no index (moov)"),
        ] as [(String, [UInt8], String)] {
            _ = try folder.write(Data(start + start), to: name)
            let said = try refused(name, status: 65, folder: folder)
            #expect(said.hasPrefix("vfx: error: \(name): \(sentence)"), "\(said)")
        }
        let piped = try vfx("slomo", "-", "-o", "-", "--format", "yuv4mpegpipe", "--factor", "2")
        #expect(piped.status == 65)
        #expect(
            piped.errorLines.count == 1
                && piped.standardError.contains("an mp4 or mov file from a pipe needs its index"))
        #expect(piped.standardOutput.isEmpty)
    }

    @Test func picturesShownForYears() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Y4M.encode(clip(6)), to: "in.y4m")
        _ = try tool(
            "ffmpeg",
            [
                "-v", "error", "-i", folder.path("in.y4m"), "-c:v", "libx264", "-vf",
                "setpts='(N+gte(N\\,3)*100000000)/25/TB'", "-fps_mode", "vfr", folder.path("pause.mkv"),
            ])
        let pause = try vfx("rate", "pause.mkv", "-o", "out.mkv", "--fps", "60", in: folder)
        #expect(pause.status == 65)
        #expect(pause.errorLines.count == 1 && pause.standardError.hasPrefix("vfx: error: pause.mkv: at 0.08"))
        #expect(pause.standardError.contains("at most 1000000 are made"))
        #expect(folder.contents == ["in.y4m", "pause.mkv"])
        // A raw stream has no timestamps, so only its header states the rate: here one frame in 34 years.
        _ = try tool(
            "ffmpeg",
            [
                "-v", "error", "-i", folder.path("in.y4m"), "-c:v", "libx264", "-bsf:v",
                "h264_metadata=tick_rate=1/2000000000", folder.path("years.264"),
            ])
        let years = try vfx("rate", "years.264", "-o", "out.mkv", "--fps", "50", in: folder)
        #expect(years.status == 0)
        #expect(years.standardError.contains("which is unlikely; 25 frames per second are assumed"))
        #expect(years.standardError.contains("12 frames"))
    }

    @Test func outputsThatCannotBe() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Y4M.encode(clip(3)), to: "in.y4m")
        _ = try folder.write(Data("keep me".utf8), to: "there.mp4")
        for (output, status, sentence) in [
            ("there.mp4", Int32(73), "there.mp4: the output already exists; --overwrite replaces it"),
            ("out.unknown", 64, "out.unknown: \".unknown\" is not a known extension; use .mp4, "),
        ] {
            let text = try refused("in.y4m", status: status, output: output, folder: folder)
            #expect(text.contains(sentence), "\(text)")
        }
        #expect(try folder.data("there.mp4") == Data("keep me".utf8))
    }

    @Test func aFullDiskIsAFailedWrite() throws {
        let run = try vfx(
            "slomo", "-", "-o", "/dev/full", "--format", "yuv4mpegpipe", "--factor", "2", input: Y4M.encode(clip(30)))
        #expect(run.status == 74, "\(run.standardError)")
        #expect(run.errorLines == ["vfx: error: /dev/full: the disk is full (No space left on device)"])
    }

    @Test func aColonInANameIsNoAddress() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Y4M.encode(clip(6)), to: "Part:2.y4m")
        for words in [[], ["--no-network"]] {
            let run = try vfx(
                ["slomo", "Part:2.y4m", "-o", "Half:2.mkv", "--factor", "2", "--overwrite"] + words, in: folder)
            #expect(run.status == 0, "\(run.standardError)")
        }
        #expect(folder.contents == ["Half:2.mkv", "Part:2.y4m"])
        let back = try vfx("info", "Half:2.mkv", in: folder)
        #expect(back.status == 0, "\(back.standardError)")
        let none = try vfx("slomo", "Part:3.y4m", "-o", "out.mkv", "--factor", "2", in: folder)
        #expect(none.status != 0 && none.errorLines.count == 1)
        let link = try vfx("slomo", "http://Part:2.y4m", "-o", "out.mkv", "--factor", "2", "--no-network", in: folder)
        #expect(link.standardError.contains("network URL"))
    }

    @Test func aTruncatedEndIsSaved() throws {
        let folder = try TemporaryFolder()
        let whole = try Y4M.encode(clip(6))
        _ = try folder.write(whole.dropLast(1000), to: "in.y4m")
        let run = try vfx("slomo", "in.y4m", "-o", "out.y4m", "--factor", "2", in: folder)
        #expect(run.status == 3, "\(run.standardError)")
        #expect(run.standardError.contains("vfx: warning: "))
        #expect(Y4M.decode(try folder.data("out.y4m"))?.frames.count == 9)
        let strict = try refused("in.y4m", status: 65, output: "strict.y4m", extra: ["--strict"], folder: folder)
        #expect(strict == "vfx: error: in.y4m: stream 0: the file ends in the middle of a frame\n")
    }
}
