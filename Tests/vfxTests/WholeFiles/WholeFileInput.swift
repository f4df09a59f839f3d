import Foundation
import TestSupport
import Testing

/// A file with everything in it that its container can hold.
struct WholeFileInput {
    private let cell: WholeFileCell
    private let folder: TemporaryFolder

    /// Makes the file `in.<kind>` of a cell in a folder; gives its path.
    static func make(_ cell: WholeFileCell, in folder: TemporaryFolder) throws -> String {
        let input = WholeFileInput(cell: cell, folder: folder)
        try input.writeParts()
        let path = folder.path("in." + cell.route.input)
        let isDoneInTwoSteps = cell.timing == .edited || cell.shape == .turned
        let first = isDoneInTwoSteps ? folder.path("first." + cell.route.input) : path
        _ = try tool("ffmpeg", input.arguments + [first])
        guard isDoneInTwoSteps else { return path }
        var second = ["-v", "error", "-fflags", "+genpts"]
        if cell.timing == .edited { second += ["-ss", "0.1"] }
        second += ["-i", first, "-map", "0", "-c", "copy"]
        // The track of a time code is made anew of the tag.
        second += ["-map", "-0:d?"]
        if cell.shape == .turned { second += ["-metadata:s:v:0", "rotate=90"] }
        _ = try tool("ffmpeg", second + [path])
        return path
    }

    private func writeParts() throws {
        let subtitles = "1\n00:00:00,140 --> 00:00:00,200\nHello\n\n2\n00:00:00,240 --> 00:00:00,300\nworld, two\n"
        _ = try folder.write(Data(subtitles.utf8), to: "s.srt")
        let metadata = """
            ;FFMETADATA1
            title=A whole file
            artist=Nobody
            comment=with everything in it
            [CHAPTER]
            TIMEBASE=1/1000
            START=0
            END=120
            title=One
            [CHAPTER]
            TIMEBASE=1/1000
            START=120
            END=300
            title=Two
            """
        _ = try folder.write(Data(metadata.utf8), to: "m.txt")
        _ = try folder.write(Data((0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }), to: "font.ttf")
        _ = try tool(
            "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "color=red:s=16x16", "-frames:v", "1", folder.path("c.png")])
    }

    private var arguments: [String] {
        let container = cell.route.input
        let (width, height) = cell.size
        let hasSubtitles = container != "ts"
        let hasCover = container == "mp4"
        var all = [
            "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=\(width + 2)x\(height + 2):r=25:d=0.48", "-f", "lavfi",
            "-i", "sine=440:r=48000:d=0.6", "-f", "lavfi", "-i", "sine=880:r=48000:d=0.6", "-i", folder.path("s.srt"),
            "-i", folder.path("c.png"), "-f", "ffmetadata", "-i", folder.path("m.txt"), "-map", "0:v", "-map", "1:a",
            "-map", "2:a",
        ]
        if hasSubtitles { all += ["-map", "3:s", "-map", "3:s"] }
        if hasCover { all += ["-map", "4:v"] }
        all += ["-map_metadata", "5", "-map_chapters", "5", "-filter:v:0", videoFilter, "-fps_mode:v:0", "vfr"]
        if cell.timing == .late { all += ["-filter:a", "asetpts=PTS+0.2/TB"] }
        all += codecArguments + soundCodecs
        if hasSubtitles {
            let codecs =
                ["mkv": ["subrip", "ass"], "webm": ["webvtt", "webvtt"]][container] ?? ["mov_text", "mov_text"]
            all += ["-c:s:0", codecs[0], "-c:s:1", codecs[1]]
            all += ["-metadata:s:s:0", "language=eng", "-disposition:s:0", "default"]
            all += ["-metadata:s:s:1", "language=fra", "-disposition:s:1", "forced"]
        }
        if hasCover { all += ["-c:v:1", "copy", "-disposition:v:1", "attached_pic"] }
        if container == "mkv" {
            for (index, (name, kind)) in [("font.ttf", "font/ttf"), ("c.png", "image/png")].enumerated() {
                all += ["-attach", folder.path(name), "-metadata:s:t:\(index)", "mimetype=\(kind)"]
                all += ["-metadata:s:t:\(index)", "filename=\(name == "c.png" ? "cover.png" : name)"]
            }
        }
        // A time code needs a frame rate.
        if ["mov", "mp4"].contains(container), cell.timing == .even { all += ["-timecode", "01:00:00:00"] }
        all += ["-metadata:s:v:0", "language=eng", "-metadata:s:a:0", "language=eng", "-disposition:a:0", "default"]
        all += ["-metadata:s:a:1", "language=deu", "-disposition:a:1", "comment", "-metadata:s:a:1", "title=Remarks"]
        return all + (container == "ts" ? [] : ["-metadata:s:a:0", "title=Sound"])
    }

    private var soundCodecs: [String] {
        switch cell.route.input {
        case "webm": ["-c:a", "libopus"]
        case "mov": ["-c:a:0", "aac", "-c:a:1", "pcm_s16le"]
        case "mkv": ["-c:a:0", "aac", "-c:a:1", "flac"]
        default: ["-c:a:0", "aac", "-c:a:1", "ac3"]
        }
    }

    private var videoFilter: String {
        let (width, height) = cell.size
        var steps = ["format=yuv444p", "crop=\(width):\(height):0:0"]
        if cell.timing == .uneven { steps.append("select='not(eq(mod(n,7),3)+eq(mod(n,5),4))'") }
        if cell.timing == .late { steps.append("setpts=PTS+0.4/TB") }
        steps += ["format=\(cell.pixelFormat)", cell.shape == .anamorphic ? "setsar=4/3" : "setsar=1"]
        return steps.joined(separator: ",")
    }

    private var codecArguments: [String] {
        let mastering = "G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)"
        let isPQ = cell.color == .pq
        var all: [String]
        switch cell.codec {
        case .h264:
            all = ["-c:v:0", "libx264", "-preset:v:0", "ultrafast", "-bf", "2"]
            if isPQ { all += ["-x264-params", "mastering-display=\(mastering):cll=1000,400"] }
        case .hevc:
            // x265's cutree crashes on pictures this small.
            let hdr = isPQ ? ":master-display=\(mastering):max-cll=1000,400" : ""
            all = [
                "-c:v:0", "libx265", "-preset:v:0", "ultrafast", "-x265-params",
                "log-level=none:cutree=0:bframes=2\(hdr)",
            ]
            if ["mp4", "mov"].contains(cell.route.input) { all += ["-tag:v:0", "hvc1"] }
        case .vp9: all = ["-c:v:0", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"]
        case .av1: all = ["-c:v:0", "libaom-av1", "-cpu-used", "8", "-usage", "realtime"]
        case .ffv1: all = ["-c:v:0", "ffv1"]
        case .prores: all = ["-c:v:0", "prores_ks"]
        }
        func tags(_ primaries: String, _ transfer: String, _ matrix: String) -> [String] {
            ["-color_primaries:v:0", primaries, "-color_trc:v:0", transfer, "-colorspace:v:0", matrix]
        }
        switch cell.color {
        case .unsaid: break
        case .full: all += ["-color_range:v:0", "pc"] + tags("bt709", "bt709", "bt709")
        case .pq: all += ["-color_range:v:0", "tv"] + tags("bt2020", "smpte2084", "bt2020nc")
        case .hlg: all += ["-color_range:v:0", "tv"] + tags("bt2020", "arib-std-b67", "bt2020nc")
        }
        return all
    }
}
