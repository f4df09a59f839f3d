/// Checks that the input holds what its cell claims: anything missing could be lost without being noticed.
struct WholeFilePreconditions {
    private let cell: WholeFileCell
    private let file: ProbedFile
    private(set) var unmet: [String] = []

    init(_ cell: WholeFileCell, _ file: ProbedFile, _ subtitles: [[ShownSubtitle]]) {
        (self.cell, self.file) = (cell, file)
        checkVideo()
        checkColors()
        checkTimes()
        checkSound()
        checkTags()
        checkOthers(subtitles)
    }

    private var kind: String { cell.route.input }
    private var isMovie: Bool { ["mp4", "mov"].contains(kind) }

    private mutating func expect<T: Equatable>(_ what: String, _ found: T, _ wanted: T) {
        if found != wanted { unmet.append("the input's \(what) is \(found) and not \(wanted)") }
    }

    private mutating func checkVideo() {
        expect("codec", file.video?.codecName, cell.codec.rawValue)
        expect("size", "\(file.video?.width ?? 0)x\(file.video?.height ?? 0)", "\(cell.size.width)x\(cell.size.height)")
        // Of the two names for one layout the older one implies the range as well; ProRes decodes 4:4:4 at 12 bits.
        let format = cell.codec == .prores && cell.subsampling == .yuv444 ? "yuv444p12le" : cell.pixelFormat
        expect("pixel format", file.video?.pixFmt?.replacing("yuvj", with: "yuv"), format)
        expect("rotation", abs(file.rotation), cell.shape.rotation)
        // WebM states the display size in whole pixels.
        let aspect = cell.shape == .anamorphic ? 4.0 / 3 : 1
        if abs(file.aspect - aspect) > (kind == "webm" ? 0.02 : 0.000_001) {
            unmet.append("the input's sample aspect ratio is \(file.aspect) and not \(aspect)")
        }
    }

    private mutating func checkColors() {
        let known = { (text: String?) in text == "unknown" ? nil : text }
        // FFmpeg assumes limited range for all ProRes.
        if cell.codec != .prores, cell.color != .unsaid {
            expect("range", file.video?.colorRange, cell.color.tags?.range)
        }
        expect("primaries", known(file.video?.colorPrimaries), cell.color.tags?.primaries)
        expect("transfer", known(file.video?.colorTransfer), cell.color.tags?.transfer)
        expect("matrix", known(file.video?.colorSpace), cell.color.tags?.matrix)
        if let location = cell.chromaLocation { expect("chroma location", file.video?.chromaLocation, location) }
        let light =
            cell.color == .pq ? ["light level 1000, 400", "mastering 0.6800 0.3290 0.0050...1000.0000"] : []
        expect("light in the container", file.light, kind == "ts" ? [] : light)
        // FFmpeg 5.1 does not read mastering data from H.264.
        expect("light in the pictures", file.lightOfPictures, cell.codec == .hevc ? light : [])
    }

    private mutating func checkTimes() {
        let times = file.times
        let steps = Set(zip(times, times.dropFirst()).map { Int((($1 - $0) * 1000).rounded()) })
        if times.count < 5 { unmet.append("the input has \(times.count) pictures") }
        if (cell.timing == .uneven) != (steps.count > 1) { unmet.append("the input's steps are \(steps.sorted())") }
        // Transport streams always begin late.
        let first = times.first ?? 0, begin = file.streams("audio").compactMap { file.begin(of: $0) }.min() ?? 0
        if kind != "ts", (cell.timing == .late) != (first > 0.3) {
            unmet.append("the input's first picture comes at \(first)")
        }
        if cell.timing == .late, abs(first - begin - 0.2) > 0.05 {
            unmet.append("the input's first picture comes at \(first) and its sound at \(begin)")
        }
        let packets = file.video.flatMap { file.packets[$0.index] } ?? []
        let isHidden = packets.contains { $0.time ?? 0 < 0 || $0.flags?.contains("D") == true }
        if (cell.timing == .edited) != isHidden { unmet.append("hidden packets of the input: \(isHidden)") }
        if isMovie, cell.timing == .even { expect("time code", file.video?.tags?["timecode"], "01:00:00:00") }
    }

    private mutating func checkSound() {
        let sounds = file.streams("audio")
        expect("number of sounds", sounds.count, 2)
        for sound in sounds where (file.packets[sound.index] ?? []).count < 5 {
            unmet.append("sound \(sound.index) of the input has few packets")
        }
        let language = { (stream: ProbedFile.Stream) in
            stream.tags?["language"] == "ger" ? "deu" : stream.tags?["language"]
        }
        expect("languages of sound", sounds.map(language), ["eng", "deu"])
        if kind == "mkv" || kind == "mp4" {
            expect("remarks", sounds.map { $0.disposition?["comment"] == 1 }, [false, true])
        }
    }

    private mutating func checkTags() {
        guard kind != "ts" else { return }
        var tags = ["title": "A whole file", "artist": "Nobody", "comment": "with everything in it", "date": "2024"]
        if !isMovie { tags["director"] = "Somebody" }
        for (key, value) in tags { expect(key, file.tags[key], value) }
        guard !isMovie else { return }
        expect("title of sound", file.streams("audio").first?.tags?["title"], "Sound")
        expect("tag of sound", file.streams("audio").first?.tags?["recorder"], "a fine microphone")
    }

    private mutating func checkOthers(_ subtitles: [[ShownSubtitle]]) {
        let hasCover = kind == "mp4" || kind == "mkv", hasAttachment = kind == "mkv"
        let covers = file.streams("cover art")
        expect("number of covers", covers.count { file.packets[$0.index]?.first?.dataHash != nil }, hasCover ? 1 : 0)
        let attachments = file.streams("attachment")
        expect("number of attachments", attachments.count { $0.extradataHash != nil }, hasAttachment ? 1 : 0)
        guard kind != "ts" else { return }
        expect("chapters", file.chapters.map { $0.tags?["title"] }, ["One", "Two"])
        expect("subtitles", subtitles.map { $0.map(\.text) }, [["Hello", "world, two"], ["Hello", "world, two"]])
    }
}
