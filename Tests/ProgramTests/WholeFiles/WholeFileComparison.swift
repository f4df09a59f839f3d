import Foundation

/// The differences between a file and a command's result that are neither intended nor reported.
struct WholeFileComparison {
    private let cell: WholeFileCell
    private let before: ProbedFile
    private let after: ProbedFile
    /// The losses that the program reported and was allowed to report.
    private let told: [String]
    private(set) var findings: [String] = []

    init(_ cell: WholeFileCell, _ before: ProbedFile, _ after: ProbedFile, told: String) {
        (self.cell, self.before, self.after) = (cell, before, after)
        let sentences = ToldLosses.sorted(told, of: cell)
        self.told = sentences.allowed
        findings = sentences.others.map { "said: \($0)" }
        compareStreams()
        compareVideo()
        compareTimes()
        compareSound()
        compareFile()
    }

    private var stretch: Double { Double(cell.command.stretch) }
    /// Half a tick of the coarser time base of the two containers; a tick where times move, as by what Opus decoders discard.
    private var slack: Double {
        cell.route.keepsKind && origin == 0 && cell.route.input != "webm" ? 0.000_002 : 0.001_1
    }

    /// The time at which the earlier of picture and sound starts, which the output moves to zero. Subtitles may be shown
    /// before; WebM states what Opus decoders discard as time before zero.
    private var origin: Double {
        let starts = before.streams.filter { ["video", "audio"].contains($0.kind) && !isLeftBehind($0) }
            .compactMap { $0.startTime.flatMap(Double.init) }
        let earliest = starts.min() ?? 0
        return cell.route.input == "webm" ? max(0, earliest) : earliest
    }
    /// Returns where a time of the input is in the output.
    private func moved(_ time: Double) -> Double { (time - origin) * stretch }

    private mutating func expect<T: Equatable>(_ what: String, _ now: T, _ then: T) {
        if now != then { findings.append("\(what): \(then) became \(now)") }
    }

    private func isTold(_ words: String...) -> Bool {
        told.contains { line in words.allSatisfy { line.contains($0) } }
    }

    /// Whether the loss of an input stream was reported.
    private func isLeftBehind(_ stream: ProbedFile.Stream) -> Bool {
        isTold("stream \(stream.index) (", "left out")
    }

    /// Whether a stream is a chapter-title or time-code track of a movie, which is rebuilt from the chapters or the
    /// video's tag.
    private func isMadeAnew(_ stream: ProbedFile.Stream, in container: String) -> Bool {
        ["mp4", "mov"].contains(container) && stream.kind == "data"
            && ["text", "tmcd"].contains(stream.codecTagString)
    }

    private mutating func compareStreams() {
        let kept = before.streams.filter { !isMadeAnew($0, in: cell.route.input) && !isLeftBehind($0) }
        let found = after.streams.filter { !isMadeAnew($0, in: cell.route.output) }
        // Matroska lists its attachments separately, and movies their time code and cover art.
        let order = ["video", "audio", "subtitle", "data", "attachment", "cover art"]
        func sorted(_ streams: [ProbedFile.Stream]) -> [ProbedFile.Stream] {
            streams.enumerated().sorted {
                (order.firstIndex(of: $0.element.kind) ?? 9, $0.offset) < (
                    order.firstIndex(of: $1.element.kind) ?? 9, $1.offset
                )
            }.map(\.element)
        }
        let (was, now) = (sorted(kept), sorted(found))
        expect("streams", now.map(\.kind), was.map(\.kind))
        guard now.map(\.kind) == was.map(\.kind) else { return }
        let plain = { (streams: [ProbedFile.Stream]) in
            streams.map(\.kind).filter { ["video", "audio", "subtitle"].contains($0) }
        }
        expect("order of streams", plain(found), plain(kept))
        for (old, new) in zip(was, now) { compare(old, new) }
    }

    private mutating func compare(_ old: ProbedFile.Stream, _ new: ProbedFile.Stream) {
        let name = "stream \(old.index) (\(old.kind))"
        let isCodedAnew =
            old.kind == "video" || isTold("stream \(old.index) (", "converted to \(new.codecName ?? "")")
            || isTold("stream \(old.index) (", "transcoded") || (old.kind == "audio" && stretch > 1)
        if !isCodedAnew { expect("\(name) codec", new.codecName, old.codecName) }
        if !isTold("stream \(old.index) (", "language") {
            let language = { (stream: ProbedFile.Stream) in
                let name = stream.tags?["language"] ?? "und"
                // ISO 639-2 has two codes for German: MOV files have "ger", the others "deu".
                return name == "ger" ? "deu" : name
            }
            expect("\(name) language", language(new), language(old))
        }
        // In movies, a track's title is the name of its handler.
        let title = ["mp4", "mov"].contains(cell.route.output) ? new.tags?["handler_name"] : new.tags?["title"]
        if let was = old.tags?["title"] { expect("\(name) title", title, was) }
        let recorder = "recorder"
        if !isTold("stream \(old.index) (", "tag \(recorder.uppercased())") {
            expect("\(name) \(recorder)", new.tags?[recorder], old.tags?[recorder])
        }
        if old.kind == "video" { expect("\(name) timecode", new.tags?["timecode"], old.tags?["timecode"]) }
        if old.kind == "attachment" {
            for key in ["filename", "mimetype"] { expect("\(name) \(key)", new.tags?[key], old.tags?[key]) }
        }
        expect("\(name) dispositions", dispositions(new, in: after), dispositions(old, in: before))
        if old.kind == "attachment" { expect("\(name) bytes", new.extradataHash, old.extradataHash) }
        if old.kind == "cover art" {
            let bytes = { (file: ProbedFile, stream: ProbedFile.Stream) in
                file.packets[stream.index]?.first?.dataHash
            }
            expect("\(name) bytes", bytes(after, new), bytes(before, old))
        }
    }

    /// Returns the dispositions to compare: without those reported as lost, and with those that a movie always has.
    private func dispositions(_ stream: ProbedFile.Stream, in file: ProbedFile) -> [String] {
        var names = Set(stream.disposition?.filter { $0.value == 1 }.map(\.key) ?? [])
        names = names.filter { !isTold("cannot store", "stream \(stream.index) (", "disposition \($0)") }
        guard ["mp4", "mov"].contains(cell.route.output) else { return names.sorted() }
        // In a movie, one track of each kind is always the default.
        let kin = file.streams(stream.kind)
        if kin.first?.index == stream.index, !kin.contains(where: { $0.disposition?["default"] == 1 }) {
            names.insert("default")
        }
        return names.sorted()
    }

    private mutating func compareVideo() {
        guard let old = before.video, let new = after.video else {
            findings.append("there is no video stream")
            return
        }
        let scale = cell.command.scale
        expect(
            "size", "\(new.width ?? 0)x\(new.height ?? 0)", "\((old.width ?? 0) * scale)x\((old.height ?? 0) * scale)")
        // WebM states the display size in whole pixels.
        if abs(after.aspect - before.aspect) > (cell.route.output == "webm" ? 0.02 : 0) {
            findings.append(
                "sample aspect ratio: \(old.sampleAspectRatio ?? "none") became \(new.sampleAspectRatio ?? "none")")
        }
        if !isTold("rotation") { expect("rotation", after.rotation, before.rotation) }
        guard !cell.command.draws else { return }
        if !isTold("instead of the source's format") { expect("pixel format", new.pixFmt, old.pixFmt) }
        expect("codec", new.codecName, old.codecName)
        let known = { (text: String?) in text ?? "unknown" }
        // An unspecified range means limited range.
        expect("range", new.colorRange ?? "tv", old.colorRange ?? "tv")
        expect("primaries", known(new.colorPrimaries), known(old.colorPrimaries))
        expect("transfer", known(new.colorTransfer), known(old.colorTransfer))
        expect("matrix", known(new.colorSpace), known(old.colorSpace))
        // These codecs leave it to the container, and movies cannot store it.
        if !(["mp4", "mov"].contains(cell.route.output) && [.vp9, .av1, .prores].contains(cell.codec)) {
            expect("chroma location", known(new.chromaLocation), known(old.chromaLocation))
        }
        // The container can store what the input states only in its frames.
        let light = Set(before.light + before.lightOfPictures).sorted()
        expect("light in the container", after.light, light)
        if cell.codec == .hevc { expect("light in the pictures", after.lightOfPictures, light) }
    }

    private mutating func compareTimes() {
        let (was, now) = (before.times, after.times)
        guard let first = was.first, let start = now.first else {
            findings.append("there are no pictures")
            return
        }
        if abs(start - moved(first)) > slack * stretch {
            findings.append("the first picture's time: \(moved(first)) became \(start)")
        }
        let end = before.end ?? (was.last ?? 0) + 0.04
        switch cell.command {
        case .rate:
            let count = Int(((end - first) * 50).rounded())
            if abs(now.count - count) > 1 { findings.append("\(count) pictures are due, and there are \(now.count)") }
            for (index, time) in now.enumerated() where abs(time - moved(first) - Double(index) / 50) > slack + 0.000_6
            {
                findings.append("picture \(index): \(moved(first) + Double(index) / 50) became \(time)")
                break
            }
        default:
            let frames = cell.command.framesPerFrame
            expect("pictures", now.count, (was.count - 1) * frames + 1)
            let kept = now.enumerated().filter { $0.offset.isMultiple(of: frames) }.map(\.element)
            expectTimes(kept, was.map { moved($0) })
        }
        let isUnsaid = cell.timing == .uneven && ["mp4", "mov"].contains(cell.route.output)
        guard let last = after.end else {
            if !isUnsaid { findings.append("the file does not say when its last picture ends") }
            return
        }
        let most = cell.command == .rate ? 0.02 : slack * stretch
        if abs(last - moved(end)) > most { findings.append("the end: \(moved(end)) became \(last)") }
    }

    private mutating func expectTimes(_ now: [Double], _ then: [Double]) {
        guard now.count == then.count else { return expect("number of times", now.count, then.count) }
        for (index, (time, wanted)) in zip(now, then).enumerated() where abs(time - wanted) > slack * stretch {
            findings.append("picture \(index)'s time: \(wanted) became \(time)")
            return
        }
    }

    private mutating func compareSound() {
        let origin = origin
        for (old, new) in zip(before.streams("audio"), after.streams("audio")) {
            let (was, now) = (before.packets[old.index] ?? [], after.packets[new.index] ?? [])
            if cell.command.stretch == 1, old.codecName == new.codecName {
                compareCopies(was, now, "stream \(old.index)")
            } else {
                let length = { (packets: [ProbedFile.Packet], start: Double) in
                    (packets.map { ($0.time ?? 0) + ($0.duration ?? 0) }.max() ?? 0) - start
                        - max(0, (packets.compactMap(\.time).min() ?? 0) - start)
                }
                let (then, found) = (length(was, origin) * stretch, length(now, 0))
                if abs(found - then) > 0.1 {
                    findings.append("sound of stream \(old.index): \(then) s became \(found) s")
                }
                let begin = { (packets: [ProbedFile.Packet]) in packets.compactMap(\.time).min() ?? 0 }
                let wanted = max(0, moved(begin(was)))
                if abs(max(0, begin(now)) - wanted) > 0.03 * stretch {
                    findings.append("sound of stream \(old.index) began at \(wanted), now \(begin(now))")
                }
            }
        }
    }

    private mutating func compareCopies(_ was: [ProbedFile.Packet], _ now: [ProbedFile.Packet], _ name: String) {
        let movie = ["mp4", "mov"].contains(cell.route.output)
        // Containers that cannot hide what precedes time zero omit it.
        let wanted = movie ? was : was.filter { moved($0.time ?? 0) + ($0.duration ?? 0) / 2 >= 0 }
        // Transport streams put a seven-byte header before each AAC packet, which has to be removed.
        let size = { (packet: ProbedFile.Packet) in packet.size.flatMap { Int($0) } ?? 0 }
        let losesHeads = cell.route.input == "ts" && !now.isEmpty && wanted.map { size($0) - 7 } == now.map(size)
        guard losesHeads || now.map(\.dataHash) == wanted.map(\.dataHash) else {
            let lost = wanted.count { packet in !now.contains { $0.dataHash == packet.dataHash } }
            findings.append(
                "packets of \(name): \(wanted.count) became \(now.count), \(lost) of them are missing or changed")
            return
        }
        for (old, new) in zip(wanted, now) {
            let (then, time) = (moved(old.time ?? 0), new.time ?? 0)
            // A packet that spans time zero is moved to start there.
            if abs(time - then) <= slack || (!movie && then < 0 && abs(time) <= slack) { continue }
            findings.append("time of a packet of \(name): \(then) became \(time)")
            return
        }
    }

    private mutating func compareFile() {
        compareChapters()
        let told = { (tags: [String: String]) in
            tags.reduce(into: [String: String]()) { $0[$1.key.lowercased()] = $1.value }
                .filter { ["title", "artist", "comment", "date", "director"].contains($0.key) }
        }
        expect("tags", told(after.tags), told(before.tags).filter { !isTold("these tags:", $0.key.uppercased()) })
    }

    private mutating func compareChapters() {
        let due = before.chapters.filter { moved(Double($0.endTime) ?? 0) > 0 }
        let title = { (chapter: ProbedFile.Chapter) in chapter.tags?["title"] ?? "" }
        expect("titles of chapters", after.chapters.map(title), due.map(title))
        for (old, new) in zip(due, after.chapters) {
            for (then, now) in [(old.startTime, new.startTime), (old.endTime, new.endTime)] {
                let wanted = max(0, moved(Double(then) ?? 0)), time = Double(now) ?? 0
                if abs(time - wanted) > 0.001_1 * stretch {
                    findings.append("a time of chapter \(title(old)): \(wanted) became \(time)")
                }
            }
        }
    }

    /// Checks that the source's frames can be recognised among the output's.
    mutating func comparePictures(_ psnr: [Double]) {
        expect("pictures compared", psnr.count, before.frames.count)
        for (index, value) in psnr.enumerated() where value < cell.command.leastPSNR {
            findings.append("picture \(index) is only \(value) dB like the source's")
            break
        }
    }

    /// Compares subtitles as displayed.
    mutating func compareSubtitles(_ was: [[ShownSubtitle]], _ now: [[ShownSubtitle]]) {
        guard was.count == now.count else { return expect("subtitle streams", now.count, was.count) }
        for (index, (old, new)) in zip(was, now).enumerated() {
            expect("texts of subtitles \(index)", new.map(\.text), old.map(\.text))
            for (a, b) in zip(old, new)
            where abs(max(0, moved(a.start)) - b.start) > 0.011 || abs(max(0, moved(a.end)) - b.end) > 0.011 {
                findings.append("a time of subtitles \(index): \(a) became \(b)")
                break
            }
        }
    }
}
