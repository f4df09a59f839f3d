import CLibAV
import FrameCore

/// Decides for each auxiliary stream whether it is copied, stretched, converted or left out, and why.
struct AuxiliaryStreamPlanner {
    enum Plan {
        /// Left out, and nothing is lost by it.
        case ignore
        case omit(String)
        /// The track is nil where the stream has no packets (attachments).
        case remux((any AuxiliaryTrack)?, note: String?)
    }

    private let source: MediaReader
    private let format: OutputFormat
    private let factor: Int32
    private let options: MediaWriterOptions
    private let muxer: Muxer

    init(
        _ source: MediaReader, _ format: OutputFormat, _ retiming: Retiming, _ options: MediaWriterOptions,
        _ muxer: Muxer
    ) {
        self.source = source
        self.format = format
        factor = retiming.factor
        self.options = options
        self.muxer = muxer
    }

    /// Streams that every container of the kind takes; others are dropped first when the muxer refuses.
    static func isPlain(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        switch MediaStreamInfo.Kind(stream) {
        case .video, .audio, .subtitle: true
        case .coverArt, .attachment, .data: false
        }
    }

    func plan(_ stream: UnsafeMutablePointer<AVStream>) throws(FrameError) -> Plan {
        guard let parameters = stream.pointee.codecpar else { return .ignore }
        let name =
            "stream \(stream.pointee.index) (\(MediaStreamInfo.Kind(stream).spoken), \(MediaStreamInfo.codecName(stream)))"
        switch MediaStreamInfo.Kind(stream) {
        case .audio: return try planAudio(stream, parameters, name)
        case .subtitle: return try planSubtitle(stream, parameters, name)
        case .coverArt: return try planCoverArt(stream, parameters, name)
        case .attachment:
            guard format.name == "matroska" else {
                return .omit("\(name) is left out; \(format.name) holds no attachments")
            }
            _ = try addCopy(of: stream, parameters)
            return .remux(nil, note: nil)
        case .video:
            guard parameters.pointee.width > 0, format.holds(parameters.pointee.codec_id) else {
                return .omit("\(name) is left out; \(format.name) does not hold it")
            }
            return .remux(
                try copyTrack(stream, parameters),
                note: factor == 1 ? nil : "\(name) is slowed down by repeating its pictures for longer")
        case .data:
            // QuickTime chapter tracks show up as data too; chapters are written as chapters.
            if isChapterTrack(stream) || isTimeCode(stream) { return .ignore }
            guard parameters.pointee.codec_id != AV_CODEC_ID_NONE, format.holds(parameters.pointee.codec_id) else {
                return .omit("\(name) is left out; \(format.name) does not hold it")
            }
            return .remux(try copyTrack(stream, parameters), note: nil)
        }
    }

    private func planAudio(
        _ stream: UnsafeMutablePointer<AVStream>, _ parameters: UnsafeMutablePointer<AVCodecParameters>, _ name: String
    ) throws(FrameError) -> Plan {
        if options.audio == .drop { return .ignore }
        let sound = parameters.pointee
        guard sound.codec_id != AV_CODEC_ID_NONE, sound.sample_rate > 0, sound.ch_layout.nb_channels > 0 else {
            return .omit("\(name) is left out; its parameters are damaged or unknown")
        }
        let holds = format.holds(sound.codec_id)
        if factor == 1, holds { return .remux(try copyTrack(stream, parameters), note: nil) }
        guard let encoder = AudioEncoderChoice.encoder(for: sound.codec_id, in: format) else {
            return .omit("\(name) is left out; \(format.name) holds no audio")
        }
        do {
            let track = try AudioTranscodeTrack(stream, encoder: encoder, factor: factor, muxer: muxer, name: name)
            format.copyTags(from: stream, to: track.stream)
            let encoded = String(c: encoder.pointee.name)
            let note = factor == 1 ? "\(name) is encoded anew by \(encoded); \(format.name) does not hold it" : nil
            return .remux(track, note: note)
        } catch {
            return .omit("\(name) is left out; \(error.message)")
        }
    }

    private func planSubtitle(
        _ stream: UnsafeMutablePointer<AVStream>, _ parameters: UnsafeMutablePointer<AVCodecParameters>, _ name: String
    ) throws(FrameError) -> Plan {
        if format.holds(parameters.pointee.codec_id) { return .remux(try copyTrack(stream, parameters), note: nil) }
        let properties = avcodec_descriptor_get(parameters.pointee.codec_id)?.pointee.props ?? 0
        let target =
            format.isMov ? "mov_text" : format.name == "webm" ? "webvtt" : format.name == "matroska" ? "subrip" : nil
        guard properties & AV_CODEC_PROP_TEXT_SUB != 0, let target, let encoder = avcodec_find_encoder_by_name(target)
        else { return .omit("\(name) is left out; \(format.name) does not hold it") }
        do {
            let track = try SubtitleTranscodeTrack(stream, encoder: encoder, factor: factor, muxer: muxer)
            format.copyTags(from: stream, to: track.stream)
            return .remux(track, note: "\(name) is converted to \(target); styling may be lost")
        } catch {
            return .omit("\(name) is left out; \(error.message)")
        }
    }

    private func planCoverArt(
        _ stream: UnsafeMutablePointer<AVStream>, _ parameters: UnsafeMutablePointer<AVCodecParameters>, _ name: String
    ) throws(FrameError) -> Plan {
        if format.holdsCoverArt(besides: source.info.metadata.keys),
            [AV_CODEC_ID_MJPEG, AV_CODEC_ID_PNG, AV_CODEC_ID_BMP].contains(parameters.pointee.codec_id)
        {
            let track = try copyTrack(stream, parameters)
            track.stream.pointee.disposition = AV_DISPOSITION_ATTACHED_PIC
            return .remux(track, note: nil)
        }
        let picture = stream.pointee.attached_pic
        guard format.name == "matroska", let bytes = picture.data, picture.size > 0 else {
            return .omit("\(name) is left out; \(format.name) has no place for cover art")
        }
        // Matroska keeps cover art as an attached file.
        let added = try addCopy(of: stream, parameters)
        added.pointee.disposition = 0
        added.pointee.codecpar.pointee.codec_type = AVMEDIA_TYPE_ATTACHMENT
        try setExtradata(UnsafeBufferPointer(start: bytes, count: Int(picture.size)), of: added.pointee.codecpar)
        let kind = Self.coverArt(parameters.pointee.codec_id)
        let tags = ["filename": "cover.\(kind.ending)", "mimetype": "image/\(kind.type)"]
        for (key, value) in tags { av_dict_set(&added.pointee.metadata, key, value, AV_DICT_DONT_OVERWRITE) }
        return .remux(nil, note: nil)
    }

    /// The usual ending of a picture's name, and its media type behind `image/`.
    private static func coverArt(_ codec: AVCodecID) -> (ending: String, type: String) {
        switch codec {
        case AV_CODEC_ID_PNG: ("png", "png")
        case AV_CODEC_ID_BMP: ("bmp", "bmp")
        case AV_CODEC_ID_GIF: ("gif", "gif")
        case AV_CODEC_ID_WEBP: ("webp", "webp")
        case AV_CODEC_ID_TIFF: ("tiff", "tiff")
        default: ("jpg", "jpeg")
        }
    }

    private func copyTrack(
        _ stream: UnsafeMutablePointer<AVStream>, _ parameters: UnsafeMutablePointer<AVCodecParameters>
    ) throws(FrameError) -> StreamCopyTrack {
        StreamCopyTrack(
            from: stream, to: try addCopy(of: stream, parameters), factor: factor, muxer: muxer)
    }

    private func addCopy(
        of stream: UnsafeMutablePointer<AVStream>, _ parameters: UnsafeMutablePointer<AVCodecParameters>
    ) throws(FrameError) -> UnsafeMutablePointer<AVStream> {
        let added = try muxer.addStream()
        try check(avcodec_parameters_copy(added.pointee.codecpar, parameters), .allocation, "no memory for a stream")
        added.pointee.codecpar.pointee.codec_tag = tag(parameters.pointee)
        added.pointee.time_base = stream.pointee.time_base
        added.pointee.sample_aspect_ratio = stream.pointee.sample_aspect_ratio
        added.pointee.avg_frame_rate = stream.pointee.avg_frame_rate
        format.copyTags(from: stream, to: added)
        for index in 0..<Int(stream.pointee.nb_side_data) {
            let entry = stream.pointee.side_data[index]
            guard let data = entry.data else { continue }
            try StreamSideData.add(Array(UnsafeBufferPointer(start: data, count: entry.size)), entry.type, to: added)
        }
        return added
    }

    /// The source's tag where it means the same codec in the new container; else the muxer chooses.
    private func tag(_ parameters: AVCodecParameters) -> UInt32 {
        guard let tables = format.pointer.pointee.codec_tag else { return parameters.codec_tag }
        return av_codec_get_id(tables, parameters.codec_tag) == parameters.codec_id ? parameters.codec_tag : 0
    }

    private func isChapterTrack(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        let text: UInt32 = 0x7478_6574
        return !source.info.chapters.isEmpty && stream.pointee.codecpar.pointee.codec_tag == text
    }

    /// Whether it is a time code that the video's tags repeat: muxers make the track of the tag.
    private func isTimeCode(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        let mark: UInt32 = 0x6463_6D74
        guard stream.pointee.codecpar.pointee.codec_tag == mark, format.isMov || format.isMatroska else { return false }
        let code = { (stream: UnsafeMutablePointer<AVStream>) in
            OptionDictionary.entries(of: stream.pointee.metadata)["timecode"]
        }
        return code(stream) != nil && code(stream) == code(source.demuxer.video)
    }
}
