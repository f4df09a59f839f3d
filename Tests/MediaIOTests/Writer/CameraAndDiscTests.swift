import FrameCore
import Foundation
import MediaIO
import Testing

/// Files of cameras, discs and recordings whose contents the output cannot take over as they are.
@Suite(.enabled(if: hasMaker && hasProbe, "ffmpeg makes the files and ffprobe is the witness"))
struct CameraAndDiscTests {
    private let folder: TemporaryFolder
    private let mpeg2 = ["-c:v", "mpeg2video", "-g", "12", "-bf", "2"]

    init() throws { folder = try TemporaryFolder() }

    private func carried(_ source: String, to output: String, factor: Int32 = 1) throws -> any MediaSink {
        try carry(folder(source), to: folder(output), factor: factor, options: .init(overwrites: true))
    }

    /// VP9 stores alpha beside the frames, where decoders do not look for it.
    @Test func separateAlphaIsNoted() throws {
        let input = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.4,format=yuva420p"]
        try make(folder("a.webm"), input + ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"])
        let reader = try MediaReader(folder("a.webm"))
        #expect(reader.notes.filter(\.isLoss).map(\.code) == ["alpha-dropped"])
        let sink = try carried("a.webm", to: "a.mkv")
        #expect(sink.notes.isEmpty)
        #expect(try MediaReader(folder("a.mkv")).notes.isEmpty)
    }

    /// Matroska's muxer claims to hold all codecs and has no tag for some.
    @Test(arguments: [1, 2] as [Int32]) func soundOfBluRayIsConvertedForMatroska(factor: Int32) throws {
        try make(folder("a.ts"), pictureAndTone(1) + quickVideo + ["-c:a", "pcm_bluray", "-mpegts_m2ts_mode", "1"])
        let sink = try carried("a.ts", to: "a.mkv", factor: factor)
        #expect(sink.notes.filter(\.isLoss).isEmpty)
        #expect(try MediaReader(folder("a.mkv")).info.streams.map(\.codec) == ["h264", "flac"])
    }

    /// The mov muxer would label it as the telemetry of a GoPro camera.
    @Test(arguments: ["mp4", "mov"]) func unknownBinaryDataIsLeftOut(ending: String) throws {
        let data = try folder.write(Array(repeating: 7, count: 400), to: "data.bin")
        let input = pictureAndTone(1) + ["-f", "data", "-i", data, "-map", "0", "-map", "2"]
        try make(folder("a.ts"), input + quickVideo + ["-c:d", "copy"])
        let sink = try carried("a.ts", to: "a.\(ending)")
        #expect(sink.notes.map(\.code).contains("stream-dropped"))
        #expect(try MediaReader(folder("a.\(ending)")).info.streams.map(\.kind) == [.video])
    }

    @Test(arguments: [("a.mov", true), ("a.mkv", true), ("a.avi", true), ("a.ts", false)])
    func timeCodeIsLostOnlyWhereNothingStoresIt(output: String, isKept: Bool) throws {
        try make(
            folder("a.mxf"),
            pictureAndTone(1) + mpeg2 + ["-timecode", "09:59:58:00", "-ar", "48000", "-c:a", "pcm_s16le"])
        let sink = try carried("a.mxf", to: output)
        let notes = sink.notes.filter { $0.code == "time-code-dropped" }
        #expect(notes.isEmpty == isKept)
        let info = try MediaReader(folder(output)).info
        let tags = info.streams.flatMap(\.metadata) + Array(info.metadata)
        #expect(tags.contains { $0.key.lowercased() == "timecode" && $0.value == "09:59:58:00" } == isKept)
    }

    /// Encoders write a time code from 0 into every MPEG-2 stream.
    @Test(arguments: [nil, "01:02:03:04"]) func timeCodeFromZeroIsNone(code: String?) throws {
        let option = code.map { ["-gop_timecode", $0] } ?? []
        try make(folder("a.mpg"), pictureAndTone(1) + mpeg2 + ["-c:a", "mp2"] + option)
        let sink = try carried("a.mpg", to: "a.mp4")
        #expect(sink.notes.contains { $0.code == "time-code-dropped" } == (code != nil))
    }

    /// AVI has times of decoding only; with B-frames the first is earlier than the first picture.
    @Test(arguments: [1, 2] as [Int32]) func reorderedFramesOfAVIStartAtZero(factor: Int32) throws {
        let picture = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1"]
        try make(folder("a.avi"), picture + ["-c:v", "mpeg4", "-bf", "2"])
        _ = try carried("a.avi", to: "a.mp4", factor: factor)
        #expect(try packetTimes(folder("a.mp4"), "v").min() == 0)
    }

    /// Formats that number their streams at random by default, and others.
    @Test(arguments: ["mkv", "webm", "mov", "mp4", "avi", "ts", "nut"])
    func everyRunWritesTheSameBytes(ending: String) throws {
        let input = pictureAndTone(0.5) + ["-attach", fixture("dog.mp4")]
        try make(folder("a.mkv"), input + quickVideo + ["-c:a", "pcm_s16le", "-metadata:s:t", "mimetype=font/ttf"])
        var files: [[UInt8]] = []
        for _ in 0..<2 {
            _ = try carried("a.mkv", to: "b.\(ending)")
            files.append(try bytes(of: folder("b.\(ending)")))
        }
        #expect(files[0] == files[1])
    }

    /// Each fragment has its own index, so that none tells what is missing.
    @Test func aCutFragmentIsDamage() throws {
        let flags = ["-movflags", "frag_keyframe+empty_moov+default_base_moof"]
        try make(folder("a.mp4"), pictureAndTone(3) + quickVideo + ["-g", "25", "-c:a", "aac"] + flags)
        let all = try bytes(of: folder("a.mp4"))
        #expect(try read(folder("a.mp4")).reader.damage.isEmpty)
        for share in [0.5, 0.7, 0.9] {
            let path = try folder.write(Array(all.prefix(Int(Double(all.count) * share))), to: "cut.mp4")
            #expect(try !read(path).reader.damage.isEmpty, "\(share)")
        }
    }
}
