import CLibAV
import FrameCore

/// What the players that people usually have can show of mp4 and QuickTime files: browsers, phones, televisions.
extension OutputFormat {
    /// libavutil's names of the pixel formats that ordinary players can show, by codec.
    private static let playable: [UInt32: Set<String>] = [
        AV_CODEC_ID_H264.rawValue: ["yuv420p", "yuvj420p"],
        AV_CODEC_ID_HEVC.rawValue: ["yuv420p", "yuv420p10le"],
        AV_CODEC_ID_VP9.rawValue: ["yuv420p", "yuv420p10le"],
        AV_CODEC_ID_AV1.rawValue: ["yuv420p", "yuv420p10le"],
    ]
    private static let unplayableSound: Set<UInt32> = Set(
        [AV_CODEC_ID_FLAC, AV_CODEC_ID_VORBIS, AV_CODEC_ID_TRUEHD, AV_CODEC_ID_DTS].map(\.rawValue))

    /// libavutil's names of the pixel formats in which ordinary players can show a codec; nil when the container or the
    /// codec is not meant for them.
    func playableFormats(_ codec: AVCodecID) -> Set<String>? { isMov ? Self.playable[codec.rawValue] : nil }

    /// Returns a note that ordinary players cannot show the video, and how to avoid that; nil when they
    /// can, or when the container is not one that every player supports.
    func playerNote(_ choice: EncoderChoice, _ stream: VideoStreamDescription) -> Note? {
        playerAdvice(choice, stream).map { Note("players", $0) }
    }

    private func playerAdvice(_ choice: EncoderChoice, _ stream: VideoStreamDescription) -> String? {
        let codec = choice.encoder.pointee.id, name = String(c: av_get_pix_fmt_name(choice.pixelFormat))
        guard let playable = playableFormats(codec), !playable.contains(name) else { return nil }
        let problem = "many players cannot show \(choice.codecName) video in \(name)"
        if codec == AV_CODEC_ID_H264, name == "yuv420p10le", holds(AV_CODEC_ID_HEVC) {
            return "\(problem); --codec hevc or --pixel-format yuv420p makes a file that they can show"
        }
        let codecs = MediaWriterOptions.Codec.allCases.filter { $0.codecID == codec }
        let encoders = codecs.flatMap(\.encoderNames).compactMap { avcodec_find_encoder_by_name($0) }
        let others = encoders.lazy.compactMap {
            try? EncoderChoice.best($0, for: stream, pixelFormat: nil, among: playable)
        }
        if let other = others.first {
            let format = String(c: av_get_pix_fmt_name(other.pixelFormat))
            return "\(problem); --pixel-format \(format) makes a file that they can show"
        }
        guard holds(AV_CODEC_ID_VP9) else { return "\(problem); they need an even width and height" }
        return "\(problem), and 4:2:0 needs an even width and height; --codec vp9 makes a file that they can show"
    }

    /// Returns a note that ordinary players cannot play the sound; nil when they can.
    func playerNote(sound codec: AVCodecID, of stream: SourceStream) -> Note? {
        guard isMov, Self.unplayableSound.contains(codec.rawValue) else { return nil }
        let name = String(c: avcodec_get_name(codec))
        return Note(
            "players",
            "\(stream.name): many players cannot play \(name) sound in \(self.name); an output with the extension .mkv plays more widely"
        )
    }
}

extension MediaSourceDescription {
    /// Whether the frames come as RGB or from an image format, so that their chroma was never that of a video.
    var isRGB: Bool {
        let parameters = video.codecParameters.pointer.pointee
        let images: Set<String> = ["gif", "png", "apng", "bmp", "tiff"]
        return images.contains(video.codecName)
            || PixelFormatDescription(AVPixelFormat(rawValue: parameters.format))?.isRGB == true
    }
}
