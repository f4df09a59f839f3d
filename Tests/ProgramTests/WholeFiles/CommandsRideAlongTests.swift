import FrameCore
import Foundation
import MediaIO
import TestSupport
import Testing

/// Checks which properties of a source each command keeps, and compares it with the second table in the documentation. With
/// the environment variable `VFX_WRITE_TABLES`, writes that table instead.
@Suite(.enabled(if: hasTools)) struct CommandsRideAlongTests {
    /// What the property rides on, which decides about the commands to which it applies.
    private enum Source: String { case film, turned, captioned, photo }

    private struct Row: Sendable {
        var name: String
        var source: Source
        /// Words of which one is in any note on the property.
        var words: [String]
        /// Whether it belongs to images as well as to videos.
        var isOfImages = false
        var isKept: @Sendable (Output) throws -> Bool
    }

    /// What a command has written: a video, or an image.
    private struct Output {
        var info: MediaInfo?
        var frames: [Frame] = []
        var picture: StillPicture?
        var isPortrait: Bool {
            if let picture {
                let (w, h) = (picture.frame.buffer.width, picture.frame.buffer.height)
                return picture.orientation.swapsSides ? w > h : h > w
            }
            return video?.orientation.swapsSides ?? false
        }
        var video: VideoStreamInfo? { info.flatMap { info in info.videoStream.flatMap { info.streams[$0].video } } }

        func count(_ kind: MediaStreamInfo.Kind) -> Int { info?.streams.count { $0.kind == kind } ?? 0 }
    }

    private static let rows: [Row] = [
        Row(name: "audio", source: .film, words: ["(audio"]) { $0.count(.audio) == 1 },
        Row(name: "subtitles", source: .film, words: ["(subtitle"]) { $0.count(.subtitle) == 1 },
        Row(name: "attachments", source: .film, words: ["(attachment"]) { $0.count(.attachment) == 1 },
        Row(name: "chapters", source: .film, words: ["chapter"]) { $0.info?.chapters.count == 2 },
        Row(name: "usual tags of the file", source: .film, words: ["these tags"]) {
            $0.info?.metadata["title"] == "A film"
        },
        Row(name: "languages", source: .film, words: ["language"]) {
            $0.info?.streams.contains { $0.kind == .audio && $0.language == "fra" } == true
        },
        Row(name: "closed captions", source: .captioned, words: ["captions"]) { output in
            let bytes = output.frames.flatMap(\.sideData.entries).filter { $0.code == 1 }.flatMap(\.bytes)
            return bytes.filter { (0x41...0x4A).contains($0) }.count >= 8
        },
        Row(name: "time code", source: .turned, words: ["time code", "timecode"]) { output in
            let tags = output.info?.streams.map(\.metadata) ?? []
            return tags.contains { $0["timecode"]?.hasPrefix("10:00:00") == true }
        },
        Row(name: "rotation", source: .turned, words: ["rotation"], isOfImages: true) { $0.isPortrait },
        Row(name: "ICC profile of images", source: .photo, words: ["ICC profile"], isOfImages: true) {
            $0.picture?.frame.sideData.entries.contains { $0.bytes == ImageExamples.profile() } == true
        },
        Row(name: "EXIF of images", source: .photo, words: ["EXIF"], isOfImages: true) {
            Data($0.picture?.metadata.exif ?? []).range(of: Data("Ann".utf8)) != nil
        },
    ]

    private static let commands: [(name: String, options: [String])] = [
        ("denoise", []), ("rate", ["--fps", "50"]), ("slomo", ["--factor", "2"]), ("blur", ["--strength", "50"]),
        ("upscale", ["--scale", "2"]), ("flow", []), ("still", ["--at", "0"]),
        ("thumbnails", ["--count", "1", "--format", "png"]), ("storyboard", ["--interval", "1", "--single"]),
    ]
    private static let ofImages: Set<String> = ["still", "thumbnails", "storyboard"]

    @Test func theTableIsWhatHappens() throws {
        let folder = try TemporaryFolder()
        var fates: [String: [String]] = [:]
        for source in [Source.film, .captioned, .turned, .photo] {
            let input = try make(source, in: folder)
            for command in Self.commands {
                let rows = Self.rows.filter { $0.source == source && Self.applies($0, command.name) }
                let result = rows.isEmpty ? nil : try run(command, on: input, source, in: folder)
                for row in Self.rows where row.source == source {
                    let isMeant = rows.contains { $0.name == row.name }
                    let fate = isMeant ? try result.map { try Self.fate(of: row, $0) } ?? "refused" : "–"
                    #expect(fate != "LOST", "\(row.name) in \(command.name)")
                    fates[row.name, default: []].append(fate)
                }
            }
        }
        let head = ["property"] + Self.commands.map(\.name)
        let document = fixture("../Sources/vfx/vfx.docc/WhatRidesAlong.md")
        let rows = Self.rows.map { [$0.name] + (fates[$0.name] ?? []) }
        let differences = try DocumentedTable("commands", in: document).differences(from: [head] + rows)
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    }

    /// Images have no sound, and pictures of motion do not have the colors of the source.
    private static func applies(_ row: Row, _ command: String) -> Bool {
        if row.source == .photo, command == "flow" { return false }
        if row.name == "EXIF of images", command == "storyboard" { return false }
        return row.isOfImages || !ofImages.contains(command)
    }

    private static func fate(of row: Row, _ result: (output: Output, notes: [[String: Any]])) throws -> String {
        if try row.isKept(result.output) { return "kept" }
        let own = result.notes.filter { note in
            row.words.contains { (note["message"] as? String)?.contains($0) == true }
        }
        guard !own.isEmpty else { return "LOST" }
        return own.contains { $0["loss"] as? Bool == true } ? "note" : "converted"
    }

    /// Runs a command; nil if it refuses the input.
    private func run(
        _ command: (name: String, options: [String]), on input: String, _ source: Source, in folder: TemporaryFolder
    ) throws -> (output: Output, notes: [[String: Any]])? {
        let stem = "\(source.rawValue)-\(command.name)"
        let name: String, written: String
        switch command.name {
        case "still": (name, written) = (stem + ".png", stem + ".png")
        case "thumbnails": (name, written) = (stem, stem + "/1.png")
        case "storyboard": (name, written) = (stem, stem)
        case "upscale" where source == .photo: (name, written) = (stem + ".png", stem + ".png")
        default:
            let ending = source == .photo ? "_%d.png" : source == .turned ? ".mov" : ".mkv"
            (name, written) = (stem + ending, source == .photo ? stem + "_1.png" : stem + ending)
        }
        let run = try vfx([command.name, input, "-o", name, "--json", "--overwrite"] + command.options, in: folder)
        guard run.status == 0 else {
            #expect([64, 65].contains(run.status), "\(command.name) \(input): \(run.standardError)")
            return nil
        }
        let events = try events(run.outputText)
        let notes = events.flatMap { event -> [[String: Any]] in
            event["type"] as? String == "note" ? [event] : event["notes"] as? [[String: Any]] ?? []
        }
        return (try output(folder, written), notes)
    }

    private func output(_ folder: TemporaryFolder, _ name: String) throws -> Output {
        var output = Output()
        var path = folder.path(name)
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            let all = try #require(FileManager.default.enumerator(atPath: path)).compactMap { $0 as? String }
            path += "/" + (try #require(all.sorted().first { $0.hasSuffix(".jpg") }))
        }
        if path.hasSuffix(".png") || path.hasSuffix(".jpg") {
            output.picture = try StillCodec().read(path).picture
            return output
        }
        let reader = try MediaReader(path)
        output.info = reader.info
        while let frame = try reader.nextFrame() { output.frames.append(frame) }
        return output
    }

    private func make(_ source: Source, in folder: TemporaryFolder) throws -> String {
        let picture = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.4"]
        let video = ["-c:v", "libx264", "-preset", "ultrafast"]
        switch source {
        case .film:
            let subtitles = try folder.write(Data("1\n00:00:00,050 --> 00:00:00,200\nHello\n".utf8), to: "s.srt")
            let chapters =
                ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=200\ntitle=One\n"
                + "[CHAPTER]\nTIMEBASE=1/1000\nSTART=200\nEND=400\ntitle=Two\n"
            let metadata = try folder.write(Data(chapters.utf8), to: "c.txt")
            let font = try folder.write(Data(repeating: 7, count: 100), to: "f.ttf")
            let sound = ["-f", "lavfi", "-i", "sine=440:r=48000:d=0.4"]
            let tags = [
                "-metadata", "title=A film", "-metadata:s:a:0", "language=fra", "-attach", font, "-metadata:s:t:0",
                "mimetype=application/x-truetype-font",
            ]
            _ = try tool(
                "ffmpeg",
                ["-v", "error"] + picture + sound + ["-i", subtitles, "-i", metadata, "-map", "0", "-map", "1"]
                    + ["-map", "2", "-map_chapters", "3"] + video + ["-c:a", "aac", "-c:s", "srt"] + tags
                    + [folder.path("film.mkv")])
            return "film.mkv"
        case .turned:
            let plain = folder.path("plain.mov")
            _ = try tool("ffmpeg", ["-v", "error"] + picture + video + ["-timecode", "10:00:00:00", plain])
            try turnForDisplay(plain, to: folder.path("turned.mov"))
            return "turned.mov"
        case .captioned:
            let frames = try clip(10).enumerated().map { index, buffer in
                let bytes: [UInt8] = [0xFC, 0x41 + UInt8(index), 0x80]
                return Frame(
                    buffer: buffer, presentationTime: MediaTime(value: Int64(index), timescale: 25),
                    sideData: SideData([.init(kind: "captions", code: 1, bytes: bytes, isOfThisPictureOnly: true)]))
            }
            let stream = VideoStreamDescription(
                format: .yuv420p8, width: 64, height: 48, timeBase: Rational(1, 25), nominalFrameRate: Rational(25, 1))
            let sink = try openSink(
                folder.path("captioned.mkv"), stream: stream, source: nil, options: .init(preset: "ultrafast"))
            for frame in frames { try sink.write(frame) }
            try sink.finish()
            return "captioned.mkv"
        case .photo:
            var frame = Frame(
                buffer: try GeneratedPicture.waves(width: 64, height: 48), presentationTime: .zero,
                color: ColorDescription(matrix: .bt470BG, primaries: .bt709, transfer: .sRGB, range: .full))
            frame.sideData.colorProfile = ImageExamples.profile()
            var metadata = StillMetadata()
            metadata.exif = ImageExamples.exif()
            let file = try StillCodec().encode(
                StillPicture(frame: frame), as: .png, options: StillOptions(metadata: metadata))
            _ = try folder.write(Data(file.bytes), to: "photo.png")
            return "photo.png"
        }
    }
}
