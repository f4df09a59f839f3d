import FrameCore
import MediaIO
import TestSupport
import Testing

/// Files that together have every property of the table.
struct RidingSources {
    let folder: TemporaryFolder

    func make(_ source: RidingProperty.Source) throws -> String {
        switch source {
        case .streams: try streams()
        case .pictures: try pictures()
        case .turned: try turned()
        case .fullRange: try fullRange()
        case .dolbyVision:
            try makeDolbyVision("dolbyVision.mp4", profile: 8, compatibility: 1, in: folder)
        case .dolbyVisionOnly:
            try makeDolbyVision("dolbyVisionOnly.mp4", profile: 5, compatibility: 0, in: folder)
        case .late: try late()
        case .photo: try photo()
        case .animation: try animation()
        }
    }

    /// A Matroska file with all kinds of streams and tags.
    private func streams() throws -> String {
        let subtitles = try folder.write("1\n00:00:00,050 --> 00:00:00,200\nHello\n".utf8, to: "s.srt")
        let chapters =
            ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=120\ntitle=One\n"
            + "[CHAPTER]\nTIMEBASE=1/1000\nSTART=120\nEND=240\ntitle=Two\n"
        let metadata = try folder.write(chapters.utf8, to: "c.txt")
        let font = try folder.write(Array(repeating: 7, count: 100), to: "f.ttf")
        let cover = try MediaIOTests.make(
            folder("cover.png"), ["-f", "lavfi", "-i", "color=red:s=16x16", "-frames:v", "1"])
        let inputs = pictureAndTone(0.24) + ["-i", subtitles, "-i", metadata]
        let coding = ["-c:v", "libx264", "-preset", "ultrafast", "-vf", "setsar=4/3", "-c:a", "aac", "-c:s", "srt"]
        let color = ["-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709"]
        let tags = [
            "-metadata", "title=A film", "-metadata", "DIRECTOR=Somebody", "-metadata:s:a:0", "language=fra",
            "-metadata:s:a:0", "title=Director", "-disposition:a:0", "comment", "-attach", font, "-metadata:s:t:0",
            "mimetype=application/x-truetype-font", "-attach", cover, "-metadata:s:t:1", "mimetype=image/png",
            "-metadata:s:t:1", "filename=cover.png",
        ]
        return try MediaIOTests.make(
            folder("streams.mkv"),
            inputs + ["-map", "0", "-map", "1", "-map", "2", "-map_metadata", "3", "-map_chapters", "3"] + coding
                + color
                + tags)
    }

    /// HDR video with data on its frames and on the stream.
    private func pictures() throws -> String {
        let pq = ColorDescription(
            matrix: .bt2020NonConstantLuminance, primaries: .bt2020, transfer: .pq, range: .limited,
            chromaLocation: .left)
        var frames = try clip(PixelFormat(subsampling: .yuv420, bitDepth: 10), 96, 80, ticks: Array(0..<5), color: pq)
        for index in frames.indices {
            frames[index].sideData = SideData([
                .init(
                    kind: "captions", code: 1, bytes: [0xFC, 0x41 + UInt8(index), 0x42], isOfThisPictureOnly: true),
                .init(kind: "active format", code: 7, bytes: [10]),
                .init(kind: "HDR10+", code: 17, bytes: PictureMessageTests.hdr10Plus),
                .init(
                    kind: "user data", code: 20, bytes: Array(0..<16) + [UInt8(index) + 1], isOfThisPictureOnly: true),
            ])
        }
        try write(frames, to: folder("pictures.mkv"), options: .init(codec: .hevc, preset: "ultrafast")) {
            $0.sideData = SideData(ColorTagTests.hdr.entries + SphericalVideoTests.sideData.entries)
        }
        return folder("pictures.mkv")
    }

    private func turned() throws -> String {
        try write(
            try clip(ticks: Array(0..<5)), to: folder("turned.mov"),
            options: .init(codec: .h264, preset: "ultrafast", metadata: ["timecode": "10:00:00:00"])
        ) { $0.displayMatrix = [0, 65_536, 0, -65_536, 0, 0, 0, 0, 1 << 30] }
        return folder("turned.mov")
    }

    private func fullRange() throws -> String {
        let color = ColorDescription(
            matrix: .bt709, primaries: .bt709, transfer: .bt709, range: .full, chromaLocation: .left)
        try write(
            try clip(ticks: Array(0..<5), color: color), to: folder("fullRange.mp4"),
            options: .init(codec: .h264, preset: "ultrafast"))
        return folder("fullRange.mp4")
    }

    /// A transport stream that begins at 10 s, with a stream of unknown data.
    private func late() throws -> String {
        let data = try folder.write(Array(repeating: 7, count: 200), to: "data.bin")
        return try MediaIOTests.make(
            folder("late.ts"),
            pictureAndTone(0.24) + ["-f", "data", "-i", data, "-map", "0", "-map", "1", "-map", "2"] + quickVideo
                + ["-c:a", "mp2", "-c:d", "copy", "-output_ts_offset", "10"])
    }

    /// An image with an ICC profile and an artist.
    private func photo() throws -> String {
        var frame = Frame(
            buffer: try picture(.yuv420p8, 64, 48, index: 1), presentationTime: .zero,
            color: ColorDescription(matrix: .bt470BG, primaries: .bt709, transfer: .sRGB, range: .full))
        frame.sideData.colorProfile = ImageExamples.profile()
        var metadata = StillMetadata()
        metadata.exif = ImageExamples.exif()
        let file = try StillCodec().encode(
            StillPicture(frame: frame), as: .png, options: StillOptions(metadata: metadata))
        return try folder.write(file.bytes, to: "photo.png")
    }

    private func animation() throws -> String {
        try MediaIOTests.make(
            folder("animation.gif"), ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=0.3", "-loop", "2"])
    }
}
