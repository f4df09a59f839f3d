internal import CommandLineCore
internal import FrameCore
internal import Foundation
internal import Imaging
internal import MediaIO
internal import Pipeline

/// The text printed by `vfx info`, one `name: value` per line.
enum InfoText {
    /// The maximum number of places listed individually.
    private static let shownPlaces = 20

    static func text(_ result: InfoResult) -> String {
        let info = result.info
        var lines = ["file: \(result.input == "-" ? "standard input" : result.input)", "container: \(info.container)"]
        lines += line("duration", info.duration.map { "\($0) s" })
        lines += line("start", info.startTime.map { "\($0) s" })
        lines += line("bit rate", info.bitRate.map(bitRate))
        lines += line("plays", info.plays.map { $0 == 0 ? "forever" : counted($0, "time") })
        lines += line("tags", tags(info.metadata))
        for stream in info.streams { lines += self.lines(stream, isTaken: stream.index == info.videoStream) }
        for (index, chapter) in info.chapters.enumerated() {
            lines.append(
                "chapter \(index + 1): \(chapter.start) to \(chapter.end) s\(chapter.title.map { " \"\($0)\"" } ?? "")")
        }
        if info.videoStream == nil { lines.append("video: none") }
        lines += line("part", (result.part?.part).map { "\($0)" })
        if let analysis = result.analysis { lines += self.lines(analysis) }
        lines += line("pictures", result.fields.map(fields))
        lines += line("new pictures", result.picturesPerSecond.map { "\($0) pictures/s; the other frames repeat them" })
        if let noise = result.noise { lines += self.lines(noise) }
        lines += result.notes.map { "note: \($0)" }
        lines += result.damage.notes.map { "damage: \($0)" }
        if result.damage.lostUnits > 0 { lines.append("lost packets or frames: \(result.damage.lostUnits)") }
        // Tags may contain control characters.
        return lines.map(\.withoutControlCharacters).joined(separator: "\n") + "\n"
    }

    private static func lines(_ stream: MediaStreamInfo, isTaken: Bool) -> [String] {
        var head = "stream \(stream.index): \(stream.kind.rawValue.camelCaseWords(separatedBy: " ")), \(stream.codec)"
        if let profile = stream.profile { head += " (\(profile))" }
        if let language = stream.language { head += ", \(language)" }
        if let title = stream.title { head += ", \"\(title)\"" }
        if !stream.dispositions.isEmpty { head += ", " + stream.dispositions.joined(separator: ", ") }
        if isTaken { head += " (selected)" }
        var lines: [String] = []
        if let video = stream.video { lines += self.lines(video) }
        if let audio = stream.audio {
            let named = !audio.layout.isEmpty && !audio.layout.hasSuffix("channels")
            let layout = named ? audio.layout : counted(audio.channels, "channel")
            lines.append("audio: \(audio.sampleRate) Hz, \(layout)\(audio.sampleFormat.map { ", \($0)" } ?? "")")
        }
        if stream.kind == .attachment {
            let name = stream.metadata["filename"] ?? "unnamed"
            lines.append(
                "attachment: \(name)\(stream.metadata["mimetype"].map { ", \($0)" } ?? "")\(stream.attachmentSize.map { ", \(counted($0, "byte"))" } ?? "")"
            )
        }
        lines += line("bit rate", stream.bitRate.map(bitRate))
        if ![.attachment, .coverArt].contains(stream.kind) {
            lines += line("start", stream.startTime.map { "\($0) s" })
            lines += line("duration", stream.duration.map { "\($0) s" })
        }
        lines += line("frame count in header", stream.frameCount.map(String.init))
        lines += line("tags", tags(stream.metadata.filter { !["language", "title"].contains($0.key) }))
        return [head] + lines.map { "  " + $0 }
    }

    private static func lines(_ video: VideoStreamInfo) -> [String] {
        let shown = video.displaySize
        var size = "size: \(video.width)x\(video.height)"
        if let ratio = video.sampleAspectRatio, ratio != Rational(1, 1) {
            size += ", SAR \(ratio.numerator):\(ratio.denominator)"
        }
        if shown != (video.width, video.height) { size += ", displayed as \(shown.width)x\(shown.height)" }
        var lines = [size]
        let turn = video.orientation
        if turn != .init() {
            lines.append(
                "rotation: \(turn.rotation) degrees clockwise\(turn.isMirrored ? ", then mirrored left to right" : "")")
        }
        if let format = video.pixelFormat {
            lines.append(
                "pixel format: \(format)\(video.bitDepth.map { ", \($0) bits" } ?? "")\(video.subsampling.map { ", \($0)" } ?? "")"
            )
        }
        lines += line("average frame rate", video.averageFrameRate.map(rate))
        if video.nominalFrameRate != video.averageFrameRate {
            lines += line("nominal frame rate", video.nominalFrameRate.map(rate))
        }
        lines += line(
            "field order",
            video.fieldOrder.map { order in
                switch order {
                case .progressive: "progressive"
                case .topFirst: "interlaced, top field first"
                case .bottomFirst: "interlaced, bottom field first"
                }
            })
        let names = video.color.names
        lines.append(
            "color: matrix \(names.matrix), primaries \(names.primaries), transfer \(names.transfer), range \(video.color.range.rawValue), chroma \(video.color.chromaLocation.rawValue.camelCaseWords(separatedBy: " "))"
        )
        if let sphere = video.spherical {
            let angles = [("yaw", sphere.yaw), ("pitch", sphere.pitch), ("roll", sphere.roll)].filter { $0.1 != 0 }
                .map { String(format: ", \($0.0) %.6g°", $0.1) }
            lines.append("360°: \(sphere.projection)\(angles.joined())")
        }
        lines += line("stereo", video.stereo)
        return lines + self.lines(video.dynamicRange)
    }

    private static func lines(_ facts: DynamicRangeInfo) -> [String] {
        var kinds: [String] = []
        switch facts.kind {
        case .standard: break
        case .pq: kinds.append("PQ")
        case .hdr10: kinds.append("HDR10")
        case .hlg: kinds.append("HLG")
        }
        if facts.hasHDR10Plus { kinds.append("HDR10+") }
        if let found = facts.dolbyVision {
            let base = found.isShownByOthers ? found.baseLayer : "no base layer for other players"
            kinds.append("Dolby Vision profile \(found.name) (\(base))")
        }
        var lines = line("HDR", kinds.isEmpty ? nil : kinds.joined(separator: ", "))
        if let display = facts.masteringDisplay {
            func point(_ point: DynamicRangeInfo.MasteringDisplay.Point) -> String {
                String(format: "(%.4g, %.4g)", point.x, point.y)
            }
            var text =
                "red \(point(display.red)), green \(point(display.green)), blue \(point(display.blue)), white \(point(display.whitePoint))"
            if let low = display.minimumLuminance, let high = display.maximumLuminance {
                text += String(format: ", %.4g to %.6g cd/m²", low, high)
            }
            lines.append("mastering display: \(text)")
        }
        if let light = facts.contentLight {
            lines.append(
                "content light: MaxCLL \(light.maximum) cd/m², MaxFALL \(light.frameAverage) cd/m²")
        }
        return lines
    }

    private static func lines(_ analysis: ClipAnalysis) -> [String] {
        let timing = analysis.timing
        var lines = ["frames: \(analysis.frameCount)"]
        if analysis.interlacedFrames > 0 { lines.append("interlaced frames: \(analysis.interlacedFrames)") }
        switch timing.mode {
        case .single: break
        case .constant: lines.append("frame rate: constant" + (timing.rate.map { ", " + rate($0) } ?? ""))
        case .variable:
            var text = "frame rate: variable"
            if let grid = timing.rate { text += ", mostly \(rate(grid))" }
            text += "; \(counted(timing.offGridFrames, "frame")) off this rate"
            if timing.rate != nil { text += ", \(timing.missingFrames) missing" }
            lines.append(text)
        }
        if timing.mode == .variable { lines += line("average frame rate", timing.averageRate.map(rate)) }
        if let first = timing.firstTime {
            lines.append("first frame: \(first) s")
            lines += line("last frame", timing.lastTime.map { "\($0) s" })
            lines += line("end", timing.endTime.map { "\($0) s" })
        }
        if let low = timing.minimumStep, let middle = timing.medianStep, let high = timing.maximumStep {
            lines.append("frame duration: shortest \(exact(low)), median \(exact(middle)), longest \(exact(high)) s")
        }
        return lines + [
            places("cuts", analysis.cuts), places("duplicates", analysis.duplicates),
            places("flashes", analysis.flashes),
        ]
    }

    /// What the pictures show, such as `interlaced, top field first; 80 of 96 frames combed`.
    private static func fields(_ fields: FieldStructure) -> String {
        guard fields.isDecided else { return "fields undecided, too little moves" }
        let evidence = fields.evidence
        guard fields.kind != .progressive else { return fields.words }
        let telling = counted(evidence.tellingFrames, "frame")
        return "\(fields.words); \(evidence.combedFrames) of \(telling) with motion combed"
    }

    /// Standard deviations in 8-bit code values, with a bar for each range of brightness.
    private static func lines(_ survey: NoiseSurvey.Result) -> [String] {
        func figure(_ value: Double) -> String { String(format: "%.2f", value) }
        let noise = survey.noise
        var lines = [
            "noise: sigma " + zip(["Y", "U", "V"], noise.planes).map { "\($0) \(figure($1))" }.joined(separator: ", ")
                + " in 8-bit code values, median of \(counted(survey.frameCount, "frame"))"
        ]
        guard let most = noise.byBrightness.max(), most > 0 else { return lines }
        let width = 256 / noise.byBrightness.count
        for (range, sigma) in noise.byBrightness.enumerated() {
            let bar = String(repeating: "#", count: Int((sigma / most * 40).rounded()))
            let brightness = String(format: "%3d", range * width + width / 2)
            lines.append("noise at brightness \(brightness): \(String(format: "%5.2f", sigma)) \(bar)")
        }
        return lines
    }

    private static func places(_ name: String, _ finding: ClipAnalysis.Occurrences) -> String {
        let shown = finding.places.prefix(shownPlaces).map { "\($0.time) s (frame \($0.frame))" }
        return "\(name): \(finding.count)" + (shown.isEmpty ? "" : ", at " + shown.joined(separator: ", "))
            + (finding.count > shown.count ? " and \(finding.count - shown.count) more" : "")
    }

    private static func line(_ name: String, _ value: String?) -> [String] { value.map { ["\(name): \($0)"] } ?? [] }

    private static func tags(_ tags: [String: String]) -> String? {
        guard !tags.isEmpty else { return nil }
        return tags.sorted { $0.key < $1.key }
            .map { "\($0.key)=\($0.value.split(whereSeparator: \.isNewline).joined(separator: " "))" }
            .joined(separator: ", ")
    }

    private static func bitRate(_ rate: Int) -> String { String(format: "%.1f kbit/s", Double(rate) / 1000) }

    private static func rate(_ rate: Rational) -> String {
        rate.denominator == 1 ? "\(rate) frames/s" : String(format: "\(rate) (%.3f) frames/s", rate.doubleValue)
    }

    /// Formats a time as a fraction, followed by its decimal value if it is not a whole number.
    private static func exact(_ time: MediaTime) -> String {
        let time = time.reduced
        return time.timescale == 1 ? "\(time.value)" : "\(time.value)/\(time.timescale) (\(time))"
    }
}
