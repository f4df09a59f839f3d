import Foundation
import TestSupport
import Testing

/// A file with everything that its container can hold.
struct WholeFileInput {
    private let cell: WholeFileCell
    private let folder: TemporaryFolder

    /// Makes the file `in.<kind>` of a cell in a folder and returns its path.
    static func make(_ cell: WholeFileCell, in folder: TemporaryFolder) throws -> String {
        let input = WholeFileInput(cell: cell, folder: folder)
        try input.writeParts()
        let path = folder.path("in." + cell.route.input)
        let isDoneInTwoSteps = cell.timing == .edited || cell.shape.rotation != 0
        let first = isDoneInTwoSteps ? folder.path("first." + cell.route.input) : path
        _ = try tool("ffmpeg", input.arguments + [first])
        guard isDoneInTwoSteps else { return path }
        // FFmpeg warns that the omitted time-code track lacks a rate.
        var second = ["-v", "fatal", "-fflags", "+genpts"]
        if cell.timing == .edited { second += ["-ss", "0.1"] }
        second += ["-i", first, "-map", "0", "-c", "copy"]
        // The time-code track is rebuilt from the tag.
        second += ["-map", "-0:d?"]
        if cell.shape.rotation != 0 { second += ["-metadata:s:v:0", "rotate=\(Int(cell.shape.rotation))"] }
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
            date=2024
            director=Somebody
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
        _ = try folder.write(Self.cover, to: "c.png")
        guard cell.color == .pq else { return }
        _ = try tool(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", pattern, "-pix_fmt", "yuv444p", "-c:v", "libx264", "-qp", "0",
                "-preset", "ultrafast", folder.path("pattern.mp4"),
            ])
        let movie = try #require(MasteringBoxes.added(to: try folder.data("pattern.mp4")))
        _ = try folder.write(movie, to: "hdr.mp4")
    }

    /// A red image of 16x16 pixels.
    private static let cover =
        Data(
            base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAACXBIWXMAAAABAAAAAQBPJcTWAAAAF0lEQVR4nGP4"
                + "y8BAEiJN9aiGUQ1DSgMAfsz9ATa/hGgAAAAASUVORK5CYII=") ?? Data()

    /// A test pattern that moves by two columns and one row per frame, so that no two frames look alike.
    private var pattern: String {
        let (width, height) = (cell.size.width + 2, cell.size.height + 2)
        return "testsrc2=s=\(width)x\(height):r=25:d=0.48,scroll=h=\(2.0 / Double(width)):v=\(1.0 / Double(height))"
    }

    private var arguments: [String] {
        let container = cell.route.input
        let hasSubtitles = container != "ts"
        let hasCover = container == "mp4"
        let source = cell.color == .pq ? ["-i", folder.path("hdr.mp4")] : ["-f", "lavfi", "-i", pattern]
        var all = ["-v", "error"]
        all += source
        all += [
            "-f", "lavfi", "-i", "sine=440:r=48000:d=0.6", "-f", "lavfi", "-i", "sine=880:r=48000:d=0.6", "-i",
            folder.path("s.srt"),
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
        // ISO 639-2 has two codes for German: MOV files have "ger", the others "deu".
        all += [
            "-metadata:s:a:1", "language=\(container == "mov" ? "ger" : "deu")", "-disposition:a:1", "comment",
            "-metadata:s:a:1", "title=Remarks",
        ]
        if container != "ts" { all += ["-metadata:s:a:0", "title=Sound"] }
        // The other containers drop custom tags themselves.
        if ["mkv", "webm"].contains(container) { all += ["-metadata:s:a:0", "recorder=a fine microphone"] }
        return all
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
        if let tags = cell.color.tags {
            // ProRes writes what its frames state.
            steps.append(
                "setparams=color_primaries=\(tags.primaries):color_trc=\(tags.transfer):colorspace=\(tags.matrix)")
        }
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
            // x265's cutree crashes on frames this small.
            let hdr = isPQ ? ":master-display=\(mastering):max-cll=1000,400" : ""
            all = [
                "-c:v:0", "libx265", "-preset:v:0", "ultrafast", "-x265-params",
                "log-level=none:cutree=0:bframes=2\(hdr)",
            ]
            if ["mp4", "mov"].contains(cell.route.input) { all += ["-tag:v:0", "hvc1"] }
        case .vp9:
            all = ["-c:v:0", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-crf", "20", "-b:v:0", "0"]
        case .av1: all = ["-c:v:0", "libaom-av1", "-cpu-used", "8", "-usage", "realtime", "-crf", "20", "-b:v:0", "0"]
        case .ffv1: all = ["-c:v:0", "ffv1"]
        case .prores: all = ["-c:v:0", "prores_ks"]
        }
        guard let tags = cell.color.tags else { return all }
        all += ["-color_range:v:0", tags.range, "-color_primaries:v:0", tags.primaries]
        all += ["-color_trc:v:0", tags.transfer, "-colorspace:v:0", tags.matrix]
        if let location = cell.chromaLocation { all += ["-chroma_sample_location:v:0", location] }
        return all
    }
}
