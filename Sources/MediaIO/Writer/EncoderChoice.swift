import CLibAV
import FrameCore

extension MediaWriterOptions.Codec {
    var codecID: AVCodecID {
        switch self {
        case .h264: AV_CODEC_ID_H264
        case .hevc: AV_CODEC_ID_HEVC
        case .av1: AV_CODEC_ID_AV1
        case .vp9: AV_CODEC_ID_VP9
        case .prores: AV_CODEC_ID_PRORES
        case .ffv1: AV_CODEC_ID_FFV1
        case .rawvideo: AV_CODEC_ID_RAWVIDEO
        }
    }

    /// Names of libavcodec's encoders for the codec, best first.
    var encoderNames: [String] {
        switch self {
        case .h264: ["libx264", "libx264rgb"]
        case .hevc: ["libx265"]
        case .av1: ["libsvtav1", "libaom-av1"]
        case .vp9: ["libvpx-vp9"]
        case .prores: ["prores_ks"]
        case .ffv1: ["ffv1"]
        case .rawvideo: ["rawvideo"]
        }
    }
}

/// An encoder and the pixel format of its input.
struct EncoderChoice {
    let encoder: UnsafePointer<AVCodec>
    let pixelFormat: AVPixelFormat
    /// Why the pixel format differs from the source's, as a sentence; nil when it does not.
    var note: String?
    /// Cost of the pixel format: 0 if it is the source's; otherwise higher the more it loses, and slightly higher the
    /// more it adds.
    let cost: Int
    /// What the output demands of the color encoding of the encoder's input.
    var demands: ColorDemands
    /// Whether the muxer chooses the codec tag, instead of the encoder.
    var leavesTag = false

    init(
        encoder: UnsafePointer<AVCodec>, pixelFormat: AVPixelFormat, note: String?, cost: Int,
        for stream: VideoStreamDescription
    ) {
        (self.encoder, self.pixelFormat, self.note, self.cost) = (encoder, pixelFormat, note, cost)
        demands = ColorDemands(pixelFormat)
        if stream.format.isRGB, demands.matrix == nil {
            demands.matrix = MatrixCoefficients(forRGB: stream.color, height: stream.height)
        }
    }

    /// Creates a choice of another encoder with the same frames.
    init(_ encoder: UnsafePointer<AVCodec>, like other: EncoderChoice) {
        (self.encoder, pixelFormat, note, cost) = (encoder, other.pixelFormat, other.note, 0)
        demands = other.demands
    }

    /// The format of the frames that are made for the encoder: ``pixelFormat``, but RGB if they are then reduced to a
    /// palette.
    var exportFormat: AVPixelFormat { pixelFormat == AV_PIX_FMT_PAL8 ? PaletteFilter.input : pixelFormat }

    /// The samples of ``exportFormat``; nil if no frame of this package holds them.
    var samples: PixelFormat? { PixelFormat(samplesOf: exportFormat) }

    var name: String { String(c: encoder.pointee.name) }
    /// libavcodec's name of the codec.
    var codecName: String {
        encoder.pointee.id == AV_CODEC_ID_WRAPPED_AVFRAME ? "rawvideo" : String(c: avcodec_get_name(encoder.pointee.id))
    }

    /// Encoders that reject frame sizes that are not a multiple of the chroma subsampling.
    private static let needWholeChroma: Set<String> = ["libx264", "libx265", "libsvtav1", "librav1e"]

    /// Returns all ways to encode a stream with `codecs`, in the order in which to try them.
    ///
    /// - Parameters:
    ///   - codecs: the codecs, best first.
    ///   - stream: what is encoded.
    ///   - pixelFormat: the pixel format that the user asks for; nil for the best one.
    ///   - container: where the stream is stored.
    ///   - forPlayers: whether the usual players of the container must be able to show the result if possible.
    ///   - storesFilmGrain: whether the encoder must store film grain.
    static func ranked(
        _ codecs: [MediaWriterOptions.Codec], for stream: VideoStreamDescription, pixelFormat: String?,
        in container: OutputFormat, forPlayers: Bool = false, storesFilmGrain: Bool = false
    ) throws(FrameError) -> [EncoderChoice] {
        var found: [EncoderChoice] = [], refusal: FrameError?
        for codec in codecs {
            for name in codec.encoderNames
            where !storesFilmGrain || name == MediaWriterOptions.filmGrainEncoder {
                guard let encoder = avcodec_find_encoder_by_name(name) else { continue }
                let playable = forPlayers ? container.playableFormats(codec.codecID) : nil
                do throws(FrameError) {
                    let choice = try best(
                        encoder, for: stream, pixelFormat: pixelFormat, among: playable,
                        keepsAlpha: container.holdsAlpha(codec.codecID))
                    if let choice { found.append(choice) }
                } catch {
                    // Another encoder of the codec may know the pixel format.
                    refusal = refusal ?? error
                }
            }
        }
        if found.isEmpty, let refusal { throw refusal }
        if found.isEmpty, forPlayers {
            return try ranked(
                codecs, for: stream, pixelFormat: pixelFormat, in: container, storesFilmGrain: storesFilmGrain)
        }
        guard !found.isEmpty else {
            let names = codecs.map(\.rawValue).joined(separator: ", ")
            throw FrameError(
                .unsupportedFormat,
                "no encoder for \(names) accepts \(stream.width)x\(stream.height) \(pixelFormat ?? stream.format.description) frames"
            )
        }
        // The sort is stable: at equal cost, the codec named first wins.
        return found.enumerated().sorted { ($0.element.cost, $0.offset) < ($1.element.cost, $1.offset) }.map(\.element)
    }

    /// Returns the choice of the encoder's pixel format that costs least; nil if it has none for the stream.
    ///
    /// - Parameters:
    ///   - encoder: the encoder.
    ///   - stream: what is encoded.
    ///   - pixelFormat: the pixel format that the user asks for; nil for the best one.
    ///   - playable: names of the only pixel formats to choose from, which ordinary players can show; nil for all.
    ///   - keepsAlpha: whether the output can hold alpha of the codec.
    static func best(
        _ encoder: UnsafePointer<AVCodec>, for stream: VideoStreamDescription, pixelFormat: String?,
        among playable: Set<String>? = nil, keepsAlpha: Bool = true
    ) throws(FrameError) -> EncoderChoice? {
        let offered = formats(of: encoder)
        let name = String(c: encoder.pointee.name)
        if let pixelFormat {
            let wanted = av_get_pix_fmt(pixelFormat)
            guard wanted != AV_PIX_FMT_NONE else {
                throw FrameError(.invalidArgument, "\"\(pixelFormat)\" is not a pixel format that libavutil knows")
            }
            guard offered.isEmpty || offered.contains(where: { $0 == wanted }) else {
                let names = offered.map { String(c: av_get_pix_fmt_name($0)) }.joined(separator: ", ")
                throw FrameError(.invalidArgument, "\(name) does not accept \(pixelFormat); it accepts \(names)")
            }
            return EncoderChoice(encoder: encoder, pixelFormat: wanted, note: nil, cost: 0, for: stream)
        }
        if offered.isEmpty {
            guard let exact = (keepsAlpha ? stream.format : stream.format.withoutAlpha).av else { return nil }
            return EncoderChoice(encoder: encoder, pixelFormat: exact, note: nil, cost: 0, for: stream)
        }
        let whole = needWholeChroma.contains(name)
        var winner: (format: AVPixelFormat, kept: PixelFormat, cost: Int)?
        for format in offered {
            guard let layout = PixelFormatDescription(format), playable?.contains(layout.name) ?? true,
                let planes = samples(of: format, for: stream.format), keepsAlpha || !planes.hasAlpha,
                // libaom marks all RGB as sRGB.
                !planes.isRGB || encoder.pointee.id != AV_CODEC_ID_AV1
            else { continue }
            if whole, stream.width % (1 << planes.subsampling.horizontalShift) != 0 { continue }
            if whole, stream.height % (1 << planes.subsampling.verticalShift) != 0 { continue }
            // When two formats have the same layout, avoid the deprecated full-range one (yuvj…).
            let cost = Self.cost(of: planes, for: stream.format) * 2 + (layout.name.hasPrefix("yuvj") ? 1 : 0)
            if cost < winner?.cost ?? .max { winner = (format, planes, cost) }
        }
        guard let winner else { return nil }
        var note: String?
        if playable != nil, let full = try best(encoder, for: stream, pixelFormat: nil), full.cost < winner.cost / 2 {
            let kept = String(c: av_get_pix_fmt_name(full.pixelFormat))
            note = "\(name) encodes \(winner.kept), which most players can show; --pixel-format \(kept) keeps more"
        } else if winner.kept != stream.format {
            let reason =
                offered.contains { samples(of: $0, for: stream.format) == stream.format }
                ? "it accepts \(stream.format) only at even sizes" : "it does not accept \(stream.format)"
            note = "\(name) encodes \(winner.kept) instead of the source's format; \(reason)"
        }
        return EncoderChoice(
            encoder: encoder, pixelFormat: winner.format, note: note, cost: winner.cost / 2, for: stream)
    }

    /// Returns the samples that are stored in a format that an encoder offers; nil for those that are not considered:
    /// RGB and alpha that the frames lack, and packed YCbCr.
    private static func samples(of format: AVPixelFormat, for wanted: PixelFormat) -> PixelFormat? {
        guard let samples = PixelFormat(samplesOf: format), wanted.isRGB || !samples.isRGB,
            wanted.hasAlpha || !samples.hasAlpha
        else { return nil }
        return samples.isPlain && PixelFormat(planesOf: format) == nil ? nil : samples
    }

    /// Returns the cost of encoding in `candidate`: lost alpha weighs most, then lost chroma, then lost bits, as many as two
    /// of which the conversion from RGB to YCbCr counts, then chroma samples and bits that the source does not have.
    static func cost(of candidate: PixelFormat, for wanted: PixelFormat) -> Int {
        let order = ChromaSubsampling.allCases
        let from = order.firstIndex(of: wanted.subsampling) ?? 0, to = order.firstIndex(of: candidate.subsampling) ?? 0
        let chroma = to < from ? (from - to) * 1000 : (to - from) * 8
        let lost = max(0, wanted.bitDepth - candidate.bitDepth), added = max(0, candidate.bitDepth - wanted.bitDepth)
        let alpha = wanted.hasAlpha && !candidate.hasAlpha ? 5000 : 0
        return alpha + chroma + lost * 50 + added + (wanted.isRGB && !candidate.isRGB ? 100 : 0)
    }

    static func formats(of encoder: UnsafePointer<AVCodec>) -> [AVPixelFormat] {
        guard var next = encoder.pointee.pix_fmts else { return [] }
        var found: [AVPixelFormat] = []
        while next.pointee != AV_PIX_FMT_NONE {
            found.append(next.pointee)
            next += 1
        }
        return found
    }
}
