import CLibAV
import FrameCore

/// Decides whether each auxiliary stream is copied, stretched, transcoded or left out, and why.
struct AuxiliaryStreamPlanner {
    enum Plan {
        /// Dropped without a note: nothing is lost, or the user requested it.
        case ignore
        /// Dropped; the note gives the reason.
        case omit(Note)
        /// Written to the output. The track is nil when the stream has no packets (attachments).
        case remux((any AuxiliaryTrack)?, notes: [Note])
    }

    private let source: MediaSourceDescription
    private let format: OutputFormat
    private let retiming: Retiming
    private let options: MediaWriterOptions
    private let muxer: Muxer

    init(
        _ source: MediaSourceDescription, _ format: OutputFormat, _ retiming: Retiming, _ options: MediaWriterOptions,
        _ muxer: Muxer
    ) {
        self.source = source
        self.format = format
        self.retiming = retiming
        self.options = options
        self.muxer = muxer
    }

    /// Decides how `stream` is handled, and adds an output stream if it is remuxed.
    func plan(_ stream: SourceStream) throws(FrameError) -> Plan {
        let codec = stream.codecParameters.pointer.pointee.codec_id
        if format.holdsVideoOnly {
            let isUnwanted = stream.kind == .audio && options.audio == .drop
            return isUnwanted || isChapterTrack(stream) || isTimeCode(stream) ? .ignore : doesNotHold(stream)
        }
        switch stream.kind {
        case .audio: return try planAudio(stream)
        case .subtitle: return try planSubtitle(stream)
        case .coverArt: return try planCoverArt(stream)
        case .attachment:
            guard format.name == "matroska" else {
                return omit(stream, "\(format.name) does not support attachments")
            }
            _ = try addCopy(of: stream)
            return remux(stream, nil)
        case .video:
            guard stream.dolbyVision?.hasBaseLayer != false else {
                return omit(stream, "it is the enhancement layer of the Dolby Vision video, which is encoded again")
            }
            guard stream.codecParameters.pointer.pointee.width > 0, format.holds(codec) else {
                return doesNotHold(stream)
            }
            return remux(
                stream, try copyTrack(stream),
                notes: [
                    retiming.isIdentity
                        ? nil
                        : Note(
                            "stream-converted", "\(stream.name) is slowed down by showing each of its frames for longer"
                        )
                ])
        case .data:
            // QuickTime chapter tracks appear as data streams too, but chapters are written separately.
            if isChapterTrack(stream) || isTimeCode(stream) { return .ignore }
            guard codec != AV_CODEC_ID_NONE, format.holds(codec), keepsMeaning(stream) else {
                return doesNotHold(stream)
            }
            return remux(stream, try copyTrack(stream))
        }
    }

    private func remux(_ stream: SourceStream, _ track: (any AuxiliaryTrack)?, notes: [Note?] = []) -> Plan {
        let loss = format.loss(of: stream).map { Note.loss("tags-dropped", $0) }
        return .remux(track, notes: (notes + [loss]).compactMap(\.self))
    }

    private func omit(_ stream: SourceStream, _ reason: String) -> Plan {
        .omit(.loss("stream-dropped", "\(stream.name) is left out; \(reason)"))
    }

    private func doesNotHold(_ stream: SourceStream) -> Plan {
        omit(stream, "\(format.name) does not support it")
    }

    private func planAudio(_ stream: SourceStream) throws(FrameError) -> Plan {
        if options.audio == .drop { return .ignore }
        let sound = stream.codecParameters.pointer.pointee
        guard sound.codec_id != AV_CODEC_ID_NONE, sound.sample_rate > 0, sound.ch_layout.nb_channels > 0 else {
            return omit(stream, "its parameters are damaged or unknown")
        }
        let holds = format.holds(sound.codec_id)
        if retiming.isIdentity, holds {
            return remux(stream, try copyTrack(stream), notes: [format.playerNote(sound: sound.codec_id, of: stream)])
        }
        guard let encoder = AudioEncoderChoice.encoder(for: sound.codec_id, in: format) else {
            return omit(stream, "\(format.name) does not support audio")
        }
        do {
            let track: any AuxiliaryTrack
            var silence: Note?
            if let factor = retiming.constantFactor {
                track = try AudioTranscodeTrack(stream, encoder: encoder, factor: factor, muxer: muxer)
            } else {
                track = try RampedAudioTrack(stream, encoder: encoder, retiming: retiming, muxer: muxer)
                silence = RampedAudioTrack.noteOnSilence(stream.name, retiming)
            }
            format.copyTags(from: stream, to: track.stream)
            let encoded = String(c: encoder.pointee.name)
            let note =
                retiming.isIdentity
                ? Note(
                    "stream-converted", "\(stream.name) is transcoded by \(encoded); \(format.name) does not support it"
                )
                : nil
            return remux(
                stream, track, notes: [note, silence, format.playerNote(sound: encoder.pointee.id, of: stream)])
        } catch {
            return omit(stream, error.message)
        }
    }

    private func planSubtitle(_ stream: SourceStream) throws(FrameError) -> Plan {
        let codec = stream.codecParameters.pointer.pointee.codec_id
        if format.holds(codec) { return remux(stream, try copyTrack(stream)) }
        let properties = avcodec_descriptor_get(codec)?.pointee.props ?? 0
        let target =
            format.isMov ? "mov_text" : format.name == "webm" ? "webvtt" : format.name == "matroska" ? "subrip" : nil
        guard properties & AV_CODEC_PROP_TEXT_SUB != 0, let target, let encoder = avcodec_find_encoder_by_name(target)
        else { return doesNotHold(stream) }
        do {
            let track = try SubtitleTranscodeTrack(stream, encoder: encoder, retiming: retiming, muxer: muxer)
            format.copyTags(from: stream, to: track.stream)
            return remux(
                stream, track,
                notes: [Note("stream-converted", "\(stream.name) is converted to \(target); styling may be lost")])
        } catch {
            return omit(stream, error.message)
        }
    }

    private func planCoverArt(_ stream: SourceStream) throws(FrameError) -> Plan {
        let codec = stream.codecParameters.pointer.pointee.codec_id
        if format.holdsCoverArt(besides: source.metadata.keys),
            [AV_CODEC_ID_MJPEG, AV_CODEC_ID_PNG, AV_CODEC_ID_BMP].contains(codec)
        {
            let track = try copyTrack(stream)
            track.stream.pointee.disposition = AV_DISPOSITION_ATTACHED_PIC
            return remux(stream, track)
        }
        guard format.name == "matroska", !stream.attachedPicture.isEmpty else {
            return omit(stream, "\(format.name) does not support cover art")
        }
        // Matroska stores cover art as an attachment.
        let added = try addCopy(of: stream)
        added.pointee.disposition = 0
        added.pointee.codecpar.pointee.codec_type = AVMEDIA_TYPE_ATTACHMENT
        try setExtradata(stream.attachedPicture, of: added.pointee.codecpar)
        let kind = Self.coverArt(codec)
        let tags = ["filename": "cover.\(kind.ending)", "mimetype": "image/\(kind.type)"]
        OptionDictionary.add(tags, to: &added.pointee.metadata, flags: AV_DICT_DONT_OVERWRITE)
        return remux(stream, nil)
    }

    /// The usual file extension of a cover image, and the part of its media type after `image/`.
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

    private func copyTrack(_ stream: SourceStream) throws(FrameError) -> StreamCopyTrack {
        StreamCopyTrack(from: stream, to: try addCopy(of: stream), retiming: retiming)
    }

    private func addCopy(of stream: SourceStream) throws(FrameError) -> UnsafeMutablePointer<AVStream> {
        let parameters = stream.codecParameters.pointer
        let added = try muxer.addStream()
        try check(avcodec_parameters_copy(added.pointee.codecpar, parameters), .allocation, "no memory for a stream")
        added.pointee.codecpar.pointee.codec_tag = tag(parameters.pointee)
        added.pointee.time_base = stream.timeBase
        added.pointee.sample_aspect_ratio = stream.sampleAspectRatio
        added.pointee.avg_frame_rate = stream.averageFrameRate
        format.copyTags(from: stream, to: added)
        for entry in stream.sideData { try StreamSideData.add(entry.bytes, entry.type, to: added) }
        return added
    }

    /// The source's codec tag if it means the same codec in the new container, else 0, which lets the muxer choose.
    private func tag(_ parameters: AVCodecParameters) -> UInt32 {
        guard let tables = format.pointer.pointee.codec_tag else { return parameters.codec_tag }
        return av_codec_get_id(tables, parameters.codec_tag) == parameters.codec_id ? parameters.codec_tag : 0
    }

    /// Whether a copied data stream is what it was: mov muxers label any binary data as the telemetry of a GoPro camera.
    private func keepsMeaning(_ stream: SourceStream) -> Bool {
        !format.isMov || tag(stream.codecParameters.pointer.pointee) != 0
    }

    private func isChapterTrack(_ stream: SourceStream) -> Bool {
        let text: UInt32 = 0x7478_6574
        return !source.chapters.isEmpty && stream.codecParameters.pointer.pointee.codec_tag == text
    }

    /// Whether the stream is a timecode track that repeats the video's `timecode` tag; muxers create the track from
    /// that tag.
    private func isTimeCode(_ stream: SourceStream) -> Bool {
        let mark: UInt32 = 0x6463_6D74
        guard stream.codecParameters.pointer.pointee.codec_tag == mark, format.isMov || format.isMatroska else {
            return false
        }
        let code = stream.metadata["timecode"]
        return code != nil && code == source.video.metadata["timecode"]
    }
}
