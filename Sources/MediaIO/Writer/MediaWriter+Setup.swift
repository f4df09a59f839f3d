import CLibAV
import FrameCore

extension MediaWriter {
    struct Parts {
        let muxer: Muxer
        let encoder: VideoEncoder
        let video: UnsafeMutablePointer<AVStream>
        let remuxer: AuxiliaryStreamRemuxer?
        var notes: [String]
    }

    /// Sets up encoder, streams and tags, in the source's stream order.
    static func build(
        _ format: OutputFormat, _ target: OutputTarget, _ stream: VideoStreamDescription, _ source: MediaReader?,
        _ retiming: Retiming, _ options: MediaWriterOptions, _ timeBase: Rational, _ stop: StopFlag,
        selection: StreamSelection
    ) throws(FrameError) -> Parts {
        let muxer = try Muxer(format.pointer, target)
        let (encoder, encoderNotes) = try openEncoder(
            format, stream, source, options, timeBase, globalHeader: muxer.needsGlobalHeader, file: target.output)
        var video: UnsafeMutablePointer<AVStream>?
        var remuxer: AuxiliaryStreamRemuxer?
        if let source, !format.isY4M, selection != .none {
            remuxer = try AuxiliaryStreamRemuxer(
                source, format, retiming, options, stop, selection: selection, into: muxer
            ) {
                () throws(FrameError) in
                video = try addVideo(encoder, stream, source, timeBase, format, to: muxer)
            }
        }
        if video == nil { video = try addVideo(encoder, stream, source, timeBase, format, to: muxer) }
        let added = try allocated(video, "an output stream")
        let lostTags = addTags(source, options, format, to: muxer)
        if let source, !format.isY4M { try addChapters(source, retiming, to: muxer) }
        let losses = [lostTags, source.flatMap { format.loss(of: $0.demuxer.video) }].compactMap(\.self)
        return Parts(
            muxer: muxer, encoder: encoder, video: added, remuxer: remuxer, notes: encoderNotes + losses)
    }

    private static func openEncoder(
        _ format: OutputFormat, _ stream: VideoStreamDescription, _ source: MediaReader?,
        _ options: MediaWriterOptions, _ timeBase: Rational, globalHeader: Bool, file: String
    ) throws(FrameError) -> (VideoEncoder, [String]) {
        let sourceCodec = source.map { MediaStreamInfo.codecName($0.demuxer.video) }
        let codecs = options.codec.map { [$0] } ?? format.defaultCodecs(source: sourceCodec)
        if let codec = options.codec, !format.holds(codec.codecID) {
            throw FrameError(
                .invalidArgument, "\(format.name) does not hold \(codec.rawValue) video", at: .init(file: file))
        }
        var choices: [EncoderChoice]
        do {
            choices = try EncoderChoice.ranked(codecs, for: stream, pixelFormat: options.pixelFormat)
        } catch {
            var error = error
            error.location.file = file
            throw error
        }
        if format.isY4M, let bare = avcodec_find_encoder_by_name("wrapped_avframe") {
            choices = choices.map { EncoderChoice(encoder: bare, pixelFormat: $0.pixelFormat, note: $0.note, cost: 0) }
        }
        var failure: FrameError?
        for choice in choices {
            do {
                let encoder = try VideoEncoder(
                    choice, stream: stream, timeBase: timeBase, options: options, globalHeader: globalHeader)
                return (encoder, [choice.note, encoder.note].compactMap(\.self))
            } catch {
                failure = failure ?? error
            }
        }
        var error = failure ?? FrameError(.unsupportedFormat, "there is no encoder for \(format.name)")
        error.location.file = file
        throw error
    }

    private static func addVideo(
        _ encoder: VideoEncoder, _ description: VideoStreamDescription, _ source: MediaReader?, _ timeBase: Rational,
        _ format: OutputFormat, to muxer: Muxer
    ) throws(FrameError) -> UnsafeMutablePointer<AVStream> {
        let stream = try muxer.addStream()
        try check(
            avcodec_parameters_from_context(stream.pointee.codecpar, encoder.codec.pointer), .encode,
            "the encoder's parameters cannot be read")
        stream.pointee.time_base = timeBase.av
        stream.pointee.sample_aspect_ratio = encoder.codec.pointer.pointee.sample_aspect_ratio
        if let rate = description.nominalFrameRate { stream.pointee.avg_frame_rate = rate.av }
        // HEVC in mp4 and mov: the tag that Apple's players accept.
        if format.isMov, encoder.codec.pointer.pointee.codec_id == AV_CODEC_ID_HEVC {
            stream.pointee.codecpar.pointee.codec_tag = 0x3163_7668
        }
        if let matrix = description.displayMatrix, matrix.count == 9, format.isMov, matrix.contains(where: { $0 != 0 })
        {
            let bytes = matrix.flatMap { value in withUnsafeBytes(of: value) { Array($0) } }
            try StreamSideData.add(bytes, AV_PKT_DATA_DISPLAYMATRIX, to: stream)
        }
        for entry in description.sideData.entries {
            try StreamSideData.add(
                entry.bytes, AVPacketSideDataType(rawValue: UInt32(bitPattern: entry.code)), to: stream)
        }
        if let source {
            format.copyTags(from: source.demuxer.video, to: stream)
        }
        return stream
    }

    /// - Returns: a sentence on those that the container has no place for.
    private static func addTags(
        _ source: MediaReader?, _ options: MediaWriterOptions, _ format: OutputFormat, to muxer: Muxer
    ) -> String? {
        var tags = source.map { MetadataFilter.file($0.info.metadata) } ?? [:]
        tags.merge(options.metadata) { $1 }
        for (key, value) in tags { av_dict_set(&muxer.pointer.pointee.metadata, key, value, 0) }
        return source == nil || format.isY4M ? nil : format.loss(ofTags: tags.keys)
    }

    private static func addChapters(
        _ source: MediaReader, _ retiming: Retiming, to muxer: Muxer
    ) throws(FrameError) {
        let chapters = source.info.chapters
        guard !chapters.isEmpty else { return }
        let table = try allocated(
            av_calloc(chapters.count, MemoryLayout<UnsafeMutablePointer<AVChapter>?>.stride), "the chapter table")
        let entries = table.assumingMemoryBound(to: UnsafeMutablePointer<AVChapter>?.self)
        muxer.pointer.pointee.chapters = entries
        let ratio = Rational(retiming.factor, 1)
        // The header stands before the first frame, whose time says by how much all are moved.
        let shift = max(.zero, .zero - source.start.multiplied(by: ratio))
        for (index, chapter) in chapters.enumerated() {
            let memory = try allocated(av_mallocz(MemoryLayout<AVChapter>.size), "a chapter")
            let entry = memory.assumingMemoryBound(to: AVChapter.self)
            entries[index] = entry
            muxer.pointer.pointee.nb_chapters = UInt32(index + 1)
            let base = Rational(1, chapter.start.timescale)
            entry.pointee.id = Int64(index + 1)
            entry.pointee.time_base = base.av
            entry.pointee.start = (chapter.start.multiplied(by: ratio) + shift).ticks(of: base)
            entry.pointee.end = (chapter.end.multiplied(by: ratio) + shift).ticks(of: base)
            for (key, value) in chapter.metadata { av_dict_set(&entry.pointee.metadata, key, value, 0) }
        }
    }

    static func headerOptions(
        _ format: OutputFormat, _ target: OutputTarget, _ timeBase: Rational, _ source: MediaReader?
    ) -> [String: String] {
        guard format.isMov else { return [:] }
        var flags: [String] = []
        // Without a way back to the head, only fragments make a playable file.
        if !target.isSeekable { flags += ["frag_keyframe", "empty_moov", "default_base_moof"] }
        if let source, format.needsFreeTags(source.info.metadata.keys) { flags.append("use_metadata_tags") }
        var options = ["movie_timescale": "\(movieClock(timeBase, source))"]
        if !flags.isEmpty { options["movflags"] = flags.joined(separator: "+") }
        return options
    }

    /// Ticks per second of the movie, in which edit lists count: at the usual 1000 they would round where the video and
    /// the sound begin.
    private static func movieClock(_ timeBase: Rational, _ source: MediaReader?) -> Int32 {
        var clock = max(1000, timeBase.denominator)
        for stream in source?.demuxer.context.streams ?? [] {
            guard let rate = stream.pointee.codecpar?.pointee.sample_rate, rate > 0 else { continue }
            let both = clock.multipliedReportingOverflow(by: rate / Int32(av_gcd(Int64(clock), Int64(rate))))
            if !both.overflow { clock = both.partialValue }
        }
        return clock
    }

    /// The encoder's clock: the stream's own unless an encoder would choke on it.
    static func timeBase(_ stream: VideoStreamDescription, _ format: OutputFormat) -> Rational {
        guard let base = stream.timeBase.isPositive ? stream.timeBase.reduced : nil else { return Rational(1, 90_000) }
        return base.denominator > 1_000_000_000 ? Rational(1, 1_000_000_000) : base
    }

    /// The coarsest clock a frame's time went through.
    static func clockTick(_ stream: VideoStreamDescription, _ source: MediaReader?, _ retiming: Retiming) -> MediaTime {
        let own = MediaTime(ticks: 1, base: stream.timeBase.isPositive ? stream.timeBase : Rational(1, 90_000))
        guard let source, source.stream.timeBase.isPositive else { return own }
        return max(own, MediaTime(ticks: Int64(retiming.factor), base: source.stream.timeBase))
    }

    /// What the container has no place for.
    static func lostTags(_ stream: VideoStreamDescription, _ format: OutputFormat) -> [String] {
        var notes: [String] = []
        let identity: [Int32] = [65_536, 0, 0, 0, 65_536, 0, 0, 0, 1 << 30]
        if let matrix = stream.displayMatrix, matrix != identity, matrix.contains(where: { $0 != 0 }), !format.isMov {
            notes.append("the rotation of the source is not kept, since \(format.name) has no place for it")
        }
        if !stream.sideData.isEmpty, !format.isMov, !format.isMatroska {
            let kinds = stream.sideData.entries.map(\.kind).joined(separator: ", ")
            notes.append("\(format.name) has no place for: \(kinds)")
        }
        return notes
    }
}
