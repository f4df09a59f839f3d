import FrameCore
import Foundation
import TestSupport
import Testing

/// Interlaced video on its way through the program.
@Suite struct DeinterlaceTests {
    private let input = fixture("interlaced.mkv")

    /// The header and the frames of a y4m output.
    private func frames(_ arguments: [String], in folder: TemporaryFolder, status: Int32 = 0) throws -> (
        rate: String, frames: [Data], notes: String
    ) {
        let run = try vfx(arguments + ["-o", "-", "--format", "yuv4mpegpipe"], in: folder)
        #expect(run.status == status, "\(run.standardError)")
        let clip = Y4M.decode(run.standardOutput)
        let rate = clip?.header.split(separator: " ").first { $0.hasPrefix("F") } ?? ""
        #expect(clip?.header.contains(" Ip ") ?? true)
        return (String(rate), clip?.frames ?? [], run.standardError)
    }

    /// Interlaced frames of a moving picture, as y4m.
    private func y4m(_ count: Int = 4, scan: String = "t", width: Int = 64, height: Int = 48) throws -> Data {
        var data = try Y4M.encode(clip(count, width: width, height: height))
        let header = String(decoding: data.prefix { $0 != 10 }, as: UTF8.self)
        data =
            Data(header.replacingOccurrences(of: " Ip ", with: " I\(scan) ").utf8) + data.dropFirst(header.utf8.count)
        return data
    }

    @Test func fieldsBecomeFrames() throws {
        let folder = try TemporaryFolder()
        let made = try frames(["deinterlace", input], in: folder)
        #expect(made.rate == "F50:1" && made.frames.count == 50)
        #expect(
            made.notes.contains("the video is interlaced (top field first); its fields become 50 frames/s"),
            "\(made.notes)")
        let plain = try frames(["deinterlace", input, "--fields", "tff"], in: folder)
        #expect(plain.frames == made.frames)
        let other = try frames(["deinterlace", input, "--fields", "bff"], in: folder)
        #expect(other.frames.count == 50 && other.frames != made.frames)
        let single = try frames(["deinterlace", input, "--field-rate", "frame"], in: folder)
        #expect(single.rate == "F25:1" && single.frames == stride(from: 0, to: 50, by: 2).map { made.frames[$0] })
        #expect(single.notes.contains("each frame becomes a progressive one"), "\(single.notes)")
    }

    /// Broadcasts code fields as pictures of their own, or both as one, of which some are not marked.
    @Test func otherCodingsOfFields() throws {
        let folder = try TemporaryFolder()
        let pairs = try frames(["deinterlace", fixture("interlaced-paff.264"), "--field-rate", "frame"], in: folder)
            .frames
        let woven = try frames(["rate", fixture("interlaced-paff.264"), "--fps", "25", "--fields", "off"], in: folder)
            .frames
        let marked = try frames(
            ["deinterlace", fixture("interlaced-paff.264"), "--fields", "tff", "--field-rate", "frame"], in: folder)
        #expect(pairs.count == 12 && pairs == marked.frames)
        // All of them are deinterlaced, those without a mark, too.
        #expect(zip(pairs, woven).allSatisfy { $0 != $1 })
    }

    /// A note says that marks are wrong, as in `info`.
    @Test func wrongMarksAreTold() throws {
        let folder = try TemporaryFolder()
        let made = try frames(["blur", fixture("progressive-flagged-tff.mp4")], in: folder)
        #expect(made.notes.contains("flagged as interlaced, top field first, but the pictures are progressive"))
    }

    /// Every command begins with the same frames.
    @Test func otherCommandsDeinterlaceFirst() throws {
        let folder = try TemporaryFolder()
        let made = try frames(["deinterlace", input], in: folder).frames
        let slow = try frames(["slomo", input, "--phases", "0.5"], in: folder)
        #expect(slow.frames.count == 99 && slow.rate == "F50:1")
        #expect(stride(from: 0, to: 99, by: 2).map { slow.frames[$0] } == made)
        let fast = try frames(["rate", input, "--fps", "50"], in: folder)
        #expect(fast.frames == made)
        let blurred = try frames(["blur", input], in: folder)
        #expect(blurred.frames.count == 25 && blurred.rate == "F25:1")
        let finely = try frames(["blur", input, "--field-rate", "field"], in: folder)
        #expect(finely.frames.count == 50)
        let chain = try frames(["enhance", input, "--chain", "deinterlace,blur=50"], in: folder)
        #expect(chain.frames == finely.frames)
        let smooth = try frames(["smooth", input], in: folder)
        #expect(smooth.frames.count == 49)
        let off = try frames(["slomo", input, "--phases", "0.5", "--fields", "off"], in: folder)
        #expect(off.frames.count == 49 && !off.notes.contains("interlaced"))
        let same = try frames(["slomo", input, "--phases", "0.5", "--allow-interlaced"], in: folder)
        #expect(same.frames == off.frames)
    }

    /// Frames of the source are counted, and its times are those of the output.
    @Test func partsCountSourceFrames() throws {
        let folder = try TemporaryFolder()
        let whole = try frames(["deinterlace", input], in: folder).frames
        let part = try frames(["deinterlace", input, "--from", "7f", "--duration", "5f"], in: folder).frames
        #expect(part == Array(whole[14..<24]))
        let slow = try frames(["slomo", input, "--factor", "2", "--from", "7f"], in: folder).frames
        #expect(stride(from: 0, to: slow.count, by: 2).map { slow[$0] } == Array(whole[14...]))
        let stretched = try frames(["slomo", input, "--factor", "1.5", "--from", "7f"], in: folder).frames
        #expect(stretched.count == 54 && stretched[0] == whole[14] && stretched[3] == whole[16])
    }

    @Test func progressiveVideoStaysAsItIs() throws {
        let folder = try TemporaryFolder()
        let pictures = try clip(5)
        _ = try folder.write(Y4M.encode(pictures), to: "in.y4m")
        let made = try frames(["deinterlace", "in.y4m"], in: folder)
        #expect(made.frames == pictures.map(Y4M.payload) && made.rate == "F25:1")
        #expect(made.notes.contains("the video is progressive, so its frames stay as they are"))
        let slow = try frames(["slomo", "in.y4m"], in: folder)
        #expect(slow.frames.count == 9 && !slow.notes.contains("progressive"))
        let forced = try frames(["slomo", "in.y4m", "--fields", "tff"], in: folder)
        #expect(forced.frames.count == 19)
        #expect(forced.notes.contains("is taken for interlaced (top field first)"), "\(forced.notes)")
    }

    @Test(arguments: [("t", "top"), ("b", "bottom")], [48, 50, 47, 17])
    func aPipeWithAnyHeight(scan: (mark: String, name: String), height: Int) throws {
        let data = try y4m(scan: scan.mark, height: height)
        let run = try vfx(["deinterlace", "-", "-o", "-", "--format", "yuv4mpegpipe"], input: data)
        #expect(run.status == 0, "\(run.standardError)")
        #expect(run.standardError.contains("interlaced (\(scan.name) field first)"))
        #expect(Y4M.decode(run.standardOutput)?.frames.count == 8)
    }

    @Test func aClipOfOneFrame() throws {
        let run = try vfx(["deinterlace", "-", "-o", "-", "--format", "yuv4mpegpipe"], input: y4m(1))
        #expect(run.status == 0, "\(run.standardError)")
        #expect(Y4M.decode(run.standardOutput)?.frames.count == 2)
    }

    @Test func wrongOptionsAreRefused() throws {
        let folder = try TemporaryFolder()
        let wrong: [([String], String)] = [
            (["deinterlace", input, "--fields", "off"], "leaves nothing to do"),
            (["deinterlace", input, "--allow-interlaced"], "leaves nothing to do"),
            (["slomo", input, "--fields", "tff", "--allow-interlaced"], "is the same as --fields off"),
            (["slomo", input, "--fields", "up"], "--fields"),
            (["slomo", input, "--field-rate", "double"], "--field-rate"),
            (["enhance", input, "--chain", "slomo=x2,deinterlace"], "must be the first"),
            (["enhance", input, "--chain", "deinterlace,slomo=x2", "--fields", "tff"], "leave out --fields"),
            (["enhance", input, "--chain", "deinterlace,blur=5", "--field-rate", "field"], "leave out --fields"),
        ]
        for (arguments, words) in wrong {
            let run = try vfx(arguments + ["-o", "out.mkv"], in: folder)
            #expect(run.status == 64 && run.standardError.contains(words), "\(arguments): \(run.standardError)")
            #expect(folder.contents.isEmpty)
        }
    }

    // MARK: - Everything else of the file

    /// What else the file holds has the same times, once, and the video is marked as progressive.
    @Test(.enabled(if: hasTools), arguments: [["deinterlace"], ["rate", "--fps", "100"], ["denoise"]])
    func otherStreamsKeepTheirTimes(command: [String]) throws {
        let folder = try TemporaryFolder()
        let run = try vfx([command[0], input, "-o", "out.mkv"] + command.dropFirst(), in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        func packets(_ path: String, _ streams: String) throws -> [String] {
            try tool(
                "ffprobe",
                [
                    "-v", "error", "-select_streams", streams, "-show_entries", "packet=pts_time,duration_time", "-of",
                    "csv=p=0", path,
                ]
            ).split(separator: "\n").map(String.init)
        }
        // Times from the first frame on.
        func subtitles(_ path: String) throws -> [Double] {
            func times(_ streams: String) throws -> [Double] {
                try packets(path, streams).compactMap { Double($0.split(separator: ",")[0]) }
            }
            let start = try times("v").min() ?? 0
            return try times("s").map { $0 - start }
        }
        let (before, after) = (try subtitles(input), try subtitles(folder.path("out.mkv")))
        #expect(after.count == 2 && zip(after, before).allSatisfy { abs($0 - $1) < 0.0021 }, "\(after), \(before)")
        #expect(try packets(folder.path("out.mkv"), "a").count == packets(input, "a").count)
        let video = try tool(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "v", "-show_entries", "stream=field_order,r_frame_rate", "-of",
                "csv=p=0", folder.path("out.mkv"),
            ])
        let rate = ["deinterlace": "50/1", "rate": "100/1", "denoise": "25/1"][command[0]] ?? ""
        #expect(video.contains("progressive") && video.contains(rate), "\(video)")
    }

    // MARK: - Single pictures

    @Test func stillsAndThumbnailsAreOfOneField() throws {
        let folder = try TemporaryFolder()
        func still(_ options: [String]) throws -> Data {
            let run = try vfx(
                ["still", input, "--at", "7f", "-o", "a.png", "--overwrite", "--no-metadata"] + options, in: folder)
            #expect(run.status == 0, "\(run.standardError)")
            return try folder.data("a.png")
        }
        let made = try still([]), off = try still(["--fields", "off"])
        let (top, bottom) = (try still(["--fields", "tff"]), try still(["--fields", "bff"]))
        #expect(made != off && made == top && made != bottom)
        #expect(try off == still(["--allow-interlaced"]))
        for fields in ["auto", "off"] {
            let run = try vfx(
                "thumbnails", input, "-o", fields, "--count", "1", "--format", "png", "--fields", fields, in: folder)
            #expect(run.status == 0, "\(run.standardError)")
        }
        #expect(try folder.data("auto/1.png") != folder.data("off/1.png"))
    }

    @Test func comparisonsAreOfFirstFields() throws {
        let folder = try TemporaryFolder()
        let made = try vfx("deinterlace", input, "-o", "out.mkv", "--codec", "ffv1", in: folder)
        #expect(made.status == 0, "\(made.standardError)")
        for (fields, equal) in [("auto", 25), ("tff", 25), ("off", 0)] {
            let run = try vfx("compare", input, "out.mkv", "--json", "--fields", fields, in: folder)
            #expect(run.status == 0, "\(run.standardError)")
            #expect(try events(run.outputText).last?["equal"] as? Int == equal, "\(run.outputText)")
        }
    }

    @Test func motionIsThatOfFirstFields() throws {
        let folder = try TemporaryFolder()
        func flow(_ options: [String]) throws -> Data {
            let run = try vfx(["flow", input, "--at", "7f", "-o", "a.flo"] + options, in: folder)
            #expect(run.status == 0, "\(run.standardError)")
            return try folder.data("a.flo")
        }
        #expect(try flow([]) != flow(["--fields", "off"]))
        #expect(try vfx("flow", input, "--at", "7f", "-o", "b.flo", "--field-rate", "field", in: folder).status == 64)
    }

    /// The noise that is measured is that of progressive frames, whatever marks say.
    @Test(.enabled(if: hasTools)) func grainIsMeasured() throws {
        let folder = try TemporaryFolder()
        _ = try tool(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i",
                "color=gray:s=128x96:r=25:d=1,format=yuv420p,noise=alls=20:allf=t:all_seed=3,setfield=tff", "-c:v",
                "ffv1", "-field_order", "tt", folder.path("in.mkv"),
            ])
        let run = try vfx("denoise", "in.mkv", "-o", "out.mkv", "--grain-table", "film.tbl", in: folder)
        #expect(run.status == 0 && !run.standardError.contains("interlaced (top"), "\(run.standardError)")
        #expect(try folder.data("film.tbl").count > 50)
    }

    // MARK: - Long clips

    /// 630 interlaced frames, with a change of the field order in the middle.
    private func makeLongClip(in folder: TemporaryFolder) throws {
        for (name, top, mode) in [("a", "1", "interleave_top"), ("b", "0", "interleave_bottom")] {
            _ = try tool(
                "ffmpeg",
                [
                    "-v", "error", "-f", "lavfi", "-i",
                    "testsrc2=s=64x48:r=20:d=31.5,scroll=horizontal=0.05,format=yuv420p,tinterlace=\(mode)", "-c:v",
                    "libx264", "-flags",
                    "+ildct+ilme", "-top", top, "-preset", "veryfast", "-g", "25", folder.path("\(name).ts"),
                ])
        }
        _ = try folder.write(Data("file a.ts\nfile b.ts\n".utf8), to: "list.txt")
        _ = try tool(
            "ffmpeg",
            ["-v", "error", "-f", "concat", "-i", folder.path("list.txt"), "-c", "copy", folder.path("in.mkv")])
    }

    /// Whatever divides the work, the file is the same.
    @Test(
        .enabled(if: hasTools),
        arguments: [
            ["deinterlace"], ["slomo", "--phases", "0.5"], ["rate", "--fps", "25"], ["denoise"],
        ])
    func partsAndMachinesMakeTheSameFile(command: [String]) throws {
        let folder = try TemporaryFolder()
        try makeLongClip(in: folder)
        let arguments = [command[0], "in.mkv", "--codec", "ffv1"] + command.dropFirst()
        let whole = try vfx(arguments + ["-o", "whole.mkv", "--threads", "1", "--quiet"], in: folder)
        #expect(whole.status == 0, "\(whole.standardError)")
        let expected = try LongClip.contents(folder.path("whole.mkv"))
        let plan = try vfx(arguments + ["-o", "out.mkv", "--plan", "job", "--quiet"], in: folder)
        #expect(plan.status == 0, "\(plan.standardError)")
        for segment in [2, 0, 1] {
            let work = try vfx("work", "job", "--segment", "\(segment)", "--quiet", in: folder)
            #expect(work.status == 0, "\(work.standardError)")
        }
        let join = try vfx("join", "job", in: folder)
        #expect(join.status == 0 && join.standardError.contains("interlaced ("), "\(join.standardError)")
        #expect(try LongClip.contents(folder.path("out.mkv")) == expected)
    }

    @Test(
        .enabled(if: FaultyLibrary.compiler != nil && hasTools),
        arguments: [
            ["deinterlace"], ["slomo", "--phases", "0.5"],
        ])
    func aKilledJobEndsAsIfNothingHadHappened(command: [String]) throws {
        let folder = try TemporaryFolder()
        try makeLongClip(in: folder)
        let arguments = [command[0], "in.mkv", "--codec", "ffv1"] + command.dropFirst()
        #expect(try vfx(arguments + ["-o", "whole.mkv", "--quiet"], in: folder).status == 0)
        try StoppedRun(arguments + ["-o", "part.mkv", "--quiet"], after: "manifest.json:3", in: folder).kill()
        let rest = try vfx(arguments + ["-o", "part.mkv", "--resume"], in: folder)
        #expect(rest.status == 0, "\(rest.standardError)")
        #expect(try LongClip.contents(folder.path("part.mkv")) == LongClip.contents(folder.path("whole.mkv")))
    }

    /// A resumed job must not make other frames than the one that it continues.
    @Test func theFieldsBelongToTheJob() throws {
        let folder = try TemporaryFolder()
        for fields in ["tff", "bff"] {
            let run = try vfx(["deinterlace", input, "-o", "out.mkv", "--fields", fields, "--resume"], in: folder)
            #expect(run.status == (fields == "tff" ? 0 : 73), "\(run.standardError)")
        }
    }

    @Test func samplesAreEstimatedFromFields() throws {
        let folder = try TemporaryFolder()
        let run = try vfx(["deinterlace", input, "-o", "out.mkv", "--estimate", "--json"], in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        #expect(try events(run.outputText).last?["frames"] as? Int == 50)
    }

    /// Film comes out at its own rate, in every command.
    @Test func telecinedFilmComesOutFrameByFrame() throws {
        let folder = try TemporaryFolder(), film = fixture("telecined-tff.mp4")
        let made = try frames(["deinterlace", film], in: folder)
        #expect(made.rate == "F24000:1001" && made.frames.count == 36)
        #expect(made.notes.contains("3:2 pulldown, top field first"), "\(made.notes)")
        #expect(try frames(["blur", film], in: folder).rate == "F24000:1001")
        let fast = try frames(["rate", film, "--fps", "48000/1001"], in: folder)
        #expect(fast.frames.enumerated().filter { $0.offset % 2 == 0 }.map(\.element) == made.frames)
        let part = try frames(["deinterlace", film, "--from", "10f", "--to", "20f"], in: folder).frames
        #expect(part == Array(made.frames.dropFirst(8).prefix(8)))
        let off = try frames(["deinterlace", film, "--cadence", "off"], in: folder)
        #expect(off.rate == "F60000:1001" && off.frames.count == 90)
    }
}
