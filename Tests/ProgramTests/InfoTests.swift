import FrameCore
import Foundation
import TestSupport
import Testing

@Suite struct InfoTests {
    private func json(_ arguments: [String], input: Data = Data(), status: Int32 = 0) throws -> [String: Any] {
        let run = try vfx(["info"] + arguments + ["--json"], input: input)
        #expect(run.status == status, "\(run.standardError)")
        let lines = try events(run.outputText)
        #expect(lines.count == 1)
        #expect(lines.first?["type"] as? String == "info")
        #expect(lines.first?["exit_code"] as? Int == Int(status))
        return try #require(lines.first)
    }

    private func object(_ parent: [String: Any], _ path: String...) throws -> [String: Any] {
        try path.reduce(parent) { try #require($0[$1] as? [String: Any], "\($1)") }
    }

    private func ratio(_ value: Any?) -> [Int]? {
        guard let object = value as? [String: Int] else { return nil }
        return [object["numerator"] ?? object["value"] ?? -1, object["denominator"] ?? object["timescale"] ?? -1]
    }

    @Test func aRealClip() throws {
        let info = try json([fixture("dog.mp4")])
        let streams = try #require(info["streams"] as? [[String: Any]])
        #expect(streams.map { $0["kind"] as? String } == ["video", "audio"])
        #expect(info["video_stream"] as? Int == 0)
        #expect(streams[0]["codec"] as? String == "h264")
        #expect(streams[0]["dispositions"] as? [String] == ["default"])
        #expect(streams[0]["frame_count"] as? Int == 96)
        #expect(streams[0]["audio"] is NSNull && streams[1]["video"] is NSNull)
        let video = try object(streams[0], "video")
        #expect(video["width"] as? Int == 848 && video["height"] as? Int == 464)
        #expect(video["pixel_format"] as? String == "yuv420p")
        #expect(video["bit_depth"] as? Int == 8 && video["subsampling"] as? String == "4:2:0")
        #expect(ratio(video["average_frame_rate"]) == [30, 1])
        #expect(video["rotation"] as? Int == 0 && video["mirrored"] as? Bool == false)
        #expect(try object(video, "hdr")["kind"] as? String == "standard")
        #expect(try object(streams[1], "audio")["channels"] as? Int == 2)
        let survey = try object(info, "survey")
        #expect(survey["frames"] as? Int == 96)
        let timing = try object(survey, "timing")
        #expect(timing["mode"] as? String == "constant")
        #expect(ratio(timing["frame_rate"]) == [30, 1])
        for key in ["min", "median", "max"] { #expect(ratio(timing["\(key)_frame_duration"]) == [1, 30]) }
        #expect(try object(survey, "cuts")["count"] as? Int == 0)
        #expect((info["notes"] as? [Any])?.isEmpty == true)
    }

    @Test func everyKindOfStream() throws {
        let info = try json([fixture("all-streams.mkv"), "--fast"])
        let streams = try #require(info["streams"] as? [[String: Any]])
        #expect(
            streams.map { $0["kind"] as? String } == [
                "video", "audio", "audio", "subtitle", "attachment", "cover_art",
            ])
        #expect(streams[2]["language"] as? String == "deu")
        #expect(streams[2]["title"] as? String == "Second")
        #expect(streams[2]["dispositions"] as? [String] == ["forced"])
        #expect(streams[5]["dispositions"] as? [String] == ["attached_pic"])
        let attachment = try object(streams[4], "attachment")
        #expect(attachment["mime_type"] as? String == "font/ttf")
        #expect(attachment["size"] as? Int == 18)
        let chapters = try #require(info["chapters"] as? [[String: Any]])
        #expect(chapters.map { $0["title"] as? String } == ["One", "Two"])
        #expect(try object(info, "tags")["title"] as? String == "Passengers")
        #expect(info["survey"] is NSNull)
    }

    @Test func cutsAndDuplicatesAreFound() throws {
        // Two moving scenes of 20 frames; frame 9 repeats frame 8.
        var pictures = try (0..<20).map { try GeneratedPicture.waves(width: 192, height: 128, dx: 4 * $0) }
        pictures[9] = pictures[8]
        pictures += try (0..<20).map { try GeneratedPicture.texture(width: 192, height: 128, seed: $0 / 30) }
        for index in 20..<40 {
            let shift = 3 * (index - 20)
            pictures[index] = try GeneratedPicture.draw(.yuv420p8, width: 192, height: 128) { plane, x, y in
                plane == 0 ? ((x + shift) / 12 % 2 + y / 9 % 3) * 70 + 20 : 90 + 60 * plane
            }
        }
        let survey = try object(try json(["-"], input: Y4M.encode(pictures)), "survey")
        let cuts = try #require(try object(survey, "cuts")["at"] as? [[String: Any]])
        #expect(cuts.map { $0["frame"] as? Int } == [20])
        #expect(ratio(cuts.first?["time"]) == [20, 25])
        let duplicates = try #require(try object(survey, "duplicates")["at"] as? [[String: Any]])
        #expect(duplicates.map { $0["frame"] as? Int } == [9])
    }

    @Test func pipesWork() throws {
        let info = try json(["-"], input: try Data(contentsOf: URL(fileURLWithPath: fixture("all-streams.mkv"))))
        #expect(try object(info, "survey")["frames"] as? Int == 25)
    }

    @Test func interlacedIsNotRefused() throws {
        var data = try Y4M.encode(clip(4))
        let header = String(decoding: data.prefix { $0 != 10 }, as: UTF8.self)
        data = Data(header.replacingOccurrences(of: " Ip ", with: " It ").utf8) + data.dropFirst(header.utf8.count)
        let info = try json(["-"], input: data)
        #expect(try object(info, "survey")["interlaced_frames"] as? Int == 4)
        #expect(["progressive", "undecided"].contains(try object(info, "survey", "fields")["kind"] as? String))
        let streams = try #require(info["streams"] as? [[String: Any]])
        #expect(try object(streams[0], "video")["field_order"] as? String == "top_first")
    }

    /// The pictures decide how frames consist of fields, whatever their flags say.
    @Test(arguments: [
        ("interlaced-tff.mpg", "interlaced", "top_first", "interlaced, top field first; "),
        ("interlaced-bff.mp4", "interlaced", "bottom_first", "interlaced, bottom field first; "),
        ("interlaced-paff.264", "interlaced", "top_first", "interlaced, top field first; "),
        ("telecined-tff.mp4", "telecined", "top_first", "telecined (3:2 pulldown), top field first; "),
        ("progressive-flagged-tff.mp4", "progressive", nil, "progressive\n"),
        ("dog.mp4", "progressive", nil, "progressive\n"),
    ])
    func picturesShowTheirFields(file: String, kind: String, order: String?, text: String) throws {
        let info = try json([fixture(file)])
        let fields = try object(info, "survey", "fields")
        #expect(fields["kind"] as? String == kind)
        #expect(fields["order"] as? String == order)
        #expect(fields["cadence"] as? String == (kind == "telecined" ? "3:2" : nil))
        #expect((try #require(fields["combed_frames"] as? Int) > 8) == (kind != "progressive"))
        let codes = (info["notes"] as? [[String: Any]])?.compactMap { $0["code"] as? String }
        #expect(codes == (file.hasPrefix("progressive") ? ["field-flags"] : []))
        #expect(try vfx("info", fixture(file)).outputText.contains("\npictures: \(text)"))
    }

    @Test func soundAloneIsListed() throws {
        var wav = Array("RIFF".utf8) + [0xA4, 0x3E, 0, 0] + Array("WAVEfmt ".utf8)
        wav += [16, 0, 0, 0, 1, 0, 1, 0, 0x40, 0x1F, 0, 0, 0x80, 0x3E, 0, 0, 2, 0, 16, 0] + Array("data".utf8)
        wav += [0x80, 0x3E, 0, 0] + [UInt8](repeating: 0, count: 16000)
        let info = try json(["-"], input: Data(wav))
        #expect(info["video_stream"] is NSNull && info["survey"] is NSNull)
        let streams = try #require(info["streams"] as? [[String: Any]])
        #expect(try object(streams[0], "audio")["sample_rate"] as? Int == 8000)
        let text = try vfx("info", "-", input: Data(wav))
        #expect(text.status == 0)
        #expect(text.outputText.contains("audio: 8000 Hz, 1 channel, s16") && text.outputText.contains("video: none"))
    }

    @Test func damageIsToldWithWhatWasFound() throws {
        let whole = try Y4M.encode(clip(6))
        let info = try json(["-"], input: whole.dropLast(1000), status: 3)
        #expect(try object(info, "survey")["frames"] as? Int == 5)
        #expect((try object(info, "damage")["messages"] as? [String])?.count == 1)
        let text = try vfx("info", "-", input: whole.dropLast(1000))
        #expect(text.status == 3)
        #expect(text.outputText.contains("damage: the file ends in the middle of a frame"))
        // A file with headers but no frames is still described.
        let empty = try json(["-"], input: Data("YUV4MPEG2 W64 H48 F25:1 C420jpeg\n".utf8), status: 3)
        #expect(empty["survey"] is NSNull)
    }

    @Test func whatIsNoMediaIsRefused() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Data(), to: "empty.mp4")
        _ = try folder.write(Data("Not a video at all.\n".utf8), to: "text.mp4")
        for (name, status, says) in [
            ("empty.mp4", 65, "the file is empty"), ("text.mp4", 65, "this is a text file, not a video"),
            ("nowhere.mp4", 66, "there is no such file"),
        ] {
            let run = try vfx("info", name, in: folder)
            #expect(run.status == Int32(status))
            #expect(run.errorLines.count == 1)
            #expect(run.standardError.contains("\(name): \(says)"))
            #expect(run.standardOutput.isEmpty)
        }
        #expect(try vfx("info", "-").status == 65)
    }

    @Test func placesRead() throws {
        let folder = try TemporaryFolder()
        let pictures = try [16, 16, 16, 16].map { try GeneratedPicture.waves(width: 64, height: 48, dx: $0) }
        _ = try folder.write(Y4M.encode(pictures), to: "in.y4m")
        let lines = try vfx("info", "in.y4m", in: folder).outputText.split(separator: "\n")
        #expect(
            lines.contains(
                "duplicates: 3, at 0.040000 s (frame 1), 0.080000 s (frame 2), 0.120000 s (frame 3)"), "\(lines)")
    }

    @Test func noiseIsMeasured() throws {
        let pictures = try (0..<9).map { index in
            let scene = MovingScene { plane, x, y, t in
                (plane > 0 ? 128 : 60 + x / 2) + (plane > 0 ? 3 : 6)
                    * sampleNoise(x + 1000 * Float(plane), y, seed: Int(t))
            }
            return try scene.picture(Float(index), .yuv420p8, width: 208, height: 144)
        }
        let input = try Y4M.encode(pictures)
        let noise = try object(try json(["-", "--noise"], input: input), "noise")
        #expect(noise["frames"] as? Int == 1)
        let sigma = try #require(noise["sigma"] as? [Double])
        for (found, wanted) in zip(sigma, [6.0, 3, 3]) { #expect(abs(found - wanted) < 0.15 * wanted, "\(sigma)") }
        #expect((noise["sigma_by_brightness"] as? [Double])?.count == 16)
        #expect(try json(["-"], input: input)["noise"] is NSNull)
        let lines = try vfx("info", "-", "--noise", input: input).outputText.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("noise: sigma Y ") && $0.hasSuffix("median of 1 frame") }, "\(lines)")
        #expect(lines.filter { $0.hasPrefix("noise at brightness ") }.count == 16)
        #expect(try vfx("info", "-", "--noise", "--fast", input: input).status == 64)
    }

    /// The noise of one clip is removed from another; a file that holds none is refused by name.
    @Test func noiseIsWritten() throws {
        let folder = try TemporaryFolder()
        let scene = MovingScene.translation(2, 1), level = scene.level
        let noisy = MovingScene { plane, x, y, t in level(plane, x, y, t) + 7 * sampleNoise(x, y, seed: Int(t) + plane)
        }
        let pictures = try (0..<8).map { try noisy.picture(Float($0), .yuv420p8, width: 96, height: 64) }
        _ = try folder.write(Y4M.encode(pictures), to: "in.y4m")
        let info = try vfx("info", "in.y4m", "--write-noise", "noise.txt", in: folder)
        #expect(info.status == 0 && info.outputText.contains("noise: sigma Y"), "\(info.standardError)")
        let text = try String(decoding: folder.data("noise.txt"), as: UTF8.self)
        #expect(text.hasPrefix("noise model 1\n"))
        #expect(try vfx("info", "in.y4m", "--write-noise", "-", in: folder).outputText == text)
        for (output, options) in [("model.y4m", ["--noise-model", "noise.txt"]), ("none.y4m", ["--strength", "0"])] {
            let run = try vfx(["denoise", "in.y4m", "-o", output] + options, in: folder)
            #expect(run.status == 0, "\(run.standardError)")
        }
        #expect(try folder.data("model.y4m") != folder.data("none.y4m"))
        for (name, words) in [("missing.txt", "cannot be read"), ("in.y4m", "not")] {
            let run = try vfx("denoise", "in.y4m", "-o", "out.y4m", "--noise-model", name, in: folder)
            #expect(run.status != 0 && run.standardError.contains("\(name): ") && run.standardError.contains(words))
            #expect(!folder.contents.contains("out.y4m"))
        }
    }

    @Test func textReads() throws {
        let run = try vfx("info", fixture("dog.mp4"))
        #expect(run.status == 0)
        #expect(run.standardError == "")
        for line in [
            "  size: 848x464", "frames: 96",
            "frame rate: constant, 30 frames/s", "cuts: 0", "duplicates: 0", "flashes: 0",
        ] {
            #expect(run.outputText.split(separator: "\n").contains { $0 == line }, "\(line)")
        }
    }

    @Test func tagsDoNotSteerTheTerminal() throws {
        let folder = try TemporaryFolder()
        let name = "in\u{1B}[2J.y4m"
        _ = try folder.write(Y4M.encode(clip(2)), to: name)
        let run = try vfx("info", name, in: folder)
        #expect(run.status == 0)
        #expect(!run.standardOutput.contains(0x1B))
    }

    @Test func aResultThatNobodyTakesIsAFailedWrite() throws {
        let process = ProgramRun.make("vfx", ["info", fixture("dog.mp4"), "--fast"])
        let errors = Pipe()
        process.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
        process.standardError = errors
        try process.run()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 74)
        #expect(text == "vfx: error: standard output: the result cannot be written\n")
    }
}
