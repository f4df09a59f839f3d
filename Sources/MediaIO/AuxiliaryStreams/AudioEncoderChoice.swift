import CLibAV
import FrameCore

/// Chooses the encoder, and its parameters, for audio that has to be transcoded.
enum AudioEncoderChoice {
    private static let lossless: [AVCodecID] = [AV_CODEC_ID_FLAC, AV_CODEC_ID_ALAC]

    /// Returns the encoder for audio of codec `source`; nil when the container holds no audio.
    ///
    /// Lossless audio stays lossless where possible, preferably in its own codec. All other audio becomes Opus in WebM
    /// and AAC elsewhere; Vorbis, Opus and FLAC are fallbacks.
    static func encoder(for source: AVCodecID, in format: OutputFormat) -> UnsafePointer<AVCodec>? {
        let isPCM = String(c: avcodec_get_name(source)).hasPrefix("pcm_")
        if isPCM || lossless.contains(source) {
            if format.holds(source), let same = avcodec_find_encoder(source) { return same }
            for other in lossless where format.holds(other) {
                if let encoder = avcodec_find_encoder(other) { return encoder }
            }
        }
        for name in format.name == "webm" ? ["libopus", "libvorbis"] : ["aac", "libopus", "flac"] {
            if let encoder = avcodec_find_encoder_by_name(name), format.holds(encoder.pointee.id) { return encoder }
        }
        return nil
    }

    static func sampleRate(_ encoder: UnsafePointer<AVCodec>, near wanted: Int32) -> Int32 {
        guard var next = encoder.pointee.supported_samplerates else { return wanted }
        var best: Int32 = 0
        while next.pointee != 0 {
            if abs(next.pointee - wanted) < abs(best - wanted) || best == 0 { best = next.pointee }
            next += 1
        }
        // Opus supports only a few rates; 48 kHz is the highest and loses nothing.
        return encoder.pointee.id == AV_CODEC_ID_OPUS ? 48_000 : best
    }

    /// Returns the narrowest sample format of the encoder that is at least as wide as `wanted`, else its widest.
    static func sampleFormat(_ encoder: UnsafePointer<AVCodec>, like wanted: AVSampleFormat) -> AVSampleFormat {
        guard var next = encoder.pointee.sample_fmts else { return wanted }
        let size = av_get_bytes_per_sample(wanted)
        var best = next.pointee
        while next.pointee != AV_SAMPLE_FMT_NONE {
            let width = av_get_bytes_per_sample(next.pointee), bestWidth = av_get_bytes_per_sample(best)
            if width >= size ? (bestWidth < size || width < bestWidth) : width > bestWidth { best = next.pointee }
            next += 1
        }
        return best
    }

    static func bitRate(_ source: AVCodecParameters) -> Int64 {
        let channels = Int64(max(1, source.ch_layout.nb_channels))
        let usual = channels * 80_000
        return source.bit_rate > 0 ? min(max(source.bit_rate, channels * 48_000), channels * 160_000) : usual
    }
}
