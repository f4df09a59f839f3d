import CLibAV
import FrameCore

/// Sets up the encoder, muxer, streams, tags and chapters of an output.
struct MediaWriterSetup {
    let format: OutputFormat
    let target: OutputTarget
    let stream: VideoStreamDescription
    let source: MediaSourceDescription?
    /// libavcodec's name of the source's codec; nil when there is no source.
    let sourceCodec: String?
    let retiming: Retiming
    let options: MediaWriterOptions
    let stopFlag: StopFlag
    /// The encoder's time base.
    let timeBase: Rational

    /// The objects that have been set up.
    struct Output {
        let muxer: Muxer
        let encoder: VideoEncoder
        let video: UnsafeMutablePointer<AVStream>
        /// nil when no auxiliary streams are remuxed.
        let remuxer: AuxiliaryStreamRemuxer?
        /// What is added to the times of all frames and packets.
        let shift: MediaTime
        var notes: [Note]
    }

    init(
        _ output: String, stream: VideoStreamDescription, source: MediaSourceDescription?,
        sourceCodec: String? = nil, retiming: Retiming, options: MediaWriterOptions, stopFlag: StopFlag
    ) throws(FrameError) {
        format = try OutputFormat(output, named: options.format)
        target = try OutputTarget(output, input: source?.input, overwrites: options.overwrites)
        self.stream = stream
        self.source = source
        self.sourceCodec = sourceCodec ?? source?.video.codecName
        self.retiming = retiming
        self.options = options
        self.stopFlag = stopFlag
        timeBase = Self.frameTick(format, stream, source) ?? format.animation?.timeBase ?? Self.timeBase(stream)
        try format.animation?.check(stream.nominalFrameRate, at: .init(file: output))
    }

    /// Opens the output and writes its header. If the container rejects the streams, tries again with fewer of them.
    func open() throws(FrameError) -> Output {
        var output = try build(.all)
        var selection = StreamSelection.all
        do throws(FrameError) {
            try output.muxer.open()
            // The y4m header is written later: it states the frame rate, which may be known only from the second frame on.
            while !format.isY4M {
                do throws(FrameError) {
                    try output.muxer.writeHeader(headerOptions)
                    break
                } catch {
                    // These errors are not caused by the streams.
                    let cause = error.cause as? LibAVError
                    if cause?.isNoSpace == true || cause?.isBrokenPipe == true { throw error }
                    guard let less = selection.less, output.remuxer != nil else { throw error }
                    selection = less
                    let reason = "some streams were left out because \(error.message)"
                    output.muxer.close()
                    output = try build(less)
                    output.notes.append(.loss("streams-dropped", reason))
                    try output.muxer.open()
                }
            }
        } catch {
            output.muxer.close()
            target.discard()
            throw error
        }
        // Packets that no remuxer takes would accumulate until the end of the video.
        if output.remuxer?.isEmpty != false { source?.closePackets() }
        output.notes += SourceLosses(format, target).notes(stream, source) {
            Self.isInTheStream($0, output.encoder)
        }
        if let source { output.notes += output.encoder.notes(on: source.firstSideData) }
        if options.keepsStart, !format.holdsStart, let source {
            let start = (source.part?.start ?? source.start) + source.origin
            if start != .zero {
                output.notes.append(
                    .loss("start-time-dropped", "\(format.name) files start at zero, so the start time is not kept"))
            }
        }
        let known = output.notes + (output.remuxer?.notes ?? [])
        if options.failsOnLoss, let loss = known.first(where: \.isLoss) {
            output.muxer.close()
            target.discard()
            throw loss.refusal(of: target.output)
        }
        return output
    }

    /// Sets up encoder, streams and tags, in the source's stream order.
    private func build(_ selection: StreamSelection) throws(FrameError) -> Output {
        let muxer = try Muxer(format.pointer, target, lowLatency: options.lowLatency)
        let (encoder, encoderNotes) = try openEncoder(globalHeader: muxer.needsGlobalHeader)
        var video: UnsafeMutablePointer<AVStream>?
        var remuxer: AuxiliaryStreamRemuxer?
        if let source, selection != .none {
            let planner = AuxiliaryStreamPlanner(source, format, retiming, options, muxer)
            remuxer = try AuxiliaryStreamRemuxer(source, planner, selection, retiming, stopFlag) {
                () throws(FrameError) in
                video = try addVideo(encoder, to: muxer)
            }
        }
        if video == nil { video = try addVideo(encoder, to: muxer) }
        let added = try allocated(video, "an output stream")
        let lostFileTags = addTags(to: muxer)
        let shift = Self.shift(of: source, format, retiming, options, keeping: remuxer == nil ? .none : selection)
        var losses = [lostFileTags, source.flatMap { format.loss(of: $0.video) }].compactMap(\.self)
            .map { Note.loss("tags-dropped", $0) }
        if let source, format.holdsChapters, try addChapters(of: source, to: muxer, shift: shift) > 0 {
            losses.append(
                .loss("chapters-dropped", "chapters that end before the first picture and sound are left out"))
        }
        return Output(
            muxer: muxer, encoder: encoder, video: added, remuxer: remuxer, shift: shift, notes: encoderNotes + losses)
    }

    /// Returns what is added to the times of all frames and packets, so that the earliest stream starts at zero or, with
    /// the option, where it starts in the source. A part starts with its first frame.
    ///
    /// - Parameter selection: the streams that are written beside the video.
    static func shift(
        of source: MediaSourceDescription?, _ format: OutputFormat, _ retiming: Retiming, _ options: MediaWriterOptions,
        keeping selection: StreamSelection = .all
    ) -> MediaTime {
        guard let source else { return .zero }
        if let part = source.part { return options.keepsStart ? part.start + source.origin : .zero }
        // The video begins with its first frame, whatever the container states: in AVI that is the time of decoding.
        let others = source.streams.filter { $0.index != source.video.index }
        let kept = selection == .none ? [] : others.filter { format.mayKeep($0, audio: options.audio) }
        let earliest = kept.compactMap(\.start).reduce(source.start, min)
        let shift = .zero - retiming.time(of: earliest)
        return options.keepsStart ? shift + earliest + source.origin : shift
    }

    func addVideo(
        _ encoder: VideoEncoder, to muxer: Muxer
    ) throws(FrameError) -> UnsafeMutablePointer<AVStream> {
        let added = try muxer.addStream()
        try check(
            avcodec_parameters_from_context(added.pointee.codecpar, encoder.codec.pointer), .encode,
            "the encoder's parameters cannot be read")
        if AlphaDecoder.isNeeded(for: encoder.choice.encoder.pointee.id), encoder.choice.samples?.hasAlpha == true {
            // Without it, players do not look for alpha.
            OptionDictionary.add(["alpha_mode": "1"], to: &added.pointee.metadata)
        }
        if encoder.choice.leavesTag { added.pointee.codecpar.pointee.codec_tag = 0 }
        added.pointee.time_base = timeBase.av
        added.pointee.sample_aspect_ratio = encoder.codec.pointer.pointee.sample_aspect_ratio
        if let rate = stream.nominalFrameRate { added.pointee.avg_frame_rate = rate.av }
        // Apple's players accept HEVC in mp4 and mov only with the tag hvc1.
        if format.isMov, encoder.codec.pointer.pointee.codec_id == AV_CODEC_ID_HEVC {
            added.pointee.codecpar.pointee.codec_tag = 0x3163_7668
        }
        if let matrix = stream.displayMatrix, matrix.count == 9, format.isMov, matrix.contains(where: { $0 != 0 }) {
            let bytes = matrix.flatMap { value in withUnsafeBytes(of: value) { Array($0) } }
            try StreamSideData.add(bytes, AV_PKT_DATA_DISPLAYMATRIX, to: added)
        }
        for entry in stream.sideData.entries {
            try StreamSideData.add(
                entry.bytes, AVPacketSideDataType(rawValue: UInt32(bitPattern: entry.code)), to: added)
        }
        if let source {
            format.copyTags(from: source.video, to: added)
            OptionDictionary.add(timeCode(in: source.video.metadata, of: source), to: &added.pointee.metadata)
        }
        return added
    }

    private var headerOptions: [String: String] {
        if let animation = format.animation {
            let option = animation.loopOption(plays: source?.plays ?? 0)
            return [option.name: option.value]
        }
        guard format.isMov else { return [:] }
        var flags: [String] = []
        // If the output is not seekable, only a fragmented file is playable.
        if !target.isSeekable { flags += ["frag_keyframe", "empty_moov", "default_base_moof"] }
        if let source, format.needsFreeTags(source.metadata.keys) { flags.append("use_metadata_tags") }
        var options = ["movie_timescale": "\(movieClock)"]
        if !flags.isEmpty { options["movflags"] = flags.joined(separator: "+") }
        return options
    }

    /// The movie timescale in ticks per second, which edit lists use too. The default of 1000 would round the start
    /// times of video and audio.
    private var movieClock: Int32 {
        var clock = max(1000, timeBase.denominator)
        for stream in source?.streams ?? [] {
            let rate = stream.codecParameters.pointer.pointee.sample_rate
            guard rate > 0 else { continue }
            let both = clock.multipliedReportingOverflow(by: rate / Int32(av_gcd(Int64(clock), Int64(rate))))
            if !both.overflow { clock = both.partialValue }
        }
        return clock
    }

    /// Returns the duration of a frame, for formats that count frames instead of storing their times: a finer tick would
    /// become their frame rate.
    private static func frameTick(
        _ format: OutputFormat, _ stream: VideoStreamDescription, _ source: MediaSourceDescription?
    ) -> Rational? {
        guard format.countsFrames, let rate = stream.nominalFrameRate?.reduced, rate.isPositive else { return nil }
        // In AVI, empty packets keep the times of unevenly spaced frames.
        let isResampled = source.map { $0.frameRate?.reduced != rate } ?? false
        guard format.name != "avi" || isResampled || source?.isEven() == true else { return nil }
        return Rational(rate.denominator, rate.numerator)
    }

    /// Returns the stream's time base, made coarser if it is too fine for encoders.
    private static func timeBase(_ stream: VideoStreamDescription) -> Rational {
        guard let base = stream.timeBase.isPositive ? stream.timeBase.reduced : nil else { return Rational(1, 90_000) }
        return base.denominator > 1_000_000_000 ? Rational(1, 1_000_000_000) : base
    }

    /// Whether an encoder writes side data of the stream into its packets, where decoders find it, whatever the container.
    private static func isInTheStream(_ entry: SideData.Entry, _ encoder: VideoEncoder) -> Bool {
        let kinds = [AV_PKT_DATA_MASTERING_DISPLAY_METADATA, AV_PKT_DATA_CONTENT_LIGHT_LEVEL]
        return kinds.contains { Int32($0.rawValue) == entry.code }
            && ["libx265", "libsvtav1"].contains(encoder.name)
    }

    /// Tick of the coarsest time base that the frames' times have been rounded to.
    var clockTick: MediaTime {
        let own = MediaTime(ticks: 1, base: stream.timeBase.isPositive ? stream.timeBase : Rational(1, 90_000))
        guard let source, source.timeBase.isPositive else { return own }
        guard let factor = retiming.constantFactor else { return own }
        return max(own, MediaTime(ticks: 1, base: source.timeBase).multiplied(by: factor))
    }
}
